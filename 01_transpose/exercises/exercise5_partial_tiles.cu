// exercise5: find the bug: tiles that reach past the edge of the matrix
//
// Task: do this after stage 4. At 1024x1024 the result is right. At most sizes that are not
// multiples of 32, elements of `out` are never written. Which elements are missing, and which
// threads should have written them? Find the cause with a small size (./exercise5 -n 33x32), and
// correct it.
//
// Question: Which threads should have stored the missing elements?
// a) Threads that have loaded elements, and do not store them to `tile`.
// b) Threads that have no element to load, and end before they store one to `out`.
// c) Threads of blocks that do not exist, because the grid is too small.
// d) Threads that pass the barrier before the tile is complete.
// Answer: b
//
// Hint: How many tiles does a matrix of 33 rows and 32 columns have? In the second tile, which
// threads hold an element of `in`?
// Hint: A thread does two things: it loads elements, and it stores elements. Does it store the
// elements that it has loaded? List the threads that load in the second tile, and those that should
// store.
// Hint: A thread without an element to load may have elements to store, and must reach the barrier.
// So no thread may leave the kernel before the stores. Which accesses does the test have to guard
// instead?
//
// Points 3: correct
// Points 1: answer
// Points 5 (cpu, 1023x1025): barriers == 8448 and ld_sectors + st_sectors <= 320400
// Points 1 (gpu, 16384x16384): rate >= 0.7 * ref_memcpy.rate
// Check (cpu, 70001x5)
// Check (cpu, 5x70001)
#include "transpose.h"

#define TILE 32
#define ROWS 4
#define STEP (TILE / ROWS)   // rows of the block

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    float v[ROWS] = {};   // zero where the tile reaches past the matrix

    int x = blockIdx.x * TILE + threadIdx.x;   // column of `in`
    int y = blockIdx.y * TILE + threadIdx.y;   // row of `in`

#ifdef SOLUTION
    for (int i = 0; i < ROWS; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = in[(y + i * STEP) * cols + x];
#else
    if (x >= cols || y >= rows)
        return;   // no element of the matrix
    for (int i = 0; i < ROWS; i++)
        if (y + i * STEP < rows)
            v[i] = in[(y + i * STEP) * cols + x];
#endif
    for (int i = 0; i < ROWS; i++)
        tile[threadIdx.y + i * STEP][threadIdx.x] = v[i];
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;   // column of `out`
    y = blockIdx.x * TILE + threadIdx.y;   // row of `out`
    for (int i = 0; i < ROWS; i++)
        if (x < rows && y + i * STEP < cols)
            out[(y + i * STEP) * rows + x] = tile[threadIdx.x][threadIdx.y + i * STEP];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 block(TILE, STEP);
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}

// exercise11: a blank page: a transpose of your own, from the signature alone
//
// Task: do this after stage 4. Only the function is given. Write the kernel and its launch: any
// size that transpose.h allows, or multiples of 4 only, if you refuse the others with a reason.
// Decide first, on paper: which element does a thread load, where does the tile stay, which element
// does it store? Solved: full sectors on both sides, no bank conflict, at least four loads per
// thread, and no more than one barrier per tile.
//
// Hint: A block moves a tile of 32 x 32 elements, and has 32 x 8 threads. Which rows of the tile
// does thread (3, 5) load, if a warp loads one row at a time?
// Hint: Both sides go along rows if the tile is written by rows and read by columns. What is its
// width, so that the words of a column are in 32 banks? Where must the threads wait?
// Hint: Block (x, y) of `in` becomes block (y, x) of `out`. At the edges, a thread whose row or
// column is outside of its matrix neither loads nor stores, but it must reach the barrier.
//
// Points 3: correct
// Points 2 (cpu, 1024x1024): ld_sectors + st_sectors == 262144 and kernels == 1
// Points 2 (cpu, 1024x1024): shared_wavefronts <= 65536 and barriers <= 32768
// Points 2 (cpu, 1024x1024): warp_ld_requests >= 4 and warp_ld_requests <= 32
// Points 1 (gpu, 16384x16384): rate >= 0.7 * ref_memcpy.rate
// Check (cpu, 1028x260)
#include "transpose.h"

#ifdef SOLUTION
#define TILE 32
#define STEP 8   // rows of the block

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int x = blockIdx.x * TILE + threadIdx.x;   // column of `in`
    int y = blockIdx.y * TILE + threadIdx.y;   // row of `in`

    for (int i = 0; i < TILE; i += STEP)
        if (x < cols && y + i < rows)
            tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * cols + x];
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;   // column of `out`
    y = blockIdx.x * TILE + threadIdx.y;   // row of `out`
    for (int i = 0; i < TILE; i += STEP)
        if (x < rows && y + i < cols)
            out[(y + i) * rows + x] = tile[threadIdx.x][threadIdx.y + i];
}

#else
#endif
void transpose(const float *in, float *out, int rows, int cols)
{
#ifdef SOLUTION
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    transpose_tile<<<grid, dim3(TILE, STEP)>>>(in, out, rows, cols);
#else
    // TODO: everything
    (void)in, (void)out, (void)rows, (void)cols;
#endif
}

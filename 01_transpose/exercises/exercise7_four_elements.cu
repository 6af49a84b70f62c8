// exercise7: find the bug: four elements per thread, and four times the sectors
//
// Task: do this after stage 4. A block of 256 threads moves a tile of 32x32 floats, four elements
// per thread. The result is right. But loads and stores take 16 sectors per request, not 4: each
// sector is requested four times. Which addresses does a warp access in one request? Change which
// elements a thread moves, not how many.
//
// Question: Which floats does a warp load in one request?
// a) 32 floats that are 4 floats apart, in 16 sectors.
// b) 32 consecutive floats, in 4 sectors.
// c) 4 consecutive floats of each of 8 rows, in 8 sectors.
// d) One float of each of 32 rows, in 32 sectors.
// Answer: a
//
// Hint: Write down the numbers e of lanes 0, 1, 2, and 31 for i = 0. How many of the 32 bytes of
// each sector does that request use? Which requests use the others?
// Hint: On a CPU each thread is given neighboring elements, so that its cache line is its own. On a
// GPU the lanes of a warp access memory together. Which 32 elements should the lanes of a warp have
// in one request?
// Hint: In pass i, the 256 threads should move 256 consecutive elements: thread t moves number t of
// them. Pass i + 1 starts 256 elements later.
//
// Points 2: correct
// Points 1: answer
// Points 3 (cpu, 256x256): ld_sectors == 8192 and warp_ld_requests == 4
// Points 3 (cpu, 256x256): st_sectors == 8192 and warp_ld_requests == 4
// Points 1 (gpu, 16384x16384): rate >= 0.7 * ref_memcpy.rate
// Check (cpu, 70001x5)
// Check (cpu, 5x70001)
#include "transpose.h"

#define TILE 32
#define THREADS 256
#define EACH (TILE * TILE / THREADS)   // elements per thread

// Returns the number in the tile, row after row, of this thread's element i.
__device__ int element(int i)
{
#ifdef SOLUTION
    return threadIdx.x + i * THREADS;
#else
    return threadIdx.x * EACH + i;
#endif
}

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    float v[EACH] = {};   // zero where the tile reaches past the matrix

    for (int i = 0; i < EACH; i++) {
        int e = element(i);
        int x = blockIdx.x * TILE + e % TILE;   // column of `in`
        int y = blockIdx.y * TILE + e / TILE;   // row of `in`
        if (x < cols && y < rows)
            v[i] = in[y * cols + x];
    }
    for (int i = 0; i < EACH; i++)
        tile[element(i) / TILE][element(i) % TILE] = v[i];
    __syncthreads();

    for (int i = 0; i < EACH; i++) {
        int e = element(i);
        int x = blockIdx.y * TILE + e % TILE;   // column of `out`
        int y = blockIdx.x * TILE + e / TILE;   // row of `out`
        if (x < rows && y < cols)
            out[y * rows + x] = tile[e % TILE][e / TILE];
    }
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    transpose_tile<<<grid, THREADS>>>(in, out, rows, cols);
}

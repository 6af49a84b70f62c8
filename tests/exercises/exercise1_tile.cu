// exercise1: thread coarsening: blocks of 32x8 threads transpose tiles of 32x32 elements
//
// Task: the kernel stores nothing. Transpose a tile as stage 3 does, with four elements per
// thread.
//
// Hint: Which rows of the tile does a thread load?
// Hint: Row threadIdx.y and every eighth row after it:
// a loop with a step of 8.
// Hint: for (int i = threadIdx.y; i < 32; i += 8), before the barrier and after it.
//
// Points 6: correct
// Points 3 (cpu, 128x128): st_sectors + shared_wavefronts == 4 * st_requests + shared_requests
// Points 1 (gpu, 8192x8192): rate >= 0.5 * ref_cublas.rate
#include "transpose.h"

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
#ifdef SOLUTION
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;

    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < cols && y + i < rows)
            tile[i][threadIdx.x] = in[(y + i) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < rows && y + i < cols)
            out[(y + i) * rows + x] = tile[threadIdx.x][i];
#else
    // TODO: load a tile, wait, and store it
#endif
}

void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}

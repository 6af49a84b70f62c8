// wrong: a block of 2048 threads. The launch is refused, so the kernel does not run.
//
// Rejected (status 3): 2048 threads per block; at most 1024 are possible
#include "transpose.h"

enum { TILE = 32 };

__global__ void transpose_naive(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * 2 * TILE + threadIdx.y;

    if (x < cols && y < rows)
        out[(size_t)x * rows + y] = in[(size_t)y * cols + x];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, 2 * TILE)), block(TILE, 2 * TILE);

    transpose_naive<<<grid, block>>>(in, out, rows, cols);
}

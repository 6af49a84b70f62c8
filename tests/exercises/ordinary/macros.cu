// Graded: 9 solved:
#include "transpose.h"

#define TILE 32
#define FOR_ROWS(i) for (int i = threadIdx.y; i < TILE; i += 8)
#define IF_INSIDE(w, h) if (x < (w) && y + i < (h))
#ifndef PADDING
#define PADDING 1
#endif

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + PADDING];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;

    FOR_ROWS(i)
    IF_INSIDE(cols, rows)
    tile[i][threadIdx.x] = in[(y + i) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32;
    FOR_ROWS(i)
    IF_INSIDE(rows, cols)
    out[(y + i) * rows + x] = tile[threadIdx.x][i];
}

// Here: transpose of honest.cu

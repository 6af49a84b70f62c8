// Graded: 9 solved:
#include "transpose.h"

__device__ bool inside(int x, int y, int width, int height) { return x < width && y < height; }

__device__ __forceinline__ int at(int row, int col, int width) { return row * width + col; }

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;

    for (int i = threadIdx.y; i < 32; i += 8)
        if (inside(x, y + i, cols, rows))
            tile[i][threadIdx.x] = in[at(y + i, x, cols)];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        if (inside(x, y + i, rows, cols))
            out[at(y + i, x, rows)] = tile[threadIdx.x][i];
}

// Here: transpose of honest.cu

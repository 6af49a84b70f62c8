// Graded: 9 solved:
#include "transpose.h"
#include <cstring>

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
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
            memcpy(&out[(y + i) * rows + x], &tile[threadIdx.x][i], sizeof(float));
}

// Here: transpose of honest.cu

// Graded: 9 solved:
#include "transpose.h"
#include <cstring>

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    float mine[4], copied[4];
    int n = 0;
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;

    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < cols && y + i < rows)
            mine[n++] = in[(y + i) * cols + x];
    memcpy(copied, mine, sizeof copied);   // between local variables
    for (int i = threadIdx.y, k = 0; i < 32; i += 8, k++)
        if (x < cols && y + i < rows)
            tile[i][threadIdx.x] = copied[k];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < rows && y + i < cols)
            out[(y + i) * rows + x] = tile[threadIdx.x][i];
}

// Here: transpose of honest.cu

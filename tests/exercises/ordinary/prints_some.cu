// Graded: 9 solved:
#include <cstdio>
#include "transpose.h"

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
            out[(y + i) * rows + x] = tile[threadIdx.x][i];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    for (int i = 0; i < 40; i++)
        puts("a line of text that a student has forgotten to remove from the program, and that is "
             "long");
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}

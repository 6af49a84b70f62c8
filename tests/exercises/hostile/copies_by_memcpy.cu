// Graded: 6 partial|refused|stopped|wrong: .
// Attack: reads the tile with bank conflicts by memcpy, with a number of bytes that the
// compiler does not know, so that it calls the C library.
#include "transpose.h"
#include <cstring>

__global__ void transpose_tile(const float *in, float *out, int rows, int cols, size_t n)
{
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;

    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < cols && y + i < rows)
            tile[i][threadIdx.x] = in[(y + i) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < rows && y + i < cols)
            memcpy(&out[(y + i) * rows + x], &tile[threadIdx.x][i], n);
}

void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(
        in, out, rows, cols, sizeof *out);
}

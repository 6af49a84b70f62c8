// Graded: 9 solved:
// Another style: blocks of 1024 threads, a tile of one dimension, and a barrier more.
#include "transpose.h"

__global__ void swap_tile(const float *from, float *to, int height, int width)
{
    __shared__ float s[1024];
    unsigned a = threadIdx.x, b = threadIdx.y, row = 32 * blockIdx.y, col = 32 * blockIdx.x;

    if (row + b < height && col + a < width)
        s[32 * b + (a ^ b)] = from[(row + b) * width + col + a];
    __syncthreads();
    float v = 0;
    if (col + b < width && row + a < height)
        v = s[32 * a + (a ^ b)];
    __syncthreads();
    if (col + b < width && row + a < height)
        to[(col + b) * height + row + a] = v;
}

void transpose(const float *in, float *out, int rows, int cols)
{
    swap_tile<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(in, out, rows, cols);
}

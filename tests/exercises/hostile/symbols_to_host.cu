// Graded: 0 refused|stopped|wrong|uncompiled: .
// Attack: copies the input from a device variable to the host and transposes there.
#include "transpose.h"
#include <cstdlib>

__device__ float buffer[1 << 16];
static float from[1 << 16], to[1 << 16];
__global__ void loads(const float *in, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        buffer[i] = in[i];
}
__global__ void stores(float *out, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n)
        out[i] = buffer[i];
}
void transpose(const float *in, float *out, int rows, int cols)
{
    int n = rows * cols;
    if (n > 1 << 16)
        exit(98);
    loads<<<ceil_div(n, 256), 256>>>(in, n);
    cudaMemcpyFromSymbol(from, buffer, n * 4);
    for (int i = 0; i < n; i++)
        to[i % cols * rows + i / cols] = from[i];
    cudaMemcpyToSymbol(buffer, to, n * 4);
    stores<<<ceil_div(n, 256), 256>>>(out, n);
}

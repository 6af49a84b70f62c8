// Graded: 3 partial: ^shared_requests >= 48 .*: no: is 24, must be at least 48$
// Atomic additions to one word. One of the barriers orders nothing.
// Computes: block_sums
#include "launch.h"

__global__ void block_sum(const float *a, float *out, int n)
{
    __shared__ float part;
    int t = threadIdx.x;
    int i = blockIdx.x * 8 + t;
    if (t == 0)
        part = 0;
    __syncthreads();
    if (i < n)
        atomicAdd(&part, a[i]);
    __syncthreads();
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = part;
}

void launch(const float *a, const float *b, float *out, int rows, int cols)
{
    int n = rows * cols;

    block_sum<<<ceil_div(n, 8), 8>>>(a, out, n);
}

// Graded: 3 partial: ^shared_requests >= 48 .*: no: is 40, must be at least 48$
// One step of the tree, then thread 0 adds the rest. One of the barriers orders nothing.
// Computes: block_sums
#include "launch.h"

__global__ void block_sum(const float *a, float *out, int n)
{
    __shared__ float part[8];
    int t = threadIdx.x;
    int i = blockIdx.x * 8 + t;
    part[t] = i < n ? a[i] : 0;
    __syncthreads();
    if (t < 4)
        part[t] += part[t + 4];
    __syncthreads();
    __syncthreads();
    if (t == 0)
        out[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}

void launch(const float *a, const float *b, float *out, int rows, int cols)
{
    int n = rows * cols;

    block_sum<<<ceil_div(n, 8), 8>>>(a, out, n);
}

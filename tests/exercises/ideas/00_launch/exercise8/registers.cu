// Graded: 9 solved:
// The tree with each sum in a register, neighbors first, and the barrier behind the store.
// Computes: block_sums
#include "launch.h"

__global__ void block_sum(const float *a, float *out, int n)
{
    __shared__ float part[8];
    int t = threadIdx.x;
    int i = blockIdx.x * 8 + t;
    float sum = i < n ? a[i] : 0;

    part[t] = sum;
    __syncthreads();
    for (int s = 1; s < 8; s *= 2) {
        if (t % (2 * s) == 0) {
            sum += part[t + s];
            part[t] = sum;
        }
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sum;
}

void launch(const float *a, const float *b, float *out, int rows, int cols)
{
    int n = rows * cols;

    block_sum<<<ceil_div(n, 8), 8>>>(a, out, n);
}

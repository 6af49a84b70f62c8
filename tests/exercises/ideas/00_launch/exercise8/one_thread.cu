// Graded: 3 partial: ^ld_requests == 8 .*: no: is 60, must be (at (most|least) )?8$
// The task: thread 0 of each block sums.
// Computes: block_sums
#include "launch.h"

__global__ void block_sum(const float *a, float *out, int n)
{
    int i = blockIdx.x * 8 + threadIdx.x;
    float sum = 0;

    if (threadIdx.x == 0) {
        for (int k = i; k < i + 8 && k < n; k++)
            sum += a[k];
        out[blockIdx.x] = sum;
    }
}

void launch(const float *a, const float *b, float *out, int rows, int cols)
{
    int n = rows * cols;

    block_sum<<<ceil_div(n, 8), 8>>>(a, out, n);
}

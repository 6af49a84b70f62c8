// Graded: 3 partial: ^partial_barriers == 0 .*: no: is 3, must be (at (most|least) )?0$
// Threads without an element return before the barriers.
// Computes: block_sums
#include "launch.h"

__global__ void block_sum(const float *a, float *out, int n)
{
    __shared__ float part[8];
    int t = threadIdx.x;
    int i = blockIdx.x * 8 + t;
    if (i >= n)
        return;
    part[t] = a[i];
    for (int d = 4; d > 0; d /= 2) {
        __syncthreads();
        if (t < d && i + d < n)
            part[t] += part[t + d];
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

void launch(const float *a, const float *b, float *out, int rows, int cols)
{
    int n = rows * cols;

    block_sum<<<ceil_div(n, 8), 8>>>(a, out, n);
}

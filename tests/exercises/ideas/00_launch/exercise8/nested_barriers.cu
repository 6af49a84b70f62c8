// Graded: 3 partial: ^partial_barriers == 0 .*: no: is 16, must be (at (most|least) )?0$
// The steps are nested. Threads that skip a step skip its barrier.
// Computes: block_sums
#include "launch.h"

__global__ void block_sum(const float *a, float *out, int n)
{
    __shared__ float part[8];
    int t = threadIdx.x;
    int i = blockIdx.x * 8 + t;

    part[t] = i < n ? a[i] : 0;
    __syncthreads();
    if (t < 4) {
        part[t] += part[t + 4];
        __syncthreads();
        if (t < 2) {
            part[t] += part[t + 2];
            __syncthreads();
            if (t == 0)
                out[blockIdx.x] = part[0] + part[1];
        }
    }
}

void launch(const float *a, const float *b, float *out, int rows, int cols)
{
    int n = rows * cols;

    block_sum<<<ceil_div(n, 8), 8>>>(a, out, n);
}

// Graded: 4 partial: no: is 0, must be 33825
// No sum of a row is stored: all are added to the result with an atomic per warp.
// Answer: b
#include "reduction.h"

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    T sum = 0;
    for (long long i = blockIdx.x * 512ll + threadIdx.x; i < n; i += gridDim.x * 512ll)
        sum += in[i];
    if (sizeof(T) == 4 && T(0.5) == 0)
        sum = __reduce_add_sync(0xffffffff, (unsigned)sum);
    else
        for (int s = 16; s > 0; s /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    cudaMemsetAsync(out, 0, sizeof *out, cudaStreamPerThread);
    reduce<<<(int)min(ceil_div(n, 512), 4ll * multiprocessors()), 512>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

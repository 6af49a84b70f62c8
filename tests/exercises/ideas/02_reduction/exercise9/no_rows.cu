// Graded: 3 partial: no: is 129, must be (at (most|least) )?1025$
// The sum of the array, without a sum per row.
#include "reduction.h"

template <class T> __global__ void sum_rows(const T *in, T *out, long long n)
{
    long long thread = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    T sum = 0;
    for (long long i = thread; i < n; i += gridDim.x * (long long)blockDim.x)
        sum += in[i];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0)
        out[thread / 32] = sum;
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    int blocks = (int)min(ceil_div(n, 128), 32ll);
    T *sums = (T *)scratch(blocks * 4 * sizeof(T));

    sum_rows<<<blocks, 128>>>(in, sums, n);
    sum_rows<<<1, 32>>>(sums, out, blocks * 4);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

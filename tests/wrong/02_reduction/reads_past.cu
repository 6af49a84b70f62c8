// wrong: loads past the end of the array and ignores the values. The result is correct.
//
// Rejected: reads_past\.cu:[0-9]+: .*(out of bounds|beyond|past)
#include "reduction.h"

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[512];

    unsigned tid = threadIdx.x;
    long long i = (long long)blockIdx.x * blockDim.x + tid;

    T value = *(const volatile T *)&in[i];   // volatile: otherwise moved below the test
    sdata[tid] = i < n ? value : 0;
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    long long blocks = ceil_div(n, 512);
    T *sums = (T *)scratch(2 * blocks * sizeof(T));

    while (blocks > 1) {
        reduce<<<blocks, 512>>>(in, sums, n);
        in = sums;   // the next launch adds these
        n = blocks;
        sums += n;
        blocks = ceil_div(n, 512);
    }
    reduce<<<1, 512>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

// wrong: a chain of blocks, each of which adds its sum to that of the block before it. It waits for
// a block of lower index, which need not have started: with more blocks than run at once, it may
// wait for ever.
//
// Rejected: waits_for_lower\.cu:[0-9]+: a block waits here for a block of lower index
#include "sums.h"

using stage8::block_sum;

template <class T> struct chain {
    unsigned done;   // blocks that have added their sum
    T sum;
};

template <class T> __global__ void reduce(const T *in, T *out, long long n, chain<T> *chain)
{
    long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    T sum = block_sum(i < n ? in[i] : T());

    if (threadIdx.x > 0)
        return;
    while (*(volatile unsigned *)&chain->done != blockIdx.x)
        ;
    __threadfence();
    sum += blockIdx.x > 0 ? chain->sum : T();
    chain->sum = sum;
    if (blockIdx.x == gridDim.x - 1)
        *out = sum;
    __threadfence();
    *(volatile unsigned *)&chain->done = blockIdx.x == gridDim.x - 1 ? 0 : blockIdx.x + 1;
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    reduce<<<(int)ceil_div(n, 256), 256>>>(in, out, n, (chain<T> *)scratch(sizeof(chain<T>)));
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

// stage2: sequential addressing. Pairs lie half a block apart, then a quarter: neighbours work on
// neighbours, and no bank is asked twice.
//
// Change: the loop runs the other way, s from half the block down to 1, and thread t adds element t
// + s to element t. Half of the threads have no part in any addition: they load one element and go
// from barrier to barrier.
//
// make stage2 && ./stage2; make diff A=1 B=2
//
// Expect (cpu, 1048576): shared_requests == stage1.shared_requests
// Expect (cpu, 1048576): shared_wavefronts == shared_requests
// Expect (sm_90, 16777216): rate >= 1.1 * stage1.rate
#include "reduction.h"

#ifndef BLOCK
#define BLOCK 512
#endif
static_assert(BLOCK >= 64 && BLOCK <= 1024 && (BLOCK & (BLOCK - 1)) == 0,
              "BLOCK must be a power of two from 64 to 1024");

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[BLOCK];

    unsigned tid = threadIdx.x;
    long long i = (long long)blockIdx.x * blockDim.x + tid;

    sdata[tid] = i < n ? in[i] : 0;
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}

template <class T> void sum(const T *in, T *out, long long n)
{
    long long blocks = ceil_div(n, BLOCK);
    T *sums = (T *)scratch(2 * blocks * sizeof(T));

    for (; blocks > 1; in = sums, sums += blocks, n = blocks, blocks = ceil_div(n, BLOCK))
        reduce<<<blocks, BLOCK>>>(in, sums, n);
    reduce<<<1, BLOCK>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n)
}

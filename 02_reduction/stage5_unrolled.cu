// stage5: completely unrolled. The block's size is a template parameter, so that the compiler knows
// every s and writes out the loop.
//
// Change: block_size for blockDim.x. What is left of a step is one comparison, two loads, an
// addition, a store and the barrier; no counter, no branch back. A template is made for one size at
// compile time: the slides' switch over all sizes becomes the knob BLOCK.
//
// make stage5 && ./stage5; make diff A=4 B=5; make stage5 BLOCK=256 && ./stage5
//
// Expect (cpu, 1048576): shared_requests == stage4.shared_requests
// Expect (cpu, 1048576): barriers == stage4.barriers
// Expect (sm_90, 16777216): rate >= 1.03 * stage4.rate
#include "reduction.h"

#ifndef BLOCK
#define BLOCK 512
#endif
static_assert(BLOCK >= 64 && BLOCK <= 1024 && (BLOCK & (BLOCK - 1)) == 0,
              "BLOCK must be a power of two from 64 to 1024");

template <class T, unsigned block_size> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[block_size];

    unsigned tid = threadIdx.x;
    long long i = (long long)blockIdx.x * (2 * block_size) + tid;

    T sum = i < n ? in[i] : 0;
    if (i + block_size < n)
        sum += in[i + block_size];
    sdata[tid] = sum;
    __syncthreads();

#pragma unroll
    for (unsigned s = block_size / 2; s > 32; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid < 32) {
        sum = sdata[tid];
#pragma unroll
        for (unsigned s = 32; s > 0; s /= 2) {
            sum += sdata[tid + s];
            __syncwarp();
            sdata[tid] = sum;
            __syncwarp();
        }
    }
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}

template <class T> void sum(const T *in, T *out, long long n)
{
    long long blocks = ceil_div(n, 2 * BLOCK);
    T *sums = (T *)scratch(2 * blocks * sizeof(T));

    for (; blocks > 1; in = sums, sums += blocks, n = blocks, blocks = ceil_div(n, 2 * BLOCK))
        reduce<T, BLOCK><<<blocks, BLOCK>>>(in, sums, n);
    reduce<T, BLOCK><<<1, BLOCK>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n)
}

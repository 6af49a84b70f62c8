// stage5: complete loop unrolling (block size as a template parameter)
//
// Stage 4 unrolls the last warp only. The steps before it start at blockDim.x, which is known at
// run time: each has a loop counter, a test and a branch. Here the block size is a template
// parameter of the kernel as well. Every s is a constant, and #pragma unroll removes the loop. A
// step is one comparison, a load, an addition, a store and the barrier.
//
// Look at: `make sass STAGES=stage5`, no branch back in the tree. All counts are those of stage 4.
// make stage5 && ./stage5        make diff A=4 B=5
// make stage5 BLOCK=256 && ./stage5
// Expect (cpu, 1048576): shared_requests == stage4.shared_requests
// Expect (sm_90, 16777216): rate >= 1.03 * stage4.rate
#include "reduction.h"

#ifndef BLOCK
#define BLOCK 512
#endif
static_assert(BLOCK >= 64 && BLOCK <= 1024 && (BLOCK & (BLOCK - 1)) == 0,
              "BLOCK must be a power of two from 64 to 1024");

// Returns the sum of sdata[0] to sdata[63], in lane 0. All lanes of warp 0 call it with their word.
template <class T, unsigned block_size> __device__ T warp_reduce(T *sdata, T sum, unsigned tid)
{
    static_assert(block_size >= 64, "warp_reduce adds 64 words");
    for (unsigned s = 32; s > 0; s /= 2) {
        sum += sdata[tid + s];
        __syncwarp();
        sdata[tid] = sum;
        __syncwarp();
    }
    return sum;
}

template <class T, unsigned block_size> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[block_size];

    unsigned tid = threadIdx.x;
    long long i = (long long)blockIdx.x * (2 * block_size) + tid;   // and i + block_size

    T sum = i < n ? in[i] : 0;
    if (i + block_size < n)
        sum += in[i + block_size];
    sdata[tid] = sum;
    __syncthreads();

#pragma unroll
    for (unsigned s = block_size / 2; s > 32; s /= 2) {
        if (tid < s)
            sdata[tid] = sum = sum + sdata[tid + s];
        __syncthreads();
    }

    if (tid < 32)   // warp 0
        sum = warp_reduce<T, block_size>(sdata, sum, tid);
    if (tid == 0)
        out[blockIdx.x] = sum;
}

template <class T> void sum(const T *in, T *out, long long n)
{
    long long blocks = ceil_div(n, 2 * BLOCK);
    T *sums = (T *)scratch(2 * blocks * sizeof(T));   // the block sums of all launches

    for (; blocks > 1; in = sums, sums += blocks, n = blocks, blocks = ceil_div(n, 2 * BLOCK))
        reduce<T, BLOCK><<<blocks, BLOCK>>>(in, sums, n);
    reduce<T, BLOCK><<<1, BLOCK>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n)
}

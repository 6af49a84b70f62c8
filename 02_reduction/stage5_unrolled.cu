// stage5: complete loop unrolling (block size known at compile time)
//
// Stage 4 reads the block size from blockDim.x, although it is always BLOCK. The compiler does not
// know that: each step with a block barrier has a loop counter, a test and a branch. (nvcc unrolls
// the loop of warp_reduce, which has six steps for any block.) Here the constant BLOCK replaces
// blockDim.x. Every s is a constant, and #pragma unroll removes the loop. A step is a comparison, a
// load, an addition, a store and the barrier.
//
// Look at: `make sass`: a step of stage 4 takes 10 instructions, the three of stage 5 take 14
// together. All counts of requests and barriers are those of stage 4.
// make stage5 && ./stage5        make diff A=4 B=5
// Expect (sm_90, 16777216): rate >= 1.03 * stage4.rate
// Expect (sm_90, 1073741824): rate >= 1.05 * stage4.rate
#include "reduction.h"

#define BLOCK 512

// Returns the sum of sdata[0], ..., sdata[63] in lane 0. All 32 lanes of warp 0 call it, each with
// sum = sdata[tid]. It overwrites sdata[0] to sdata[31].
template <class T> __device__ T warp_reduce(T sum, T *sdata, unsigned tid)
{
    for (unsigned s = 32; s > 0; s /= 2) {
        sum += sdata[tid + s];
        __syncwarp();
        sdata[tid] = sum;
        __syncwarp();
    }
    return sum;
}

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[BLOCK];

    unsigned tid = threadIdx.x;
    // this thread adds elements i and i + BLOCK
    long long i = (long long)blockIdx.x * (2 * BLOCK) + tid;

    T sum = i < n ? in[i] : 0;
    if (i + BLOCK < n)
        sum += in[i + BLOCK];
    sdata[tid] = sum;
    __syncthreads();

#pragma unroll
    for (unsigned s = BLOCK / 2; s > 32; s /= 2) {
        if (tid < s)
            sdata[tid] = sum = sum + sdata[tid + s];   // sum equals sdata[tid]
        __syncthreads();
    }

    if (tid < 32)   // warp 0
        sum = warp_reduce(sum, sdata, tid);
    if (tid == 0)
        out[blockIdx.x] = sum;
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    long long blocks = ceil_div(n, 2 * BLOCK);
    T *sums = (T *)scratch(2 * blocks * sizeof(T));   // the block sums of all launches

    while (blocks > 1) {
        reduce<<<blocks, BLOCK>>>(in, sums, n);
        in = sums;   // the next launch adds these
        n = blocks;
        sums += n;
        blocks = ceil_div(n, 2 * BLOCK);
    }
    reduce<<<1, BLOCK>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

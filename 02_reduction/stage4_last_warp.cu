// stage4: the last warp on its own. Once 64 sums are left only one warp has work, and the block
// need not wait for it.
//
// Change: the loop ends at s = 32, and the rest is done within the first warp, without
// __syncthreads. In the slides the lanes of a warp are "by definition synchronized", and a volatile
// pointer is all they take. That ended with Volta in 2017: each lane now has a program counter of
// its own, and what one writes another may read too early. So each step reads, __syncwarp, writes,
// __syncwarp. The slides' version is tests/wrong/02_reduction/volatile_warp.cu. No thread leaves
// the warp: lanes past s add up what nobody asks for.
//
// make stage4 && ./stage4; make diff A=3 B=4
//
// Expect (cpu, 1048576): barriers == 0.4 * stage3.barriers
// Expect (sm_90, 16777216): rate >= 1.1 * stage3.rate
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
    long long i = (long long)blockIdx.x * (2 * blockDim.x) + tid;

    T sum = i < n ? in[i] : 0;
    if (i + blockDim.x < n)
        sum += in[i + blockDim.x];
    sdata[tid] = sum;
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid < 32) {
        sum = sdata[tid];
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
        reduce<<<blocks, BLOCK>>>(in, sums, n);
    reduce<<<1, BLOCK>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n)
}

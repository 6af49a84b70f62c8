// stage0: interleaved addressing with modulo. The first kernel of the slides: a tree in shared
// memory, and most lanes of each warp idle.
//
// A block adds up BLOCK elements, in pairs 1 apart, then 2, 4, 8 apart; then another launch does
// the same with the sums of the blocks, until one is left. At step s the threads work whose number
// is a multiple of 2 s. Up to s = 16 each warp has such lanes, so each goes through the addition,
// for 16, then 8, 4, 2 and 1 of them; and every thread goes through a division at every step, since
// s is no constant here.
//
// make stage0 && ./stage0
//
// Expect (cpu, 1048576): ld_sectors == 4 * ld_requests - 3
// Expect (cpu, 1048576): active_lanes <= 9
// Expect (sm_90, 16777216): rate <= 0.2 * ref_cub.rate
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

    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0)
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

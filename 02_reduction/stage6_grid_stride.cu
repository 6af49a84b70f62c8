// stage6: many elements a thread. As many blocks as the GPU holds at a time, and each thread adds
// up elements a grid apart first.
//
// Stages 0 to 5 build a tree for every 512 or 1024 elements. Change: 4 blocks of 512 threads an SM,
// the most that an H200 holds, and a loop through the whole array. The tree, its barriers and the
// start of a block are paid once; and what is left over for the second launch is one block's work.
// Here the slides' ladder ends. A warp still asks for 128 bytes at a time.
//
// make stage6 && ./stage6; make diff A=5 B=6; make stage6 BLOCK=256 && ./stage6
//
// Expect (cpu, 1048576): ld_requests <= 32769
// Expect (cpu, 1048576): shared_requests <= stage5.shared_requests / 100
// Expect (sm_90, 16777216): rate >= 1.6 * stage5.rate
// Expect (sm_90, 268435456): rate >= 1.9 * stage5.rate
#include "reduction.h"

#ifndef BLOCK
#define BLOCK 512
#endif
#define BLOCKS_PER_SM (2048 / BLOCK)   // which is what fits, where an SM holds 2048 threads
static_assert(BLOCK >= 64 && BLOCK <= 1024 && (BLOCK & (BLOCK - 1)) == 0,
              "BLOCK must be a power of two from 64 to 1024");

template <class T, unsigned block_size> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[block_size];

    unsigned tid = threadIdx.x;
    T sum = 0;
    for (long long i = (long long)blockIdx.x * block_size + tid; i < n;
         i += (long long)gridDim.x * block_size)
        sum += in[i];
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
    int blocks = (int)min(ceil_div(n, BLOCK), (long long)BLOCKS_PER_SM * multiprocessors());
    T *sums = (T *)scratch(blocks * sizeof(T));

    reduce<T, BLOCK><<<blocks, BLOCK>>>(in, sums, n);
    reduce<T, BLOCK><<<1, BLOCK>>>(sums, out, blocks);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n)
}

// stage3: first add during load
//
// In stage 2 half of the threads load one element and never add. Here each thread loads two
// elements, adds them in a register, and stores one sum for the tree. The grid has half as many
// blocks, which execute half as many barriers. Each thread has two loads in flight.
//
//   in       | BLOCK elements | BLOCK elements |     one block of threads
//   thread t   in[t]        +   in[BLOCK + t]  ->  sdata[t]  ->  tree of stage 2
//
// Look at: barriers, half of stage 2's. The number of loads and sectors is the same.
// make stage3 && ./stage3        make diff A=2 B=3
// Expect (cpu, 1048576): barriers <= 0.5 * stage2.barriers
// Expect (sm_90, 16777216): rate >= 1.5 * stage2.rate
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
    long long i = (long long)blockIdx.x * (2 * blockDim.x) + tid;   // and i + blockDim.x

    T sum = i < n ? in[i] : 0;
    if (i + blockDim.x < n)
        sum += in[i + blockDim.x];
    sdata[tid] = sum;
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
    long long blocks = ceil_div(n, 2 * BLOCK);
    T *sums = (T *)scratch(2 * blocks * sizeof(T));   // the block sums of all launches

    for (; blocks > 1; in = sums, sums += blocks, n = blocks, blocks = ceil_div(n, 2 * BLOCK))
        reduce<<<blocks, BLOCK>>>(in, sums, n);
    reduce<<<1, BLOCK>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n)
}

// stage3: first add during load
//
// In stage 2 each thread loads one element, and half of the threads never add. Here a thread
// loads two elements and adds them before the tree, in a register: half as many blocks, trees and
// barriers in all. The two loads are in flight together.
//
//   in       | BLOCK elements | BLOCK elements |     one block of threads
//   thread t   in[t]        +   in[BLOCK + t]  ->  sum, sdata[t]  ->  tree of stage 2
//
// Look at: half of stage 2's barriers and shared-memory requests; two loads per thread.
// make stage3 && ./stage3        make diff A=2 B=3
// Expect (cpu, 1048576): barriers <= 0.5 * stage2.barriers
// Expect (cpu, 1048576): warp_ld_requests == 2 * stage2.warp_ld_requests
// Expect (sm_90, 16777216): rate >= 1.5 * stage2.rate
#include "reduction.h"

#define BLOCK 512

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[BLOCK];

    unsigned tid = threadIdx.x;
    // this thread adds elements i and i + blockDim.x
    long long i = (long long)blockIdx.x * (2 * blockDim.x) + tid;

    T sum = i < n ? in[i] : 0;
    if (i + blockDim.x < n)
        sum += in[i + blockDim.x];
    sdata[tid] = sum;
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] = sum = sum + sdata[tid + s];   // sum equals sdata[tid]
        __syncthreads();
    }

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

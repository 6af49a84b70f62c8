// stage4: last warp without block barriers (__syncwarp)
//
// In stage 3 all warps execute each step and wait at its barrier, even when only warp 0 has sums to
// add. Here the loop stops at 64 sums. Warp 0 adds those in warp_reduce with __syncwarp: the lanes
// of a warp wait for each other, and see each other's writes.
//
//   s = 256, 128, 64         warps 0 to 7, 0 to 3, 0 to 1     __syncthreads after each step
//   s = 32, 16, 8, 4, 2, 1   warp 0, all 32 lanes             read, __syncwarp, write, __syncwarp
//
// All lanes add in each step: the warp executes the instruction anyway. Lanes s and above then
// write words that other lanes still have to read, so a __syncwarp precedes the write, too.
// Look at: 4 barriers per block, not 10; 15 warps skip six steps, with their instructions. Both
// gain: BARRIERS=6 has as many barriers as stage 3, without the steps, and a rate between the two.
// make stage4 && ./stage4        make diff A=3 B=4        make stage4 BARRIERS=6
// Expect (cpu, 1048576): barriers == 0.4 * stage3.barriers
// Expect (sm_90, 16777216): rate >= 1.1 * stage3.rate
#include "reduction.h"

#ifndef BARRIERS
#define BARRIERS 0   // block barriers after the last warp's steps; 6: as many as in stage 3
#endif
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
    // this thread adds elements i and i + blockDim.x
    long long i = (long long)blockIdx.x * (2 * blockDim.x) + tid;

    T sum = i < n ? in[i] : 0;
    if (i + blockDim.x < n)
        sum += in[i + blockDim.x];
    sdata[tid] = sum;
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {
        if (tid < s)
            sdata[tid] = sum = sum + sdata[tid + s];   // sum equals sdata[tid]
        __syncthreads();
    }

    if (tid < 32)   // warp 0
        sum = warp_reduce(sum, sdata, tid);
    for (int i = 0; i < BARRIERS; i++)   // none, without the knob
        __syncthreads();
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

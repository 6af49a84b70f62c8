// stage4: last warp without block barriers (__syncwarp)
//
// In stage 3 all warps wait at a barrier after each step, also when only warp 0 has sums to add.
// Here the loop stops at 64 sums. Warp 0 adds those in warp_reduce, which synchronizes only 32
// lanes.
//
//   s = 256, 128, 64         warps 0 to 7, 0 to 3, 0 to 1     __syncthreads after each step
//   s = 32, 16, 8, 4, 2, 1   warp 0, all 32 lanes             read, __syncwarp, write, __syncwarp
//
// All lanes add in each step: the warp executes the instruction anyway. But lanes s and above then
// write words that other lanes have to read first: so a __syncwarp before the write too. The slides
// use a volatile pointer instead. That is wrong since Volta (2017), whose lanes can be at different
// instructions: a data race (tests/wrong/02_reduction/volatile_warp.cu).
// make stage4 && ./stage4        make diff A=3 B=4
// Expect (cpu, 1048576): barriers == 0.4 * stage3.barriers
// Expect (sm_90, 16777216): rate >= 1.1 * stage3.rate
#include "reduction.h"

#define BLOCK 512

// Returns, in lane 0, the sum of sdata[0] to sdata[63]. All lanes of warp 0 call it; sum:
// sdata[tid].
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

    for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {
        if (tid < s)
            sdata[tid] = sum = sum + sdata[tid + s];
        __syncthreads();
    }

    if (tid < 32)   // warp 0
        sum = warp_reduce<T, BLOCK>(sdata, sum, tid);
    if (tid == 0)
        out[blockIdx.x] = sum;
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

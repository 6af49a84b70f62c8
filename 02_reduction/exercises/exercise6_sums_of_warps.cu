// exercise6: find the bug: a shuffle over the sums of the warps
//
// Task: do this after stage 7. A block of 512 threads has 16 warps. After the barrier there are 16
// sums in shared memory, and the lanes of warp 0 that have one add them with shuffles.
// `./exercise6` reports a fault. Which lanes call the shuffle, and which lanes does its mask name?
// Correct it; the number of steps may change.
//
// Question: Which rule of __shfl_down_sync() is broken?
// a) All lanes must pass the same distance.
// b) A lane may read only from a lane with a sum.
// c) All warps of the block must call it.
// d) Each lane that the mask names must call it.
// Answer: d
//
// Hint: Which threads does `if (tid < WARPS)` let through? How many bits of the mask 0xffffffff are
// set?
// Hint: The mask names the lanes that take part. Each of them must call the shuffle, and no lane
// may read from a lane that does not. Is the mask 0xffff enough? From which lane does lane 8 read?
// Hint: Let all 32 lanes of warp 0 call it, as in stage 7. What must a lane add that has no sum?
// With 32 lanes, at which distance does the loop start?
//
// Points 3: correct
// Points 1: answer
// Points 5 (cpu, 1048576): shared_requests + barriers <= 297 and exchanges >= 9 * (16 + 1)
// Points 1 (gpu, 268435456): rate >= 0.85 * ref_cub.rate
// Check (cpu, 1048577, sms=5)
// Check (cpu, 300007, sms=132)
#include "reduction.h"

#define BLOCK 512
#define WARPS (BLOCK / 32)             // of a block
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[WARPS];   // one sum per warp

    unsigned tid = threadIdx.x;
    T sum = 0;   // of elements one grid apart
    for (long long i = (long long)blockIdx.x * BLOCK + tid; i < n;
         i += (long long)gridDim.x * BLOCK)
        sum += in[i];

    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (tid % 32 == 0)
        sdata[tid / 32] = sum;
    __syncthreads();

#ifdef SOLUTION
    if (tid < 32) {   // all lanes of warp 0; those without a sum add zero
        sum = tid < WARPS ? sdata[tid] : 0;
        for (int s = 16; s > 0; s /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, s);
    }
#else
    if (tid < WARPS) {   // the lanes that have a sum
        sum = sdata[tid];
        for (int s = WARPS / 2; s > 0; s /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, s);
    }
#endif
    if (tid == 0)
        out[blockIdx.x] = sum;
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    int blocks = (int)min(ceil_div(n, BLOCK), (long long)BLOCKS_PER_SM * multiprocessors());
    T *sums = (T *)scratch(blocks * sizeof(T));

    reduce<<<blocks, BLOCK>>>(in, sums, n);
    reduce<<<1, BLOCK>>>(sums, out, blocks);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

// exercise4: find the bug: a tree that adds four words per step
//
// Task: do this after stage 4. A thread adds four words per step, so a block of 256 threads needs
// four steps, not eight. `./exercise4` reports a fault, although the result is usually right on a
// GPU. Which thread writes the word that the report names, in which step, and which thread reads it
// in which step? Correct it without more block barriers.
//
// Question: Which accesses does nothing order?
// a) Writes of warps 1 to 3, and reads of warp 0 in the step after that.
// b) Writes of lanes of warp 0, and reads of its other lanes in the step after that.
// c) The reads and the write of one thread in one step.
// d) The last write of sdata[0], and its read for `out`.
// Answer: b
//
// Hint: Write down s and the threads that add, for each step. After which steps does every thread
// reach a barrier?
// Hint: After the step with s = 16, the words 0 to 15 hold sums. Lanes 0 to 15 of warp 0 wrote
// them. In the next step, lane 0 reads words that lanes 4, 8 and 12 wrote. What orders these
// accesses? What does stage 4 say about the lanes of a warp since Volta?
// Hint: Within a warp, __syncwarp() orders the writes of the lanes before the reads that follow.
// Which steps need it?
//
// Points 3: correct
// Points 1: answer
// Points 5 (cpu, 1048576): barriers >= 32904 and barriers <= 65808 and shared_requests <= 139842
// Points 1 (gpu, 16777216): rate >= 0.2 * ref_cub.rate
// Check (cpu, 1048577, sms=5)
// Check (cpu, 300007, sms=132)
#include "reduction.h"

#define BLOCK 256   // a power of 4

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[BLOCK];

    unsigned tid = threadIdx.x;
    long long i = (long long)blockIdx.x * BLOCK + tid;   // the element of this thread

    sdata[tid] = i < n ? in[i] : 0;
    __syncthreads();

    for (unsigned s = BLOCK / 4; s > 0; s /= 4) {
        if (tid < s)
            sdata[tid] += sdata[tid + s] + sdata[tid + 2 * s] + sdata[tid + 3 * s];
#ifdef SOLUTION
        if (s > 16)
            __syncthreads();
        else
            __syncwarp();   // from here on, only lanes of warp 0 read what others wrote
#else
        if (s > 16)   // from here on, only warp 0 adds
            __syncthreads();
#endif
    }

    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    long long blocks = ceil_div(n, BLOCK);
    T *sums = (T *)scratch(2 * blocks * sizeof(T));   // the block sums of all launches

    while (blocks > 1) {
        reduce<<<blocks, BLOCK>>>(in, sums, n);
        in = sums;   // the next launch adds these
        n = blocks;
        sums += n;
        blocks = ceil_div(n, BLOCK);
    }
    reduce<<<1, BLOCK>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

// exercise13: bug: two streams, and a sum that is read before it is there
//
// Task: do this after part 3 and "Order between streams" in docs/practice.md. Two kernels sum one
// half of the array each, in two streams, so that they may run at the same time; a third one adds
// the two sums. Kernels of one stream run in order, those of different streams in any order:
// nothing makes the third one wait for both, and nothing makes the second one wait for the work
// before this call. The CPU device reports a race between streams. Add the two missing dependencies
// with events. A CUDA graph that is captured from these calls has the same two edges. Solved: no
// report, the host does not wait, and the second half is still summed in the other stream.
//
// Question: Which two dependencies are missing?
// a) The second `reduce` after the first, and `add` after the second `reduce`.
// b) The memset after both `reduce` of the call before, and `add` after the memset.
// c) `add` after the `reduce` in its own stream, and after the one in the other stream.
// d) The `reduce` in the other stream after the memset, and `add` after that `reduce`.
// Answer: d
//
// Hint: cudaEventRecord(event, stream) marks a place in a stream. cudaStreamWaitEvent(other, event)
// lets what follows in another stream wait for it, and the host goes on.
// Hint: A fork: what must be recorded before the second stream starts? The inputs of this call are
// written by work in cudaStreamPerThread.
// Hint: A join: which event must cudaStreamPerThread wait for before `add`, and when must it be
// recorded?
//
// Points 2: correct
// Points 1: answer
// Points 3 (cpu, 1048576): kernels == 3 and stream_kernels == 1
// Points 3 (cpu, 1048576): events == 2 and ld_requests == 32770
// Points 1 (gpu, 268435456): rate >= 0.3 * ref_cub.rate
// Check (cpu, 1048577, sms=5)
#include "sums.h"

using stage8::block_sum;

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads

// Adds the sum of n elements to *sum, with one atomic per block.
template <class T> __global__ void reduce(const T *in, T *sum, long long n)
{
    T mine = 0;   // of elements one grid apart
    for (long long i = (long long)blockIdx.x * BLOCK + threadIdx.x; i < n;
         i += (long long)gridDim.x * BLOCK)
        mine += in[i];
    mine = block_sum(mine);
    if (threadIdx.x == 0)
        atomicAdd(sum, mine);
}

template <class T> __global__ void add(const T *sums, T *out) { *out = sums[0] + sums[1]; }

template <class T> void sum_array(const T *in, T *out, long long n)
{
    static cudaStream_t other;
    static cudaEvent_t forked, joined;
    T *sums = (T *)scratch(2 * sizeof(T));
    long long half = n / 2;
    int blocks = (int)min(ceil_div(n, 2 * BLOCK), (long long)BLOCKS_PER_SM * multiprocessors());

    if (!other) {   // once: creating a stream takes longer than a launch
        cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&forked, cudaEventDisableTiming);
        cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);
    }
    cudaMemsetAsync(sums, 0, 2 * sizeof *sums, cudaStreamPerThread);
#ifdef SOLUTION
    cudaEventRecord(forked, cudaStreamPerThread);
    cudaStreamWaitEvent(other, forked);
#else
#endif
    reduce<<<blocks, BLOCK, 0, other>>>(in + half, &sums[1], n - half);
    if (half > 0)
        reduce<<<blocks, BLOCK, 0, cudaStreamPerThread>>>(in, &sums[0], half);
#ifdef SOLUTION
    cudaEventRecord(joined, other);
    cudaStreamWaitEvent(cudaStreamPerThread, joined);
#else
#endif
    add<<<1, 1, 0, cudaStreamPerThread>>>(sums, out);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

// exercise5: find the bug: a grid-stride loop with two loads per pass
//
// Task: do this after stage 8. In each pass a thread loads two elements, BLOCK apart, so that two
// loads are in flight. The sum is right up to n = 512 and wrong from 513 on. Which elements are
// added how often? Try small n (./exercise5 -n 513), and correct the loop so that each element is
// loaded once.
//
// Question: Which elements are added more than once?
// a) Those that a pass before has added as in[i + BLOCK]: i moves by half of what a pass covers.
// b) The last ones of the array: the test of i + BLOCK lets them through twice.
// c) Those at the border of two blocks: both blocks load them.
// d) Those of the first pass: i starts at the same element in every block.
// Answer: a
//
// Hint: Take one block and n = 1024. Which two elements does thread 0 load in its first pass? In
// the second pass?
// Hint: How many elements does a block load in one pass, and how many does the whole grid? How far
// does i move from one pass to the next?
// Hint: The loop moves by as many elements as the grid has threads, but a pass covers two elements
// per thread. So every pass but the first repeats half of the one before.
//
// Points 3: correct
// Points 1: answer
// Points 5 (cpu, 1048576): ld_sectors <= 131073 and ld_requests <= 32769 and kernels == 2
// Points 1 (gpu, 268435456): rate >= 0.7 * ref_cub.rate
// Check (cpu, 1048577, sms=5)
// Check (cpu, 300007, sms=132)
#include "sums.h"

using stage8::block_sum;

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    long long i = (long long)blockIdx.x * (2 * BLOCK) + threadIdx.x;   // and i + BLOCK

    T sum = 0;
#ifdef SOLUTION
    for (; i < n; i += (long long)gridDim.x * (2 * BLOCK)) {
#else
    for (; i < n; i += (long long)gridDim.x * BLOCK) {
#endif
        sum += in[i];
        if (i + BLOCK < n)
            sum += in[i + BLOCK];
    }

    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    int blocks = (int)min(ceil_div(n, 2 * BLOCK), (long long)BLOCKS_PER_SM * multiprocessors());
    T *sums = (T *)scratch(blocks * sizeof(T));

    reduce<<<blocks, BLOCK>>>(in, sums, n);
    reduce<<<1, BLOCK>>>(sums, out, blocks);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

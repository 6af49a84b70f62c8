// exercise12: bug: equal slices of the array, and a sum that is wrong for long arrays
//
// Task: do this after stage 9. The array is split into up to 8192 slices, which differ by at most 1
// element: slice b begins at element b * n / slices. A block sums one. The sums are right for 1000
// elements and wrong for a million. Find the line, and the size from which on it is wrong. Which
// type has the product of two ints? Solved: every n is right, and the slices are still equal.
//
// Question: Why are elements missing or added twice?
// a) The quotient is rounded down, so that elements between two slices are in none.
// b) The product has 32 bits, and wraps if it reaches 2^32.
// c) `first` and `end` have 32 bits, and cannot hold the index of each element.
// d) The last slice ends before n, because n is not a multiple of the number of slices.
// Answer: b
//
// Hint: `./exercise12 --size 700000` is right, `--size 800000` is wrong. How many slices are there,
// and what is slices * n? Compare it with 2^32.
// Hint: An expression has the type of its operands, not of the variable that gets it. Which
// operands have the product and the quotient?
// Hint: Make one operand of each product 64 bits wide before the multiplication. What is the
// largest product for n = 2^40 - 1, and does it fit into a long long?
//
// Points 2: correct
// Points 1: answer
// Points 3 (cpu, 1048576): ld_requests == 33024 and warp_ld_requests <= 64 and st_requests == 8193
// Points 3 (cpu, 1500003): ld_sectors >= 192000 and st_requests == 8193
// Points 1 (gpu, 268435456): rate >= 0.3 * ref_cub.rate
// Check (cpu, 1048577, sms=5)
#include "sums.h"

using stage8::block_sum;

#define BLOCK 128
#define SLICES 8192   // blocks, if the array is long enough

// Block b sums slice b of `slices`, and stores the sum in out[b].
template <class T> __global__ void sum_slice(const T *in, T *out, long long n, unsigned slices)
{
#ifdef SOLUTION
    // 8192 * 2^40 is 2^53, below 2^63
    long long first = blockIdx.x * n / slices, end = (blockIdx.x + 1) * n / slices;
#else
    long long first = blockIdx.x * (unsigned)n / slices;
    long long end = (blockIdx.x + 1) * (unsigned)n / slices;
#endif

    T sum = 0;
    for (long long i = first + threadIdx.x; i < end; i += BLOCK)
        sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    int slices = (int)min(ceil_div(n, BLOCK), (long long)SLICES);
    T *sums = (T *)scratch(slices * sizeof(T));

    sum_slice<<<slices, BLOCK>>>(in, sums, n, slices);
    sum_slice<<<1, BLOCK>>>(sums, out, slices, 1);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

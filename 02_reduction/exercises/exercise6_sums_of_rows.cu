// exercise6: find the bug: shuffles in a loop, and a row that is not full
//
// Task: do this after stage 7. The array is a matrix with rows of 32 elements; the last row may be
// shorter. In each pass of its loop a warp sums one row with shuffles, and stores the row's sum.
// These sums are the array of the next launch, until one is left. `./exercise6` reports a fault.
// For 1024 elements the kernel is right. Why not for 1025? Correct it; a warp still sums one row
// per pass.
//
// Question: Which calls of __shfl_down_sync() are wrong for n = 33?
// a) Warp 0: lanes 16 to 31 read past the end of the warp at distance 16.
// b) Warp 1: lane 0 calls it, and lanes 1 to 31 do not.
// c) Warp 1: lane 0 passes another distance than lane 1.
// d) Warps 2 to 15: they do not call it, and the others of their block do.
// Answer: b
//
// Hint: Draw the last row for n = 33. Which lanes are still in the loop? Which does the mask name?
// Hint: A mask of the lanes that are in the loop does not suffice: at distance 16, from which lane
// does lane 0 read? So all 32 lanes must call the shuffle in each pass, with or without an element.
// Hint: Let the loop end at the same pass for all lanes of a warp. What is the smallest multiple of
// 32 that is not below n? Which element changes no sum?
//
// Points 3: correct
// Points 1: answer
// Points 5 (cpu, 1048576): st_requests == 32768 + 1024 + 32 + 1 and exchanges >= st_requests
// Points 1 (gpu, 268435456): rate >= 0.15 * ref_cub.rate
// Check (cpu, 1048577, sms=5)
// Check (cpu, 300007, sms=132)
#include "reduction.h"

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads

// Stores the sum of each row of 32 elements.
template <class T> __global__ void sum_rows(const T *in, T *sums, long long n)
{
#ifdef SOLUTION
    long long end = ceil_div(n, 32) * 32;   // of the last row: the same for all lanes of a warp
#else
    long long end = n;
#endif

    for (long long i = (long long)blockIdx.x * BLOCK + threadIdx.x; i < end;
         i += (long long)gridDim.x * BLOCK) {
#ifdef SOLUTION
        T sum = i < n ? in[i] : 0;   // a lane past the end adds zero
#else
        T sum = in[i];
#endif
        for (int s = 16; s > 0; s /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, s);
        if (threadIdx.x % 32 == 0)
            sums[i / 32] = sum;
    }
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    long long resident = BLOCKS_PER_SM * multiprocessors();
    // the sums of all launches, fewer than twice those of the first
    T *sums = (T *)scratch(2 * ceil_div(n, 32) * sizeof(T));

    do {
        long long rows = ceil_div(n, 32);
        T *to = rows > 1 ? sums : out;

        sum_rows<<<(int)min(ceil_div(n, BLOCK), resident), BLOCK>>>(in, to, n);
        in = to;   // the next launch adds these
        n = rows;
        sums += rows;
    } while (n > 1);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

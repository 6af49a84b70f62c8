// exercise11: find the bug: a sum and its flag in two words
//
// Task: do this after stage 8. Each block publishes the sum of its tile, and the others add up what
// is before. The flag is the number of the launch, so nothing is cleared; but the sum may be that
// of an earlier launch. `./exercise11` reports a race. Correct it without a fence: sum and flag
// must be stored and loaded together. Ints and floats only.
//
// Question: What may a reader get that sees the number of this launch in the flag?
// a) Half of the bits of the sum.
// b) The sum of another tile.
// c) The flag of an earlier launch.
// d) The sum of an earlier launch.
// Answer: d
//
// Hint: What is the largest type that one instruction stores as a whole? How many bytes do a sum
// and a flag have?
// Hint: A word of 8 bytes: the flag in the upper half, the bits of the sum in the lower half. Two
// accesses of 4 bytes to it may still be separated: by another access between them.
// Hint: __builtin_memcpy or memcpy moves the bits of a T to an unsigned. Store and load the
// `unsigned long long` by a volatile access, and take it apart in registers.
//
// Points 3: correct
// Points 1: answer
// Points 5 (cpu, 131072): kernels == 1 and atomic_requests == 128 and exchanges >= 10 * 4096 and
//     st_requests == 4096 + 128 + 1
// Points 1 (gpu, 16777216): rate >= 0.02 * ref_memcpy.rate
// Check (cpu, 100003, sms=5)
#include "scans.h"

using stage3::block_scan;
using stage9::warp_sum;

#define BLOCK 1024   // threads, and elements of a tile

// What a block publishes of its tile.
template <class T> struct alignas(8) word {
    T sum;
    unsigned flag;   // the number of the launch
};

template <class T> struct state {
    unsigned ticket, launch;   // zero before the first launch; launches so far
    word<T> tile[];
};

template <class T> __device__ void publish(word<T> *to, T sum, unsigned flag)
{
#ifdef SOLUTION
    word<T> both = { sum, flag };
    unsigned long long bits;

    memcpy(&bits, &both, sizeof bits);
    *(volatile unsigned long long *)to = bits;
#else
    to->sum = sum;
    *(volatile unsigned *)&to->flag = flag;
#endif
}

// Waits for the flag, and returns the sum.
template <class T> __device__ T wait_for(word<T> *from, unsigned flag)
{
#ifdef SOLUTION
    word<T> both;

    do {
        unsigned long long bits = *(volatile unsigned long long *)from;
        memcpy(&both, &bits, sizeof bits);
    } while (both.flag != flag);
    return both.sum;
#else
    while (*(volatile unsigned *)&from->flag != flag)
        ;
    return from->sum;
#endif
}

template <class T>
__global__ void scan_tiles(const T *in, T *out, long long n, bool exclusive, state<T> *shared)
{
    __shared__ T warp_sums[32], before_tile;
    __shared__ unsigned tile, launch;

    if (threadIdx.x == 0) {
        launch = *(volatile unsigned *)&shared->launch + 1;
        __threadfence();   // read before the ticket
        tile = atomicInc(&shared->ticket, gridDim.x - 1);
        if (tile == gridDim.x - 1) {   // all blocks have read it
            __threadfence();
            *(volatile unsigned *)&shared->launch = launch;
        }
    }
    __syncthreads();
    long long i = (long long)tile * BLOCK + threadIdx.x;
    T element = i < n ? in[i] : 0;
    T total, sum = block_scan(element, &total, warp_sums);
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0)
            publish(&shared->tile[tile], total, launch);
        T before = 0;
        for (unsigned t = threadIdx.x; t < tile; t += 32)
            before += wait_for(&shared->tile[t], launch);
        before = warp_sum(before);
        if (threadIdx.x == 0)
            before_tile = before;
    }
    __syncthreads();
    if (i < n)
        out[i] = before_tile + (exclusive ? sum : sum + element);
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    int tiles = (int)ceil_div(n, BLOCK);
    size_t bytes = sizeof(state<T>) + tiles * sizeof(word<T>);

    scan_tiles<<<tiles, BLOCK>>>(in, out, n, exclusive, (state<T> *)scratch(bytes));
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    if (type == TYPE_I32)
        scan_array((const unsigned *)in, (unsigned *)out, n, exclusive != 0);
    else if (type == TYPE_F32)
        scan_array((const float *)in, (float *)out, n, exclusive != 0);
    else
        refuse("ints and floats only: a word has 8 bytes");
}

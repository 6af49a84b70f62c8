// exercise8: find the bug: the flag of a chained scan
//
// Task: do this after stage 7. `./exercise8` reports a race between blocks; on a GPU a sum is wrong
// once in many runs. Which value may the next block read, and what does the fence order here?
// Correct it. Keep one launch, one fence per block that writes, and one that reads.
//
// Question: What does nothing order?
// a) The load of the flag before the load of the sum, in the block that waits.
// b) The store of the sum before the store of the flag, in the block that passes it on.
// c) The tickets of the two blocks.
// d) The stores of this launch before those of the next one.
// Answer: b
//
// Hint: The report names two lines. In which order does one thread execute the store of the sum,
// the fence and the store of the flag?
// Hint: The block that waits reads the sum as soon as it sees the flag. What must have been stored
// by then?
// Hint: A fence orders what is before it in the program and what is after it. Which of the two
// stores must be before it?
//
// Points 3: correct
// Points 1: answer
// Points 5 (cpu, 131072): kernels == 1 and atomic_requests == 128 and
//     st_requests == 4096 + 3 * 127 and exchanges >= 10 * 4096
// Points 1 (gpu, 16777216): rate >= 0.02 * ref_memcpy.rate
// Check (cpu, 300007, sms=5)
#include "scans.h"

using stage3::block_scan;

#define BLOCK 1024   // threads, and elements of a tile

template <class T> struct alignas(16) message {
    unsigned ready;   // zero before the first launch and after each launch
    alignas(8) T sum;
};

template <class T> struct chain {
    unsigned ticket;      // the next one; zero before the first launch and after each launch
    message<T> after[];   // after[t]: the sum of tiles 0 to t
};

// Returns the sum of all tiles before `tile`, and passes it on with `total`, that of this one.
template <class T> __device__ T pass_on(chain<T> *chain, unsigned tile, T total)
{
    T before = 0;

    if (tile > 0) {
        message<T> *from = &chain->after[tile - 1];
        volatile unsigned *ready = &from->ready;
        while (!*ready)
            ;
        __threadfence();
        before = from->sum;
        *ready = 0;
    }
    if (tile < gridDim.x - 1) {
        message<T> *to = &chain->after[tile];
#ifdef SOLUTION
        to->sum = before + total;
        __threadfence();
        *(volatile unsigned *)&to->ready = 1;
#else
        *(volatile unsigned *)&to->ready = 1;
        __threadfence();
        to->sum = before + total;
#endif
    }
    return before;
}

template <class T>
__global__ void scan_tiles(const T *in, T *out, long long n, bool exclusive, chain<T> *chain)
{
    __shared__ T warp_sums[32], before;
    __shared__ unsigned tile;

    if (threadIdx.x == 0)
        tile = atomicInc(&chain->ticket, gridDim.x - 1);
    __syncthreads();
    long long i = (long long)tile * BLOCK + threadIdx.x;
    T element = i < n ? in[i] : 0;
    T total, sum = block_scan(element, &total, warp_sums);
    if (threadIdx.x == 0)
        before = pass_on(chain, tile, total);
    __syncthreads();
    if (i < n)
        out[i] = before + (exclusive ? sum : sum + element);
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    int tiles = (int)ceil_div(n, BLOCK);
    size_t bytes = sizeof(chain<T>) + tiles * sizeof(message<T>);

    scan_tiles<<<tiles, BLOCK>>>(in, out, n, exclusive, (chain<T> *)scratch(bytes));
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}

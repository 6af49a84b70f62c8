// exercise10: find the bug: blocks that wait for blocks that have not started
//
// Task: do this after stage 7. Here block b scans tile b. `./exercise10` reports that it depends on
// the order in which blocks start; on a GPU it may never end. Draw what happens if only two blocks
// fit on the GPU, and blocks 3 and 2 start first. Correct it: one launch, and still one block per
// tile.
//
// Question: When may a block wait for another one?
// a) When it has the higher blockIdx.x.
// b) When the other one has started.
// c) When there are fewer blocks than SMs.
// d) When a fence is between them.
// Answer: b
//
// Hint: Block 3 waits for the sum of tile 2, which waits for that of tile 1. When does a place
// become free for block 1?
// Hint: The number of a block need not be its index. What do all blocks that have started have,
// that no other block has?
// Hint: Whoever starts takes the next number: an atomic on a counter gives them out. How does the
// counter get back to zero, for the next call?
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
        to->sum = before + total;
        __threadfence();
        *(volatile unsigned *)&to->ready = 1;
    }
    return before;
}

template <class T>
__global__ void scan_tiles(const T *in, T *out, long long n, bool exclusive, chain<T> *chain)
{
    __shared__ T warp_sums[32], before;
    __shared__ unsigned tile;

    if (threadIdx.x == 0)
#ifdef SOLUTION
        tile = atomicInc(&chain->ticket, gridDim.x - 1);
#else
        tile = blockIdx.x;
#endif
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

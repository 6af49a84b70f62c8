// stage7: chained scan in a single pass: a block waits for the sum of its predecessor
//
// Stage 6 loads each element twice. Here a block keeps its tile in registers, waits for the sum of
// all tiles before, passes on the sum that includes its own, and stores. A block takes the number
// of its tile from a ticket, when it starts. So the tiles before it belong to blocks that have
// started.
//
//   block of tile 6                            block of tile 7
//   sum = before + total                       while (!ready) ;       the flag, by a volatile load
//   fence                                      fence
//   ready = 1      the flag, volatile          before = sum           of tiles 0 to 6
//
// First fence: a block that sees the flag sees the sum. Second fence: the sum is read after the
// flag. Look at: traffic, 2 n words; and the time of a chain of n / TILE messages through L2.
// make stage7 && ./stage7        make diff A=6 B=7
// Expect (cpu, 262144): st_requests == 2048 + 3 * 63
#include "scans.h"

using stage3::block_scan;
using stage4::load_vector, stage4::store_vector, stage4::vec16;
using stage4::vector_scan, stage4::vector_sum;

#define BLOCK 1024   // threads

// From the block of a tile to that of the next one. `ready` has the same place for each T, because
// calls with other types use the same memory.
template <class T> struct alignas(16) message {
    unsigned ready;   // zero before the first launch and after each launch
    alignas(8) T sum;
};

// What the blocks share, in scratch memory.
template <class T> struct chain {
    unsigned ticket;      // the next one; zero before the first launch and after each launch
    message<T> after[];   // after[t]: the sum of tiles 0 to t
};

// Returns the sum of all tiles before `tile`, and passes it on with `total`, that of this one. One
// thread of each block calls it.
template <class T> __device__ T pass_on(chain<T> *chain, unsigned tile, T total)
{
    T before = 0;

    if (tile > 0) {
        message<T> *from = &chain->after[tile - 1];
        volatile unsigned *ready = &from->ready;   // volatile: loaded in each iteration
        while (!*ready)
            ;
        __threadfence();   // the sum is read after the flag
        before = from->sum;
        *ready = 0;
    }
    if (tile < gridDim.x - 1) {
        message<T> *to = &chain->after[tile];
        to->sum = before + total;
        __threadfence();   // the sum is visible before the flag
        *(volatile unsigned *)&to->ready = 1;
    }
    return before;
}

template <class T>
__global__ void scan_tiles(const T *in, T *out, long long n, bool exclusive, chain<T> *chain)
{
    const int WIDTH = vec16<T>::WIDTH, TILE = BLOCK * WIDTH;
    __shared__ T warp_sums[32], before_tile;
    __shared__ unsigned ticket;

    if (threadIdx.x == 0)   // the counter wraps to 0 after the last ticket
        ticket = atomicInc(&chain->ticket, gridDim.x - 1);
    __syncthreads();
    long long i = (long long)ticket * TILE + threadIdx.x * WIDTH;
    vec16<T> v = load_vector(in, i, n);
    T total, sum = block_scan(vector_sum(v), &total, warp_sums);
    if (threadIdx.x == 0)
        before_tile = pass_on(chain, ticket, total);
    __syncthreads();
    store_vector(out, i, n, vector_scan(v, before_tile + sum, exclusive));
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    int tiles = (int)ceil_div(n, BLOCK * vec16<T>::WIDTH);
    size_t bytes = sizeof(chain<T>) + tiles * sizeof(message<T>);

    scan_tiles<<<tiles, BLOCK>>>(in, out, n, exclusive, (chain<T> *)scratch(bytes));
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}

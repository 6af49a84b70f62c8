// wrong: a chained scan with a fence of the block in place of the device. Blocks on other SMs may
// see the flag before the sum.
//
// Rejected: block_fence\.cu:[0-9]+: .*scope
#include "scans.h"

using stage3::block_scan;

#define BLOCK 256

template <class T> struct alignas(16) message {
    unsigned ready;
    alignas(8) T sum;
};

template <class T> struct chain {
    unsigned ticket;
    message<T> after[];
};

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
        __threadfence_block();
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

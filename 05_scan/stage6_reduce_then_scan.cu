// stage6: reduce, then scan, with as many blocks as are resident
//
// Stage 5 stores each element twice. Here the first kernel only sums: each block a range of the
// array. In the second kernel a block adds up the sums of the ranges before its own, and scans its
// range tile by tile, with a carry as in stage 4.
//
//   range        |      block 0      |      block 1      |      block 2      |
//   sum_ranges    s0                  s1                  s2                   loads n
//   scan_ranges   0 ->                s0 ->               s0 + s1 ->           loads n, stores n
//
// There are few ranges, so no kernel is needed to scan the sums: each block reads those before it.
// Look at: 3 n words of traffic in place of 4 n, and two kernels.
// make stage6 && ./stage6        make diff A=5 B=6
// Expect (cpu, 262144): kernels == 2
// Expect (cpu, 262144): ld_sectors + st_sectors <= 0.77 * (stage5.ld_sectors + stage5.st_sectors)
#include "scans.h"

using stage3::block_scan;
using stage4::load_vector, stage4::store_vector, stage4::vec16;
using stage4::vector_scan, stage4::vector_sum;

#define BLOCK 1024                     // threads
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads

// The range of block b: tiles from first to last - 1, `share` tiles or fewer.
__device__ inline long long range_start(long long share, int tile)
{
    return blockIdx.x * share * tile;
}

// sums[b]: the sum of the range of block b.
template <class T> __global__ void sum_ranges(const T *in, long long n, long long share, T *sums)
{
    const int WIDTH = vec16<T>::WIDTH, TILE = BLOCK * WIDTH;
    __shared__ T warp_sums[32];
    long long start = range_start(share, TILE), end = min(start + share * TILE, n);
    T sum = 0, total;

    for (long long i = start + threadIdx.x * WIDTH; i < end; i += TILE)
        sum += vector_sum(load_vector(in, i, n));
    block_scan(sum, &total, warp_sums);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}

template <class T>
__global__ void scan_ranges(const T *in, T *out, long long n, bool exclusive, long long share,
                            const T *sums)
{
    const int WIDTH = vec16<T>::WIDTH, TILE = BLOCK * WIDTH;
    __shared__ T warp_sums[2][32];
    long long start = range_start(share, TILE), end = min(start + share * TILE, n);
    T sum = 0, carry;

    for (unsigned b = threadIdx.x; b < blockIdx.x; b += BLOCK)
        sum += sums[b];
    block_scan(sum, &carry, warp_sums[1]);   // the sum of all ranges before

    for (long long tile = start; tile < end; tile += TILE) {
        long long i = tile + threadIdx.x * WIDTH;
        vec16<T> v = load_vector(in, i, n);
        T total, before = block_scan(vector_sum(v), &total, warp_sums[(tile - start) / TILE % 2]);

        store_vector(out, i, n, vector_scan(v, carry + before, exclusive));
        carry += total;
    }
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    long long tiles = ceil_div(n, BLOCK * vec16<T>::WIDTH);
    long long share = ceil_div(tiles, BLOCKS_PER_SM * multiprocessors());
    int blocks = (int)((tiles - 1) / share + 1);
    T *sums = (T *)scratch(blocks * sizeof(T));

    sum_ranges<<<blocks, BLOCK>>>(in, n, share, sums);
    scan_ranges<<<blocks, BLOCK>>>(in, out, n, exclusive, share, sums);
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}

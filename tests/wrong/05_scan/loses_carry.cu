// wrong: one block scans tile by tile, and adds as carry only the sum of the last tile, not that of
// all tiles before. Right up to two tiles.
//
// Rejected: WRONG at [0-9]+: [0-9]+ of
#include "scans.h"

using stage3::block_scan;

#define BLOCK 1024

template <class T> __global__ void scan_tiles(const T *in, T *out, long long n, bool exclusive)
{
    __shared__ T warp_sums[2][32];
    T carry = 0;

    for (long long tile = 0; tile < n; tile += BLOCK) {
        long long i = tile + threadIdx.x;
        T element = i < n ? in[i] : 0, total;
        T sum = carry + block_scan(element, &total, warp_sums[tile / BLOCK % 2]);

        if (i < n)
            out[i] = exclusive ? sum : sum + element;
        carry = total;
    }
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    scan_tiles<<<1, BLOCK>>>(in, out, n, exclusive);
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}

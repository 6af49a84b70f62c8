// stage5: three kernels: scan the tiles, scan their sums, add (scan, then propagate)
//
// Stages 1 to 4 use one SM. Here each block scans one tile, and stores the sum of the tile. A block
// scans these sums: what is before each tile. The third kernel adds it to each element of the tile.
//
//   in       3  5  6  2 |  4  1  7  5 |  2  2  1  3
//   tiles    3  8 14 16 |  4  5 12 17 |  2  4  5  8       one block each
//   sums             16             17             8  ->   0  16  33
//   add      3  8 14 16 | 20 21 28 33 | 35 37 38 41
//
// The end of a kernel is a barrier of all blocks: what it stored, the next one reads. Look at:
// loads and stores, twice each: 4 n words of traffic for 2 n that are needed.
// make stage5 && ./stage5        make diff A=4 B=5
// Expect (cpu, 262144): kernels == 3
// Expect (cpu, 262144): ld_sectors + st_sectors >= 1.99 * (stage4.ld_sectors + stage4.st_sectors)
#include "scans.h"

using stage3::block_scan;
using stage4::load_vector, stage4::store_vector, stage4::vec16;
using stage4::vector_scan, stage4::vector_sum;

#define BLOCK 1024   // threads

// Tile b is that of block b. sums[b]: the sum of the tile.
template <class T>
__global__ void scan_tiles(const T *in, T *out, long long n, bool exclusive, T *sums)
{
    const int WIDTH = vec16<T>::WIDTH, TILE = BLOCK * WIDTH;
    __shared__ T warp_sums[32];
    long long i = (long long)blockIdx.x * TILE + threadIdx.x * WIDTH;
    vec16<T> v = load_vector(in, i, n);
    T total, sum = block_scan(vector_sum(v), &total, warp_sums);

    store_vector(out, i, n, vector_scan(v, sum, exclusive));
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}

// One block: sums[b] becomes the sum of the tiles before b.
template <class T> __global__ void scan_sums(T *sums, int tiles)
{
    __shared__ T warp_sums[2][32];
    T carry = 0, total;

    for (int first = 0; first < tiles; first += BLOCK) {
        int b = first + threadIdx.x;
        T before =
            carry + block_scan(b < tiles ? sums[b] : 0, &total, warp_sums[first / BLOCK % 2]);

        if (b < tiles)
            sums[b] = before;
        carry += total;
    }
}

template <class T> __global__ void add_sums(T *out, long long n, const T *sums)
{
    const int WIDTH = vec16<T>::WIDTH, TILE = BLOCK * WIDTH;
    long long i = (long long)blockIdx.x * TILE + threadIdx.x * WIDTH;
    vec16<T> v = load_vector(out, i, n);
    T before = sums[blockIdx.x];

    for (int k = 0; k < WIDTH; k++)
        v.e[k] += before;
    store_vector(out, i, n, v);
}

template <class T> void scan_array(const T *in, T *out, long long n, bool exclusive)
{
    int tiles = (int)ceil_div(n, BLOCK * vec16<T>::WIDTH);
    T *sums = (T *)scratch(tiles * sizeof(T));

    scan_tiles<<<tiles, BLOCK>>>(in, out, n, exclusive, sums);
    scan_sums<<<1, BLOCK>>>(sums, tiles);
    add_sums<<<tiles, BLOCK>>>(out, n, sums);
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    BY_TYPE(type, scan_array, in, out, n, exclusive);
}

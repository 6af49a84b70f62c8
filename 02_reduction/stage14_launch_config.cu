// stage14: launch configuration for large arrays (one block per tile; ints only)
//
// Stage 13 starts only the blocks that are resident at a time, and each has a loop over tiles. Near
// the end, some blocks may finish before others, and nothing takes their place. Here an array of
// 256 MiB or more gets one block per tile: when a block ends, its SM starts the next one, until no
// tile is left. A tile is twice as large, so that there are half as many blocks.
//
//   below 256 MiB     tile of 32 KiB, 4 blocks per SM, many passes
//   256 MiB and more  tile of 64 KiB, a block per tile, one pass
//
// Only the packed atomic makes many blocks cheap. The last block of stage 12 would have to read
// 65536 sums at 2^30, which costs more than is gained. Look at: the rate at 2^30, a little higher.
// make stage14 && ./stage14 -n 1073741824        make diff A=13 B=14
// Expect (cpu, 1048576): ld_requests == stage13.ld_requests
// Expect (sm_90, 1073741824): rate >= stage13.rate
#include "sums.h"

using stage11::thread_sum;
using stage13::combine_packed;
using stage8::block_sum;

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads
#define LOADS 4
#define LARGE_LOADS 8   // vectors per thread of a large tile; nvcc keeps 4 in flight
#define WIDTH 4         // ints per vector

template <int loads>
__global__ void reduce(const unsigned *in, unsigned *out, long long n, unsigned long long *packed)
{
    unsigned sum = block_sum(thread_sum<BLOCK, loads>(in, n));

    combine_packed(sum, out, packed);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    if (type != TYPE_I32)   // reports why, and launches nothing
        return refuse("ints only: an integer atomic cannot add a packed float");

    const int tile = LOADS * BLOCK * WIDTH, large_tile = LARGE_LOADS * BLOCK * WIDTH;   // elements
    unsigned long long *packed = (unsigned long long *)scratch(sizeof *packed);
    const unsigned *from = (const unsigned *)in;   // unsigned: signed overflow is undefined
    unsigned *to = (unsigned *)out;

    if (n < (64 << 20)) {   // 64 Mi ints are 256 MiB
        int resident = BLOCKS_PER_SM * multiprocessors();
        int blocks = (int)min(ceil_div(n, tile), (long long)resident);
        reduce<LOADS><<<blocks, BLOCK>>>(from, to, n, packed);
    } else {
        int blocks = (int)ceil_div(n, large_tile);
        reduce<LARGE_LOADS><<<blocks, BLOCK>>>(from, to, n, packed);
    }
}

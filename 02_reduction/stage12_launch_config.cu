// stage12: launch configuration for large arrays (one block per tile)
//
// Stage 11 starts only the blocks that fit on the GPU together, and each loops over tiles. At the
// end of a large array some blocks finish before others, and nothing takes their place. Here an
// array of 256 MiB or more gets one block per tile: when a block ends, its SM starts the next,
// until no tile is left. Each thread also issues 8 loads instead of 4.
//
//   below 256 MiB     4 loads per thread and pass, 4 blocks of 512 threads per SM, many passes
//   256 MiB and more  8 loads per thread, a block per tile of 64 KiB, one pass
//
// Smaller arrays keep the loop: fewer blocks combine their sums. Look at: the rate at 2^30 and
// 2^20. combine_blocks is that of stage 11 for ints, and of stage 10 for floats and doubles.
// make stage12 && ./stage12 -n 1073741824        make diff A=11 B=12
// Expect (cpu, 1048576): ld_requests == stage11.ld_requests
// Expect (sm_90, 1073741824): rate >= 1.005 * stage11.rate
#include "reduction.h"

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads

template <class T, int LOADS>
__global__ void reduce(const T *in, T *out, long long n, unsigned *ticket)
{
    __shared__ T warp_sums[32];
    T sum = block_sum(thread_sum<BLOCK, LOADS>(in, n), warp_sums);   // shown by 9 and 7

    combine_blocks<BLOCK>(sum, out, ticket, warp_sums);
}

template <class T> void sum(const T *in, T *out, long long n)
{
    bool large = n * sizeof(T) >= 256 << 20;                       // 256 MiB
    long long tile = (large ? 8 : 4) * BLOCK * (16 / sizeof(T));   // elements per block
    long long max_blocks = large ? INT_MAX : BLOCKS_PER_SM * multiprocessors();   // blocks
    int blocks = (int)min((n - 1) / tile + 1, max_blocks);
    unsigned *ticket = (unsigned *)scratch(16 + blocks * sizeof(T));   // zero before the first call

    if (large)
        reduce<T, 8><<<blocks, BLOCK>>>(in, out, n, ticket);
    else
        reduce<T, 4><<<blocks, BLOCK>>>(in, out, n, ticket);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n)
}

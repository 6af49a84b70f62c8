// stage12: launch configuration for large arrays (no grid-stride loop)
//
// Stage 11 always starts the blocks that fit on the GPU at once, and each of them goes through the
// array in a loop. On a large array they finish at different times, and an SM whose blocks are done
// has no more loads to issue. Here an array of 256 MiB or more gets one block per tile, and
// more loads in flight: an SM starts the next block when one ends, until all tiles are loaded.
//
//   below 256 MiB     4 loads per thread, 4 blocks of 512 threads per SM, grid-stride loop
//   256 MiB and more  8 loads per thread, a block per tile of 64 KiB, one pass each
//
// Small arrays keep the loop: fewer blocks combine their sums. Blocks combine as in stage 11 for
// ints, and as in stage 10 for floats and doubles.
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
    T sum = block_sum(thread_sum<BLOCK, LOADS>(in, n), warp_sums);   // as in stages 9 and 7

    combine_blocks<BLOCK>(sum, out, ticket, warp_sums);
}

template <class T> void sum(const T *in, T *out, long long n)
{
    bool large = n * sizeof(T) >= 256 << 20;                                // 256 MiB
    long long tile = (large ? 8 : 4) * BLOCK * (16 / sizeof(T));            // elements per block
    long long most = large ? INT_MAX : BLOCKS_PER_SM * multiprocessors();   // blocks
    int blocks = (int)min((n - 1) / tile + 1, most);
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

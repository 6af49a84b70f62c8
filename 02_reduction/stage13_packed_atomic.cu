// stage13: sum and ticket packed into one 64-bit atomic (ints only)
//
// In stage 12 a block waits until its sum is visible, then for its ticket, and the last block reads
// all sums again. Here one atomicAdd adds the sum and takes the ticket. It returns the sum of the
// blocks with lower tickets, so the last block needs no fence and reads nothing else.
//
//   packed    63 ......... 32 | 31 .......... 0       atomicAdd(packed, sum << 32 | 1)
//             sum so far      | tickets taken         overflow of the sum leaves the word at bit 63
//
// The last block stores the result and resets the word for the next call. Look at: no store but
// the result and the word, and the time from a CUDA graph.
// make stage13 && ./stage13 -n 65536        make diff A=12 B=13
// Expect (cpu, 1048576): st_requests == 2
// Expect (sm_90, 16777216): graph_us <= 0.95 * stage12.graph_us
#include "sums.h"

using stage8::block_sum;
using tiles::thread_sum;

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads
#ifndef LOADS
#define LOADS 4   // vectors per thread before the first addition
#endif
#define WIDTH 4   // ints per vector

// Adds the block sums, which thread 0 of each block has, and stores the result in *out. *packed is
// zero before the first launch and after each launch.
__device__ void combine_packed(unsigned sum, unsigned *out, unsigned long long *packed)
{
    if (threadIdx.x != 0)
        return;
    unsigned long long before = atomicAdd(packed, ((unsigned long long)sum << 32) | 1);
    unsigned ticket = (unsigned)before, sum_before = before >> 32;

    if (ticket == gridDim.x - 1) {   // the last one
        *out = sum_before + sum;
        *packed = 0;
    }
}

__global__ void reduce(const unsigned *in, unsigned *out, long long n, unsigned long long *packed)
{
    unsigned sum = block_sum(thread_sum<BLOCK, LOADS>(in, n));

    combine_packed(sum, out, packed);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    if (type != TYPE_I32)   // reports why, and launches nothing
        return refuse("ints only: an integer atomic cannot add a packed float");

    const int tile = LOADS * BLOCK * WIDTH;   // elements of a block's tile
    int resident = BLOCKS_PER_SM * multiprocessors();
    int blocks = (int)min(ceil_div(n, tile), (long long)resident);
    unsigned long long *packed = (unsigned long long *)scratch(sizeof *packed);

    // as unsigned: signed overflow is undefined
    reduce<<<blocks, BLOCK>>>((const unsigned *)in, (unsigned *)out, n, packed);
}

// stage11: sum and ticket packed into one 64-bit atomic (ints only)
//
// In stage 10 a block waits until its sum is visible, then for its ticket, and the last block reads
// all sums again. Here one atomicAdd adds the sum and takes the ticket. It returns the sum of the
// blocks with lower tickets, so the last block needs no fence and reads nothing else.
//
//   packed    63 ......... 32 | 31 .......... 0       atomicAdd(packed, sum << 32 | 1)
//             sum so far      | tickets taken         overflow of the sum leaves the word at bit 63
//
// The last block stores the result and resets the word for the next call.
// make stage11 && ./stage11 -n 65536        make diff A=10 B=11
// Expect (cpu, 1048576): atomic_requests == stage9.atomic_requests
// Expect (sm_90, 65536): graph_us <= 0.7 * stage10.graph_us
// Expect (sm_90, 65536): graph_us <= 0.85 * ref_cub.graph_us
#include "reduction.h"

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads
#define LOADS 4

// Adds the block sums, which thread 0 of each block has, and stores the result in *out. The 8 bytes
// at `ticket` are zero before the first launch and after each launch.
__device__ void combine_blocks(unsigned sum, unsigned *out, unsigned *ticket, unsigned *)
{
    unsigned long long *packed = (unsigned long long *)ticket;

    if (threadIdx.x == 0) {
        unsigned long long before = atomicAdd(packed, (unsigned long long)sum << 32 | 1);
        if ((unsigned)before == gridDim.x - 1) {   // the last ticket
            *out = (unsigned)(before >> 32) + sum;
            *packed = 0;
        }
    }
}

__global__ void reduce(const unsigned *in, unsigned *out, long long n, unsigned *ticket)
{
    __shared__ unsigned warp_sums[32];
    unsigned sum = block_sum(thread_sum<BLOCK, LOADS>(in, n), warp_sums);   // as in stages 9 and 7

    combine_blocks(sum, out, ticket, warp_sums);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    if (type != TYPE_I32)
        return refuse("ints only: an integer atomic cannot add a packed float");
    long long tile = LOADS * BLOCK * 4;   // elements of a block's tile
    int blocks = (int)min((n - 1) / tile + 1, (long long)BLOCKS_PER_SM * multiprocessors());
    unsigned *ticket = (unsigned *)scratch(16);   // zero before the first call

    reduce<<<blocks, BLOCK>>>((const unsigned *)in, (unsigned *)out, n, ticket);
}

// stage10: single-pass reduction (last-block pattern)
//
// Stage 9 adds the block sums with atomicAdd, in any order, to a result that a memset has cleared.
// Here each block writes its sum and takes a ticket (0, 1, 2, ...). The block with the last ticket
// adds all sums in a fixed order: no memset, and the same bits in every run, also for floats.
//
//   block 0:  sums[0] = s0; fence; ticket 0
//   block 2:  sums[2] = s2; fence; ticket 1
//   block 1:  sums[1] = s1; fence; ticket 2, the last: fence; out = sum of sums[0] to sums[2]
//
// First fence: a block that sees the ticket sees the sum. Second fence: the sums are read after the
// ticket. Look at: the time in a CUDA graph, where the memset of stage 9 is a separate step.
// make stage10 && ./stage10 -n 65536        make diff A=9 B=10
// Expect (cpu, 1048576): kernels == 1
// Expect (sm_90, 65536): graph_us <= 0.95 * stage9.graph_us
#include "reduction.h"

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads
#define LOADS 4

// Adds the block sums, which thread 0 of each block has, and stores the result in *out. `ticket` is
// zero before the first launch and after each launch; the block sums follow 16 bytes after it.
template <class T> __device__ void combine_blocks(T sum, T *out, unsigned *ticket, T *warp_sums)
{
    T *sums = (T *)(ticket + 4);
    bool last = false;

    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();
        // returns the ticket; after the last one the counter wraps to 0, for the next call
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    if (!__syncthreads_or(last))
        return;
    __threadfence();

    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += BLOCK)
        sum += __ldcg(&sums[i]);   // bypasses L1, which is not coherent between SMs
    sum = block_sum(sum, warp_sums);
    if (threadIdx.x == 0)
        *out = sum;
}

template <class T> __global__ void reduce(const T *in, T *out, long long n, unsigned *ticket)
{
    __shared__ T warp_sums[32];
    T sum = block_sum(thread_sum<BLOCK, LOADS>(in, n), warp_sums);   // shown by 9 and 7

    combine_blocks(sum, out, ticket, warp_sums);
}

template <class T> void sum(const T *in, T *out, long long n)
{
    long long tile = LOADS * BLOCK * (16 / sizeof(T));   // elements of a block's tile
    int blocks = (int)min((n - 1) / tile + 1, (long long)BLOCKS_PER_SM * multiprocessors());
    unsigned *ticket = (unsigned *)scratch(16 + blocks * sizeof(T));   // zero before the first call

    reduce<<<blocks, BLOCK>>>(in, out, n, ticket);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n)
}

// stage12: single-pass reduction (last-block pattern)
//
// Stage 11 adds the block sums with atomicAdd, in any order, to a result that a memset has cleared.
// Here each block writes its sum and takes a ticket (0, 1, 2, ...). The block with the last ticket
// adds all sums in a fixed order: no memset, and the same bits in every run, also for floats.
//   block 0:  sums[0] = s0; fence; ticket 0
//   block 2:  sums[2] = s2; fence; ticket 1
//   block 1:  sums[1] = s1; fence; ticket 2, the last: fence; out = sum of sums[0] to sums[2]
//
// First fence: a block that sees the ticket sees the sum. Second fence: the sums are read after the
// ticket. Look at: at 2^24 a call takes 1 us longer than in stage 11 in a stream, 6 %. From a CUDA
// graph, with a step for the memset of stage 11, it takes as long at 2^24, and less at 2^16.
// make stage12 && ./stage12 -n 65536        make diff A=11 B=12
// Expect (cpu, 1048576): st_requests == atomic_requests + 1
// Expect (sm_90, 16777216): median_us >= 1.03 * stage11.median_us
// Expect (H200, 16777216): graph_us <= 1.03 * stage11.graph_us
#include "sums.h"

using stage8::block_sum;
using tiles::thread_sum;

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads
#define LOADS 4

// What the blocks share, in scratch memory.
template <class T> struct partial_sums {
    unsigned ticket;   // the next one; zero before the first launch and after each launch
    T sums[];          // one per block (flexible array member: as many as were allocated)
};

// Adds the block sums, which thread 0 of each block has, and stores the result in *out. All threads
// of all blocks call it.
template <class T> __device__ void combine_blocks(T sum, T *out, partial_sums<T> *partial)
{
    bool last = false;

    if (threadIdx.x == 0) {
        partial->sums[blockIdx.x] = sum;
        __threadfence();
        // returns the ticket; after the last one the counter wraps to 0, for the next call
        unsigned ticket = atomicInc(&partial->ticket, gridDim.x - 1);
        last = ticket == gridDim.x - 1;
    }
    if (!__syncthreads_or(last))   // a barrier; true in all threads if `last` is true in any
        return;
    __threadfence();

    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        sum += __ldcg(&partial->sums[i]);   // from L2, because L1s are not coherent
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

template <class T>
__global__ void reduce(const T *in, T *out, long long n, partial_sums<T> *partial)
{
    T sum = block_sum(thread_sum<BLOCK, LOADS>(in, n));

    combine_blocks(sum, out, partial);
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    const int tile = LOADS * BLOCK * (16 / sizeof(T));   // elements of a block's tile
    int resident = BLOCKS_PER_SM * multiprocessors();
    int blocks = (int)min(ceil_div(n, tile), (long long)resident);
    int bytes = sizeof(partial_sums<T>) + blocks * sizeof(T);

    reduce<<<blocks, BLOCK>>>(in, out, n, (partial_sums<T> *)scratch(bytes));
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

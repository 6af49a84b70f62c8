// exercise7: find the bug: the last block adds one sum per warp
//
// Task: do this after stage 12. Here every warp stores its own sum, and the block with the last
// ticket adds all of them. `./exercise7` reports that a fence is missing, although both are there;
// on a GPU the result is rarely wrong. Which threads store sums, which thread takes the ticket, and
// what orders the two? Correct it; keep one launch, and one sum per warp.
//
// Question: What does nothing order?
// a) The ticket of the last block before its reads of the sums.
// b) The store of warp 0's sum before the ticket of its block.
// c) The stores of the other warps' sums before the ticket of their block.
// d) The reset of the ticket before the next launch.
// Answer: c
//
// Hint: Stage 12 has one sum per block. Which thread stores it there, and which thread calls the
// first fence? Which threads store a sum here?
// Hint: A fence orders the accesses of the thread that calls it, and accesses of other threads that
// came before it, for example before a barrier. What orders the store of warp 5 before the ticket
// of thread 0?
// Hint: Thread 0 may take the ticket only after all warps of its block have stored their sums. What
// makes a thread wait for the other warps of its block?
//
// Points 3: correct
// Points 1: answer
// Points 5 (cpu, 1048576): kernels * st_requests == 129 and warp_ld_requests <= 257
// Points 1 (gpu, 268435456): rate >= 0.8 * ref_cub.rate
// Check (cpu, 1048577, sms=5)
// Check (cpu, 300007, sms=132)
#include "sums.h"

using stage12::partial_sums;
using stage8::block_sum;

namespace cg = cooperative_groups;

#define BLOCK 512
#define WARPS (BLOCK / 32)             // of a block
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads

// partial->sums: one per warp of the grid.
template <class T>
__global__ void reduce(const T *in, T *out, long long n, partial_sums<T> *partial)
{
    unsigned tid = threadIdx.x;
    bool last = false;

    T sum = 0;   // of elements one grid apart
    for (long long i = (long long)blockIdx.x * BLOCK + tid; i < n;
         i += (long long)gridDim.x * BLOCK)
        sum += in[i];

    sum = cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), sum, cg::plus<T>());
    if (tid % 32 == 0) {
        partial->sums[blockIdx.x * WARPS + tid / 32] = sum;
        __threadfence();   // the sum is visible before the ticket
    }
#ifdef SOLUTION
    __syncthreads();   // all warps of this block have stored their sums
#else
#endif
    if (tid == 0)   // the counter wraps to 0 after the last ticket
        last = atomicInc(&partial->ticket, gridDim.x - 1) == gridDim.x - 1;
    if (!__syncthreads_or(last))
        return;
    __threadfence();   // the sums are read after the ticket

    sum = 0;
    for (unsigned i = tid; i < gridDim.x * WARPS; i += BLOCK)
        sum += __ldcg(&partial->sums[i]);   // bypasses L1, which is not coherent between SMs
    sum = block_sum(sum);
    if (tid == 0)
        *out = sum;
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    int blocks = (int)min(ceil_div(n, BLOCK), (long long)BLOCKS_PER_SM * multiprocessors());
    int bytes = sizeof(partial_sums<T>) + blocks * WARPS * sizeof(T);

    reduce<<<blocks, BLOCK>>>(in, out, n, (partial_sums<T> *)scratch(bytes));
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

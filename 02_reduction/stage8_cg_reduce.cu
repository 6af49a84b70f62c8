// stage8: warp reduction by the library (cooperative groups) and by one instruction
//
// Stage 7 writes the five shuffles of a warp's sum itself. cg::reduce does the same for any group
// of threads (a warp, a part of one, the active lanes), and selects the instructions for the type:
//
//   unsigned, int    1 instruction, REDUX (sm_80): __reduce_add_sync(0xffffffff, sum)
//   float, double    5 shuffles, with __shfl_xor_sync: all lanes get the sum
//
// The operation is plus, less (the minimum), greater, bit_and, bit_or, bit_xor or your own.
// Look at: a fifth of stage 7's exchanges between lanes (ints; RESULTS.md has the machine code), no
// other change, and the same rate: the tree was not the limit.
// make stage8 && ./stage8        make diff A=7 B=8
// Expect (cpu, 1048576): exchanges == stage7.exchanges / 5
// Expect (cpu, 1048576, float): exchanges == stage7.exchanges
// Expect (sm_90, 16777216): rate >= 0.97 * stage7.rate
// Expect (sm_90, 16777216): rate <= 1.05 * stage7.rate
#include <cooperative_groups/reduce.h>

#include "reduction.h"

namespace cg = cooperative_groups;

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads

// Returns the sum over the block, in thread 0. All threads call it. Between two calls there must be
// a barrier, because both use warp_sums.
template <class T> __device__ T block_sum(T sum)
{
    __shared__ T warp_sums[32];   // a block has at most 32 warps
    int tid = threadIdx.x, warps = blockDim.x / 32;
    // this thread's warp, as a group of 32 threads; all threads of the block make it together
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());

    sum = cg::reduce(warp, sum, cg::plus<T>());   // plus<T>: the operator, a + b
    if (tid % 32 == 0)
        warp_sums[tid / 32] = sum;
    __syncthreads();
    if (tid >= 32)   // all but warp 0
        return 0;
    return cg::reduce(warp, tid < warps ? warp_sums[tid] : 0, cg::plus<T>());
}

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    T sum = 0;   // of elements one grid apart
    for (long long i = (long long)blockIdx.x * BLOCK + threadIdx.x; i < n;
         i += (long long)gridDim.x * BLOCK)
        sum += in[i];

    sum = block_sum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    int resident = BLOCKS_PER_SM * multiprocessors();
    int blocks = (int)min(ceil_div(n, BLOCK), (long long)resident);
    T *sums = (T *)scratch(blocks * sizeof(T));

    reduce<<<blocks, BLOCK>>>(in, sums, n);
    reduce<<<1, BLOCK>>>(sums, out, blocks);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

// stage7: warp shuffles. Lanes hand their sums to each other in registers; shared memory carries
// one sum a warp.
//
// Change: five __shfl_down_sync instead of the tree in shared memory, once in each warp and once
// over the sums of the warps. One barrier a block is left, where there were four. At large n what a
// block does after its loads hardly matters. For ints on compute capability 8.0 and later one
// instruction does what the five do, __reduce_add_sync: warp_sum in reduction.h takes it, and with
// it block_sum, which later stages call.
//
// make stage7 && ./stage7; make diff A=6 B=7
//
// Expect (cpu, 1048576): barriers <= stage6.barriers / 4
// Expect (cpu, 1048576): shared_requests <= stage6.shared_requests / 4
// Expect (sm_90, 16777216): rate <= 1.05 * stage6.rate
#include "reduction.h"

#ifndef BLOCK
#define BLOCK 512
#endif
#define BLOCKS_PER_SM (2048 / BLOCK)   // which is what fits, where an SM holds 2048 threads
static_assert(BLOCK >= 32 && BLOCK <= 1024 && (BLOCK & (BLOCK - 1)) == 0,
              "BLOCK must be a power of two from 32 to 1024");

// The sum over a warp, in its first lane.
template <class T> __device__ T warp_reduce(T sum)
{
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    return sum;
}

template <class T, unsigned block_size> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[32];

    unsigned tid = threadIdx.x;
    T sum = 0;
    for (long long i = (long long)blockIdx.x * block_size + tid; i < n;
         i += (long long)gridDim.x * block_size)
        sum += in[i];

    sum = warp_reduce(sum);
    if (tid % 32 == 0)
        sdata[tid / 32] = sum;
    __syncthreads();
    if (tid >= 32)
        return;
    sum = warp_reduce(tid < block_size / 32 ? sdata[tid] : 0);
    if (tid == 0)
        out[blockIdx.x] = sum;
}

template <class T> void sum(const T *in, T *out, long long n)
{
    int blocks = (int)min(ceil_div(n, BLOCK), (long long)BLOCKS_PER_SM * multiprocessors());
    T *sums = (T *)scratch(blocks * sizeof(T));

    reduce<T, BLOCK><<<blocks, BLOCK>>>(in, sums, n);
    reduce<T, BLOCK><<<1, BLOCK>>>(sums, out, blocks);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n)
}

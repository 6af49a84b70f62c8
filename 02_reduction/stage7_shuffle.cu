// stage7: warp shuffle reduction
//
// Stage 6 passes the sums of the tree through shared memory, with 4 barriers per block. Here lanes
// exchange sums in registers. Shared memory holds one sum per warp, and one barrier is left.
//
//   __shfl_down_sync(mask, sum, 16):  lane 0 += lane 16, lane 1 += lane 17, ... then 8, 4, 2, 1
//
//   16 warps: 32 lanes -> 1 sum each -> sdata[0..15]   barrier   warp 0: 16 sums -> 1
//
// On large arrays the rate stays the same: the tree was no longer the limit. Later stages call
// block_sum in reduction.h, which does this; for ints it uses one __reduce_add_sync (sm_80).
// make stage7 && ./stage7        make diff A=6 B=7
// Expect (cpu, 1048576): barriers <= stage6.barriers / 4
// Expect (cpu, 1048576): shared_requests <= stage6.shared_requests / 3
// Expect (sm_90, 16777216): rate <= 1.05 * stage6.rate
#include "reduction.h"

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads

// Returns the sum over a warp, in lane 0. After the step with distance s, lane l < s has the sum of
// the lanes l, l + s, l + 2 s, ...
template <class T> __device__ T warp_reduce(T sum)
{
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    return sum;
}

template <class T, unsigned block_size> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[32];   // one sum per warp; a block has at most 32 warps

    unsigned tid = threadIdx.x;
    T sum = 0;   // of elements gridDim.x * block_size apart
    for (long long i = (long long)blockIdx.x * block_size + tid; i < n;
         i += (long long)gridDim.x * block_size)
        sum += in[i];

    sum = warp_reduce(sum);
    if (tid % 32 == 0)
        sdata[tid / 32] = sum;
    __syncthreads();
    if (tid >= 32)   // all but warp 0
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

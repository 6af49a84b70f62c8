// stage7: warp shuffle reduction
//
// Stage 6 passes the sums of the tree through shared memory, with 4 barriers per block. Here lanes
// exchange sums in registers. Shared memory holds one sum per warp, and one barrier is left.
//
//   __shfl_down_sync(mask, sum, 16):  lane 0 += lane 16, lane 1 += lane 17, ... then 8, 4, 2, 1
//
//   16 warps: 32 lanes -> 1 sum each -> warp_sums[0..15]   barrier   warp 0: 16 sums -> 1
//
// The mask names the lanes that take part: all 32. Code of today goes from stage 3 to this tree.
// Look at: 1 barrier per block instead of 4, at the same rate: the tree was not the limit.
// make stage7 && ./stage7        make diff A=6 B=7
// Expect (cpu, 1048576): barriers <= stage6.barriers / 4
// Expect (cpu, 1048576): shared_requests <= stage6.shared_requests / 3
// Expect (sm_90, 16777216): rate <= 1.05 * stage6.rate
// Expect (sm_90, 16777216): rate >= 0.97 * stage6.rate
#include "reduction.h"

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads

// Returns the sum over a warp, in lane 0. All 32 lanes call it. After the step with distance s,
// lane l < s has the sum of the lanes l, l + s, l + 2 s, ...
template <class T> __device__ T warp_sum(T sum)
{
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);   // the sum of the lane s above
    return sum;
}

// Returns the sum over the block, in thread 0. All threads call it. Between two calls there must be
// a barrier, because both use warp_sums.
template <class T> __device__ T block_sum(T sum)
{
    __shared__ T warp_sums[32];   // a block has at most 32 warps
    int tid = threadIdx.x, warps = blockDim.x / 32;

    sum = warp_sum(sum);
    if (tid % 32 == 0)
        warp_sums[tid / 32] = sum;
    __syncthreads();
    if (tid >= 32)   // all but warp 0
        return 0;
    return warp_sum(tid < warps ? warp_sums[tid] : 0);
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

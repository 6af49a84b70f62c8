// stage6: grid-stride loop (one tree per resident block)
//
// Stages 0 to 5 start a block, with its tree and barriers, for every 512 or 1024 elements. Here the
// grid has only as many blocks as are resident at a time: 4 blocks of 512 threads per SM. Each
// thread sums elements one grid apart in a register, and each block has one tree at the end.
//
//   in       | block 0 | block 1 | ... | last block | block 0 | block 1 | ...
//   thread t of block 0:  in[t]    +     in[grid + t]    +    in[2 grid + t]   + ...
//
// The second launch is one block. Look at: shared-memory requests, 1 % of stage 5's. The slides'
// ladder ends here.
// make stage6 && ./stage6        make diff A=5 B=6
// Expect (cpu, 1048576): shared_requests <= stage5.shared_requests / 100
// Expect (sm_90, 16777216): rate >= 1.6 * stage5.rate
#include "reduction.h"

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads

// Returns the sum of sdata[0] to sdata[63], in lane 0. All lanes of warp 0 call it with their word.
template <class T, unsigned block_size> __device__ T warp_reduce(T *sdata, T sum, unsigned tid)
{
    static_assert(block_size >= 64, "warp_reduce adds 64 words");
    for (unsigned s = 32; s > 0; s /= 2) {
        sum += sdata[tid + s];
        __syncwarp();
        sdata[tid] = sum;
        __syncwarp();
    }
    return sum;
}

template <class T, unsigned block_size> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[block_size];

    unsigned tid = threadIdx.x;
    T sum = 0;   // of elements gridDim.x * block_size apart
    for (long long i = (long long)blockIdx.x * block_size + tid; i < n;
         i += (long long)gridDim.x * block_size)
        sum += in[i];
    sdata[tid] = sum;
    __syncthreads();

#pragma unroll
    for (unsigned s = block_size / 2; s > 32; s /= 2) {
        if (tid < s)
            sdata[tid] = sum = sum + sdata[tid + s];
        __syncthreads();
    }

    if (tid < 32)   // warp 0
        sum = warp_reduce<T, block_size>(sdata, sum, tid);
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

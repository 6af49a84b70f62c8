// stage6: grid-stride loop (one tree per resident block)
//
// Stages 0 to 5 start a block for every 512 or 1024 elements, and each block has a tree with its
// barriers. Here the grid has only as many blocks as are resident at a time: 4 of 512 threads per
// SM. A thread sums elements one grid apart (grid = number of threads), then its block has a tree.
//
//   in       | block 0 | block 1 | ... | last block | block 0 | block 1 | ...
//   thread t of block 0:  in[t]    +     in[grid + t]    +    in[2 grid + t]   + ...
//
// So there are fewer block starts and trees. And more loads in flight, because nvcc unrolls the
// loop: 9 per thread (72 KiB per SM), in stage 5 it has 2 (16 KiB). Look at: shared requests, which
// are those of the trees. UNROLL=1 has as few blocks and trees, and one load in flight.
// make stage6 && ./stage6        make diff A=5 B=6        make stage6 UNROLL=1
// Expect (cpu, 1048576): shared_requests <= 0.52 * stage5.shared_requests
// Expect (sm_90, 16777216): rate >= 1.4 * stage5.rate
// Expect (H200, 1073741824): stage6[UNROLL=1].rate <= 0.7 * rate
#include "reduction.h"

#ifndef UNROLL
#define UNROLL 0   // passes of the loop over the array per jump back; 0: nvcc decides (16)
#endif
#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads

// Returns the sum of sdata[0], ..., sdata[63] in lane 0. All 32 lanes of warp 0 call it, each with
// sum = sdata[tid]. It overwrites sdata[0] to sdata[31].
template <class T> __device__ T warp_reduce(T sum, T *sdata, unsigned tid)
{
    for (unsigned s = 32; s > 0; s /= 2) {
        sum += sdata[tid + s];
        __syncwarp();
        sdata[tid] = sum;
        __syncwarp();
    }
    return sum;
}

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[BLOCK];

    unsigned tid = threadIdx.x;
    T sum = 0;   // of elements one grid apart
#if UNROLL
    enum { PASSES = UNROLL };
#pragma unroll PASSES
#endif
    for (long long i = (long long)blockIdx.x * BLOCK + tid; i < n;
         i += (long long)gridDim.x * BLOCK)
        sum += in[i];
    sdata[tid] = sum;
    __syncthreads();

#pragma unroll
    for (unsigned s = BLOCK / 2; s > 32; s /= 2) {
        if (tid < s)
            sdata[tid] = sum = sum + sdata[tid + s];   // sum equals sdata[tid]
        __syncthreads();
    }

    if (tid < 32)   // warp 0
        sum = warp_reduce(sum, sdata, tid);
    if (tid == 0)
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

// Week 2. The contract of a stage: out[0] = sum of in[0] to in[n - 1].
//
//   in   n elements in device memory, 256-byte aligned
//   out  one element, likewise; it is not part of `in`
//
// Any n from 1 to 2^40, unless the stage refuses it. Work goes to cudaStreamPerThread, which is
// what <<<grid, block>>> uses here. The elements are int, float or double, as `type` says. Sums of
// int wrap around and must be exact. The others may be added up in any order.
#ifndef REDUCTION_H
#define REDUCTION_H

#include <limits.h>

#include "../common/stage/stage.h"

EXTERN_C void reduction(const void *in, void *out, long long n, enum type type);

#ifdef __cplusplus
// Calls a stage's template sum(in, out, n) for the type of the elements. ints become unsigned: the
// same bits, and signed overflow is undefined behavior.
#define BY_TYPE(type, sum, in, out, n)                                       \
    switch (type) {                                                          \
    case TYPE_I32: return sum((const unsigned *)(in), (unsigned *)(out), n); \
    case TYPE_F32: return sum((const float *)(in), (float *)(out), n);       \
    case TYPE_F64: return sum((const double *)(in), (double *)(out), n);     \
    default: return refuse("sums are of int, float or double");              \
    }

// Returns the sum over a warp, in its first lane at least. All 32 lanes call it. Stage 7 shows how;
// later stages use this one.
template <class T> __device__ inline T warp_sum(T sum)
{
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}
#if defined EMU_CPU_DEVICE || !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
template <> __device__ inline unsigned warp_sum(unsigned sum)
{
    return __reduce_add_sync(0xffffffff, sum);
}
#endif

// Returns the sum over the block, in its first thread, as in stage 7. All threads call it, with 32
// elements of shared memory. Two calls that use the same elements need a barrier in between.
template <class T> __device__ inline T block_sum(T sum, T *shared)
{
    int warps = blockDim.x / 32, i = threadIdx.x;

    sum = warp_sum(sum);
    if (i % 32 == 0)
        shared[i / 32] = sum;
    __syncthreads();
    return i < 32 ? warp_sum(i < warps ? shared[i] : T(0)) : 0;
}

// Sixteen bytes of elements: the most that a thread loads with one instruction.
template <class T> struct sixteen;
template <> struct sixteen<unsigned> {
    typedef uint4 bytes;
};
template <> struct sixteen<float> {
    typedef float4 bytes;
};
template <> struct sixteen<double> {
    typedef double2 bytes;
};

__device__ inline unsigned add_up(uint4 v) { return (v.x + v.y) + (v.z + v.w); }
__device__ inline float add_up(float4 v) { return (v.x + v.y) + (v.z + v.w); }
__device__ inline double add_up(double2 v) { return v.x + v.y; }

// Adds up the sums of the blocks into *out, in the last block to finish (single-pass reduction).
// All threads of all blocks call it, with the block's sum in the first thread. `shared` is as for
// block_sum. `word` points to 8 bytes that are zero before the first launch and after each launch,
// and to room for the sums of all blocks behind them. As in stage 11 for ints, as in stage 10 for
// the other types.
__device__ inline void combine(unsigned sum, unsigned *out, unsigned long long *word, unsigned *)
{
    if (threadIdx.x != 0)
        return;
    unsigned long long before = atomicAdd(word, (unsigned long long)sum << 32 | 1);
    if ((unsigned)before == gridDim.x - 1) {
        *out = (unsigned)(before >> 32) + sum;
        *word = 0;
    }
}
template <class T>
__device__ inline void combine(T sum, T *out, unsigned long long *word, T *shared)
{
    T *sums = (T *)(word + 1);
    bool last = false;

    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc((unsigned *)word, gridDim.x - 1) == gridDim.x - 1;
    }
    if (!__syncthreads_or(last))
        return;
    __threadfence();
    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        sum += __ldcg(&sums[i]);
    sum = block_sum(sum, shared);
    if (threadIdx.x == 0)
        *out = sum;
}
#endif

#endif

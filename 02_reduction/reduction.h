// Week 2. The contract of a stage: out[0] = sum of in[0] to in[n - 1].
//
//   in   n elements in device memory, 256-byte aligned
//   out  one element, likewise; it is no part of `in`
//
// Any n from 1 to 2^40, unless the stage refuses it. Work goes to cudaStreamPerThread, which is
// what <<<grid, block>>> uses here. The elements are int, float or double, as `type` says. Sums of
// int wrap round, and are right to the bit; the others may be added up in any order.
#ifndef REDUCTION_H
#define REDUCTION_H

#include <limits.h>

#include "../common/stage/stage.h"

EXTERN_C void reduction(const void *in, void *out, long long n, enum type type);

#ifdef __cplusplus
// Calls a stage's sum(in, out, n), a template, for the type of the elements. ints come as unsigned:
// the same bits, and C lets only those wrap.
#define BY_TYPE(type, sum, in, out, n)                                       \
    switch (type) {                                                          \
    case TYPE_I32: return sum((const unsigned *)(in), (unsigned *)(out), n); \
    case TYPE_F32: return sum((const float *)(in), (float *)(out), n);       \
    case TYPE_F64: return sum((const double *)(in), (double *)(out), n);     \
    default: return refuse("sums are of int, float or double");              \
    }

// The sum over a warp, in its first lane at least. All 32 lanes call it. Stage 7 shows how; stages
// after it take it from here.
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

// The sum over the block, in its first thread, as in stage 7. All threads call it, with 32 elements
// of shared memory; two calls that share them have a barrier between.
template <class T> __device__ inline T block_sum(T sum, T *shared)
{
    int warps = blockDim.x / 32, i = threadIdx.x;

    sum = warp_sum(sum);
    if (i % 32 == 0)
        shared[i / 32] = sum;
    __syncthreads();
    return i < 32 ? warp_sum(i < warps ? shared[i] : T(0)) : 0;
}

// Sixteen bytes of elements: what one load of a thread takes at most.
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

// The blocks' sums into *out, by the block that comes last. All threads of all blocks call it, with
// the block's sum in the first; `shared` as for block_sum; `word` are 8 bytes that are zero before
// the first launch, and after each, with room for the sums of all blocks behind. As in stage 11 for
// ints, as in stage 10 for the others.
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

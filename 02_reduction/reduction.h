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

// Returns the sum over a warp, in lane 0. All 32 lanes call it. Stage 7 shows it as warp_reduce.
template <class T> __device__ inline T warp_sum(T sum)
{
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    return sum;
}
#if defined EMU_CPU_DEVICE || !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
template <> __device__ inline unsigned warp_sum(unsigned sum)
{
    return __reduce_add_sync(0xffffffff, sum);
}
#endif

// Returns the sum over the block, in thread 0; stage 7 shows how. All threads call it, with 32
// elements of shared memory. Two calls with the same elements need a barrier between them.
template <class T> __device__ inline T block_sum(T sum, T *warp_sums)
{
    int warps = blockDim.x / 32, tid = threadIdx.x;

    sum = warp_sum(sum);
    if (tid % 32 == 0)
        warp_sums[tid / 32] = sum;
    __syncthreads();
    return tid < 32 ? warp_sum(tid < warps ? warp_sums[tid] : T(0)) : 0;
}

// A vector of 16 bytes: the most that a thread loads with one instruction.
template <class T> struct vec16;
template <> struct vec16<unsigned> {
    typedef uint4 type;
};
template <> struct vec16<float> {
    typedef float4 type;
};
template <> struct vec16<double> {
    typedef double2 type;
};

__device__ inline unsigned horizontal_sum(uint4 v) { return (v.x + v.y) + (v.z + v.w); }
__device__ inline float horizontal_sum(float4 v) { return (v.x + v.y) + (v.z + v.w); }
__device__ inline double horizontal_sum(double2 v) { return v.x + v.y; }

// A knob of a stage (make stage9 LOADS=2) is a macro from the first line on. Below, BLOCK and LOADS
// are template parameters.
#pragma push_macro("BLOCK")
#pragma push_macro("LOADS")
#undef BLOCK
#undef LOADS

// Returns the sum of this thread's elements. In each pass of the grid-stride loop a block loads a
// tile of LOADS * BLOCK vectors; the thread loads LOADS of them, BLOCK apart. Stage 9 shows it.
template <int BLOCK, int LOADS, class T> __device__ inline T thread_sum(const T *in, long long n)
{
    typedef typename vec16<T>::type vector;       // 16 bytes
    const int per = sizeof(vector) / sizeof(T);   // elements per vector
    long long vectors = n / per, i = (long long)blockIdx.x * (LOADS * BLOCK) + threadIdx.x;
    // block 0 also sums the n % per elements after the last vector
    T sum = blockIdx.x == 0 && threadIdx.x < n % per ? in[vectors * per + threadIdx.x] : 0;

    for (; i < vectors; i += (long long)gridDim.x * (LOADS * BLOCK)) {
        vector v[LOADS] = {};   // zero past the end
        for (int k = 0; k < LOADS; k++)
            if (i + k * BLOCK < vectors)
                v[k] = ((const vector *)in)[i + k * BLOCK];
        for (int k = 0; k < LOADS; k++)
            sum += horizontal_sum(v[k]);
    }
    return sum;
}

// Single-pass reduction: adds the block sums, which thread 0 of each block has, and stores the
// result in *out. All threads of all blocks call it. The 16 bytes at `ticket` are zero before the
// first launch and after each launch; room for one sum per block follows. Stage 10 shows it; for
// ints, stage 11.
template <int BLOCK, class T>
__device__ inline void combine_blocks(T sum, T *out, unsigned *ticket, T *warp_sums)
{
    T *sums = (T *)(ticket + 4);
    bool last = false;

    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();
        // returns the ticket; after the last one the counter wraps to 0, for the next call
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    if (!__syncthreads_or(last))
        return;
    __threadfence();

    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += BLOCK)
        sum += __ldcg(&sums[i]);   // bypasses L1, which is not coherent between SMs
    sum = block_sum(sum, warp_sums);
    if (threadIdx.x == 0)
        *out = sum;
}
template <int BLOCK>
__device__ inline void combine_blocks(unsigned sum, unsigned *out, unsigned *ticket, unsigned *)
{
    unsigned long long *packed = (unsigned long long *)ticket;

    if (threadIdx.x == 0) {
        unsigned long long before = atomicAdd(packed, (unsigned long long)sum << 32 | 1);
        if ((unsigned)before == gridDim.x - 1) {   // the last ticket
            *out = (unsigned)(before >> 32) + sum;
            *packed = 0;
        }
    }
}
#pragma pop_macro("LOADS")
#pragma pop_macro("BLOCK")
#endif

#endif

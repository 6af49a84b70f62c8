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

#include "../common/stage/stage.h"

#ifdef __cplusplus
#include <cooperative_groups/reduce.h>
#endif

EXTERN_C void reduction(const void *in, void *out, long long n, enum type type);

#ifdef __cplusplus
// Calls a stage's template sum(in, out, n) for the type of the elements. ints become unsigned: the
// same bits, and signed overflow is undefined behavior.
#define BY_TYPE(type, sum, in, out, n)                                       \
    switch (type) {                                                          \
    case TYPE_I32: sum((const unsigned *)(in), (unsigned *)(out), n); break; \
    case TYPE_F32: sum((const float *)(in), (float *)(out), n); break;       \
    case TYPE_F64: sum((const double *)(in), (double *)(out), n); break;     \
    default: refuse("sums are of int, float or double");                     \
    }

// What follows is shown by a stage and used by later ones. Each namespace is named after the stage
// that shows its contents, and has the same text. A stage names what it uses:
// `using stage8::block_sum;`.

namespace stage8 {
namespace cg = cooperative_groups;

// Returns the sum over a warp. All 32 lanes call it, and all get the sum.
template <class T> __device__ inline T warp_sum(T sum)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    return cg::reduce(warp, sum, cg::plus<T>());
}

// Returns the sum over the block, in thread 0. All threads call it. A barrier must separate two
// calls, which use the same shared memory.
template <class T> __device__ inline T block_sum(T sum)
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
}   // namespace stage8

namespace stage10 {
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

// The sum of a vector's elements.
__device__ inline unsigned horizontal_sum(uint4 v) { return (v.x + v.y) + (v.z + v.w); }
__device__ inline float horizontal_sum(float4 v) { return (v.x + v.y) + (v.z + v.w); }
__device__ inline double horizontal_sum(double2 v) { return v.x + v.y; }
}   // namespace stage10

namespace stage11 {
using stage10::horizontal_sum;
using stage10::vec16;

// Returns the sum of this thread's elements. In each pass of the grid-stride loop a block loads a
// tile of loads * threads vectors; the thread loads `loads` of them, `threads` apart.
template <int threads, int loads, class T> __device__ inline T thread_sum(const T *in, long long n)
{
    typedef typename vec16<T>::type vector;
    const int width = sizeof(vector) / sizeof(T);   // elements per vector
    const int tile = loads * threads;
    long long vectors = n / width, thread = (long long)blockIdx.x * threads + threadIdx.x;

    T sum = 0;
#pragma unroll 1   // otherwise nvcc unrolls this loop, too, and keeps fewer loads in flight
    for (long long i = (long long)blockIdx.x * tile + threadIdx.x; i < vectors;
         i += (long long)gridDim.x * tile) {
        vector v[loads] = {};   // zero past the end
        for (int k = 0; k < loads; k++)
            if (i + k * threads < vectors)
                v[k] = ((const vector *)in)[i + k * threads];
        for (int k = 0; k < loads; k++)
            sum += horizontal_sum(v[k]);
    }
    if (thread < n % width)   // the elements after the last vector
        sum += in[vectors * width + thread];
    return sum;
}
}   // namespace stage11

namespace stage12 {
using stage8::block_sum;

// What the blocks share, in scratch memory.
template <class T> struct partial_sums {
    unsigned ticket;   // the next one; zero before the first launch and after each launch
    T sums[];          // one per block
};

// Adds the block sums, which thread 0 of each block has, and stores the result in *out. All threads
// of all blocks call it.
template <class T> __device__ inline void combine_blocks(T sum, T *out, partial_sums<T> *partial)
{
    bool last = false;

    if (threadIdx.x == 0) {
        partial->sums[blockIdx.x] = sum;
        __threadfence();
        // returns the ticket; after the last one the counter wraps to 0, for the next call
        unsigned ticket = atomicInc(&partial->ticket, gridDim.x - 1);
        last = ticket == gridDim.x - 1;
    }
    if (!__syncthreads_or(last))
        return;
    __threadfence();

    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        sum += __ldcg(&partial->sums[i]);   // bypasses L1, which is not coherent between SMs
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}
}   // namespace stage12

namespace stage13 {
// Adds the block sums, which thread 0 of each block has, and stores the result in *out. *packed is
// zero before the first launch and after each launch.
__device__ inline void combine_packed(unsigned sum, unsigned *out, unsigned long long *packed)
{
    if (threadIdx.x != 0)
        return;
    unsigned long long before = atomicAdd(packed, (unsigned long long)sum << 32 | 1);
    unsigned ticket = (unsigned)before, sum_before = before >> 32;

    if (ticket == gridDim.x - 1) {   // the last one
        *out = sum_before + sum;
        *packed = 0;
    }
}
}   // namespace stage13
#endif

#endif

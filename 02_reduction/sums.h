// Functions that stages 8 to 13 show and later stages use. Each namespace is named after the stage
// that shows its contents, and has the same text, plus `inline`. A stage names what it uses:
// `using stage8::block_sum;`. nvcc takes three times as long with the header of cg::reduce, so
// stages that need none of these functions include only reduction.h.
#ifndef SUMS_H
#define SUMS_H

#include <cooperative_groups/reduce.h>

#include "reduction.h"

namespace stage8 {
namespace cg = cooperative_groups;

// Returns the sum over the block, in thread 0. All threads call it. Between two calls there must be
// a barrier, because both use warp_sums.
template <class T> __device__ inline T block_sum(T sum)
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
}   // namespace stage8

namespace stage10 {
// A vector of 16 bytes, the most that a thread loads with one instruction: 4 ints or floats, 2
// doubles. alignas(16): its address is a multiple of 16, which such an instruction needs.
template <class T> struct alignas(16) vec16 {
    T e[16 / sizeof(T)];
};

// The sum of a vector's elements.
template <class T> __device__ inline T vector_sum(vec16<T> v)
{
    T sum = v.e[0];
    for (int k = 1; k < (int)(16 / sizeof(T)); k++)
        sum += v.e[k];
    return sum;
}
}   // namespace stage10

// thread_sum as stage 11 shows it, and one thing more: `load` loads a vector, of the tile that
// starts at vector `first`.
namespace tiles {
using stage10::vec16;
using stage10::vector_sum;

struct plain_load {
    template <class V> __device__ V operator()(const V *from, long long) const { return *from; }
};

template <int threads, int loads, class T, class L = plain_load>
__device__ inline T thread_sum(const T *in, long long n, L load = L())
{
    const vec16<T> *vectors = (const vec16<T> *)in;
    const int width = 16 / sizeof(T), tile = loads * threads;
    long long count = n / width, grid = (long long)gridDim.x * tile;
    long long id = (long long)blockIdx.x * threads + threadIdx.x;   // of this thread

    T sum = 0;
    // first: the first vector of the block's tile, i: the first one of this thread
#pragma unroll 1   // no more than `loads` vectors before the first addition
    for (long long first = (long long)blockIdx.x * tile; first < count; first += grid) {
        long long i = first + threadIdx.x;
        vec16<T> v[loads] = {};   // zero past the end
        for (int k = 0; k < loads; k++)
            if (i + k * threads < count)
                v[k] = load(&vectors[i + k * threads], first);
        for (int k = 0; k < loads; k++)
            sum += vector_sum(v[k]);
    }
    if (id < n % width)   // the elements after the last vector
        sum += in[count * width + id];
    return sum;
}
}   // namespace tiles

namespace stage12 {
using stage8::block_sum;

// What the blocks share, in scratch memory.
template <class T> struct partial_sums {
    unsigned ticket;   // the next one; zero before the first launch and after each launch
    T sums[];          // one per block (flexible array member: as many as were allocated)
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
    if (!__syncthreads_or(last))   // a barrier; true in all threads if `last` is true in any
        return;
    __threadfence();

    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        sum += __ldcg(&partial->sums[i]);   // from L2, because L1s are not coherent
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
    unsigned long long before = atomicAdd(packed, ((unsigned long long)sum << 32) | 1);
    unsigned ticket = (unsigned)before, sum_before = before >> 32;

    if (ticket == gridDim.x - 1) {   // the last one
        *out = sum_before + sum;
        *packed = 0;
    }
}
}   // namespace stage13

#endif

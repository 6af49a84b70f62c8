// stage11: contiguous tile (several loads from one address)
//
// The vectors of a thread of stage 10 are one grid apart: each has an address of its own, in two
// registers, and nvcc adds the first one before it loads the third. Here a block loads a contiguous
// tile of LOADS rows. A thread's vectors are one block apart, a constant: one address, and offsets.
//
//   a pass of stage 10:   | block 0 | block 1 | ... | last block |   LOADS times, one grid apart
//   a pass of stage 11:   | block 0: BLOCK | BLOCK | BLOCK | BLOCK | block 1: BLOCK | ...
//
// Look at: `make sass STAGES=stage11`: LDG.E.128 [R20], [R20+0x2000], [R20+0x4000], [R20+0x6000];
// fewer registers. Only the order of the vectors changes; with LOADS=1 both are the same.
// make stage11 && ./stage11        make diff A=10 B=11        make stage11 LOADS=1
// Expect (sm_90, 16777216): regs <= stage10.regs - 4
// Expect (H200, 16777216): stage11[LOADS=8].rate >= 1.05 * stage10[LOADS=8].rate
// Expect (H200, 16777216): stage11[LOADS=4].rate >= 1.01 * stage10[LOADS=4].rate
// Expect (H200, 16777216): stage11[LOADS=1].rate <= 0.97 * stage11[LOADS=4].rate
#include "sums.h"

using stage10::vec16;
using stage10::vector_sum;
using stage8::block_sum;

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads
#ifndef LOADS
#define LOADS 4   // vectors per thread before the first addition
#endif

// Returns the sum of this thread's elements. In each pass of the grid-stride loop a block loads a
// tile of loads * threads vectors; the thread loads `loads` of them, `threads` apart. Both are
// constants: then nvcc unrolls the loops over k, and v is in registers.
template <int threads, int loads, class T> __device__ T thread_sum(const T *in, long long n)
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
                v[k] = vectors[i + k * threads];
        for (int k = 0; k < loads; k++)
            sum += vector_sum(v[k]);
    }
    if (id < n % width)   // the elements after the last vector
        sum += in[count * width + id];
    return sum;
}

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    T sum = block_sum(thread_sum<BLOCK, LOADS>(in, n));

    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    const int tile = LOADS * BLOCK * (16 / sizeof(T));   // elements of a block's tile
    int resident = BLOCKS_PER_SM * multiprocessors();
    int blocks = (int)min(ceil_div(n, tile), (long long)resident);

    // in the stream of <<<>>>, so it runs before reduce
    cudaMemsetAsync(out, 0, sizeof *out, cudaStreamPerThread);
    reduce<<<blocks, BLOCK>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

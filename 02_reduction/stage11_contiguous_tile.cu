// stage11: contiguous tile (several loads from one address)
//
// The vectors of a thread of stage 10 are one grid apart: each has an address of its own, and nvcc
// loads two of them before it adds the first. Here a block loads a contiguous tile of LOADS rows.
// A thread's vectors are one block apart: one address and constants. It loads all before it adds.
//
//   a pass of stage 10:   | block 0 | block 1 | ... | last block |
//   a pass of stage 11:   | block 0: BLOCK | BLOCK | BLOCK | BLOCK | block 1: BLOCK | ...
//
// Look at: `make sass STAGES=stage11`: LDG.E.128 [R20], [R20+0x2000], [R20+0x4000], [R20+0x6000].
// CONTIGUOUS=0 has as many loads per pass, one grid apart: slower.
// make stage11 && ./stage11        make diff A=10 B=11        make stage11 CONTIGUOUS=0
// Expect (cpu, 1048576): warp_ld_requests == 4 * stage10.warp_ld_requests
// Expect (sm_90, 16777216): rate >= 1.02 * stage10.rate
// Expect (H200, 16777216): stage11[CONTIGUOUS=0 LOADS=4].rate <= 0.98 * rate
// Expect (H200, 1073741824): stage11[CONTIGUOUS=0 LOADS=4].rate <= 0.995 * rate
#include "sums.h"

using stage10::vec16;
using stage10::vector_sum;
using stage8::block_sum;

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads
#ifndef LOADS
#define LOADS 4   // vectors per thread before the first addition
#endif
#ifndef CONTIGUOUS
#define CONTIGUOUS 1   // 0: the vectors of a thread are one grid apart, not one block
#endif

// Returns the sum of this thread's elements. In each pass of the grid-stride loop a block loads a
// tile of loads * threads vectors; the thread loads `loads` of them, `threads` apart. Both are
// constants: then nvcc unrolls the loops over k, and v is in registers. Without `contiguous`, the
// vectors of a thread are one grid apart, as in stage 10.
template <int threads, int loads, bool contiguous = true, class T>
__device__ T thread_sum(const T *in, long long n)
{
    const vec16<T> *vectors = (const vec16<T> *)in;
    const int width = 16 / sizeof(T), tile = loads * threads;
    long long count = n / width, grid = (long long)gridDim.x * tile;
    long long id = (long long)blockIdx.x * threads + threadIdx.x;   // of this thread
    long long apart = contiguous ? threads : grid / loads;          // vectors of a pass

    T sum = 0;
    // first: the first vector of the block in this pass, i: the first one of this thread
#pragma unroll 1
    for (long long first = (long long)blockIdx.x * (contiguous ? tile : threads); first < count;
         first += grid) {
        long long i = first + threadIdx.x;
        vec16<T> v[loads] = {};   // zero past the end
        for (int k = 0; k < loads; k++)
            if (i + k * apart < count)
                v[k] = vectors[i + k * apart];
        for (int k = 0; k < loads; k++)
            sum += vector_sum(v[k]);
    }
    if (id < n % width)   // the elements after the last vector
        sum += in[count * width + id];
    return sum;
}

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    T sum = block_sum(thread_sum<BLOCK, LOADS, CONTIGUOUS>(in, n));

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

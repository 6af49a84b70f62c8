// stage11: several loads in flight per thread
//
// Rate = bytes in flight / latency (Little's law). nvcc unrolls the loop of stage 10, but loads
// only two vectors of ints before it adds the first. Here a thread loads LOADS = 4 first.
//
//   in flight per SM:   stage 10   16 B x 2 loads x 2048 threads =  64 KiB
//                       stage 11   16 B x 4 loads x 2048 threads = 128 KiB
//
//   tile of a block, in vectors:   | BLOCK | BLOCK | BLOCK | BLOCK |     thread t: vector t of each
//
// Look at: `make sass STAGES=stage11`, four loads (LDG.E.128) before the first addition. The rate
// rises, but most of it with LOADS=2, too: more bytes in flight gain little (part 4).
// make stage11 && ./stage11        make diff A=10 B=11        make stage11 LOADS=1
// Expect (cpu, 1048576): warp_ld_requests == 4 * stage10.warp_ld_requests
// Expect (sm_90, 16777216): rate >= 1.02 * stage10.rate
// Expect (H200, 1073741824): stage11[LOADS=2].rate >= 0.99 * stage11[LOADS=4].rate
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

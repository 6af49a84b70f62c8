// stage9: vector loads and more bytes in flight
//
// Rate = bytes in flight / latency (Little's law). A load of stage 8 is 4 bytes (int). Here it is a
// vector of 16 bytes, and LOADS = 4 loads are issued before the first is used.
//
//   in flight per SM, as the source says:
//   stage 8    4 B x 1 load  x 2048 threads =   8 KB
//   stage 9   16 B x 4 loads x 2048 threads = 128 KB      CUB asks for 48 KB per SM on an H200
//
//   tile of a block, in vectors:   | BLOCK | BLOCK | BLOCK | BLOCK |     thread t: vector t of each
//
// nvcc also unrolls the loops of stage 8 and of LOADS=1, which keeps several loads in flight there:
// so LOADS=1 is nearly as fast. Look at: a quarter of the load requests.
// make stage9 && ./stage9        make stage9 LOADS=1 && ./stage9        make diff A=8 B=9
// Expect (cpu, 1048576): ld_requests == stage8.ld_requests / 4
// Expect (sm_90, 268435456): rate >= ref_cub.rate
#include "reduction.h"

#ifndef BLOCK
#define BLOCK 512
#endif
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads
#ifndef LOADS
#define LOADS 4
#endif
static_assert(BLOCK >= 32 && BLOCK <= 1024 && BLOCK % 32 == 0,
              "BLOCK must be a multiple of 32 up to 1024");
static_assert(LOADS >= 1 && LOADS <= 64, "LOADS must be from 1 to 64");

// Returns the sum of this thread's elements. In each pass of the grid-stride loop a block loads a
// tile of LOADS * BLOCK vectors; the thread loads LOADS of them, BLOCK apart.
template <class T> __device__ inline T thread_sum(const T *in, long long n)
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

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T warp_sums[32];
    T sum = block_sum(thread_sum(in, n), warp_sums);

    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

template <class T> void sum(const T *in, T *out, long long n)
{
    long long tile = LOADS * BLOCK * (16 / sizeof(T));   // elements of a block's tile
    int blocks = (int)min((n - 1) / tile + 1, (long long)BLOCKS_PER_SM * multiprocessors());

    cudaMemsetAsync(out, 0, sizeof *out, cudaStreamPerThread);
    reduce<<<blocks, BLOCK>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n)
}

// stage10: vector loads (16 bytes per load)
//
// A load of stage 9 is 4 bytes per thread (int). Here it is a vector of 16 bytes: a quarter of the
// load instructions and of their address computations. The memory traffic is the same.
//
//   stage 9    warp:  32 x  4 B =  128 B per request     4 sectors
//   stage 10   warp:  32 x 16 B =  512 B per request    16 sectors
//
// nvcc unrolled the loop of stage 9: 7 loads, 28 bytes per thread, precede the first addition. Here
// a pass has LOADS vectors. With LOADS=2 they are 32 bytes: its gain is nearly the width's. The
// array is 256-byte aligned, so each vector is aligned. Up to 3 threads of the grid also add the
// elements after the last whole vector. Look at: a quarter of the load requests.
// make stage10 && ./stage10 -n 1073741824        make diff A=9 B=10        make stage10 LOADS=2
// Expect (cpu, 1048576): ld_requests == stage9.ld_requests / 4
// Expect (H200, 1073741824): rate >= 1.01 * stage9.rate
// Expect (H200, 1073741824): stage10[LOADS=2].rate >= 1.02 * stage9.rate
#include "sums.h"

using stage8::block_sum;

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads
#ifndef LOADS
#define LOADS 4   // vectors per thread and pass; nvcc adds the first before it loads the third
#endif

// float4 for any T: a vector of 16 bytes, the most that a thread loads with one instruction: 4 ints
// or floats, 2 doubles. alignas(16): its address is a multiple of 16, which such an instruction
// needs.
template <class T> struct alignas(16) vec16 {
    T e[16 / sizeof(T)];
};

// The sum of a vector's elements.
template <class T> __device__ T vector_sum(vec16<T> v)
{
    T sum = v.e[0];
    for (int k = 1; k < (int)(16 / sizeof(T)); k++)
        sum += v.e[k];
    return sum;
}

// Returns the sum of this thread's elements. In each pass of the grid-stride loop a thread loads
// `loads` vectors, one grid apart. `loads` is a constant: then nvcc unrolls the loops over k, and v
// is in registers.
template <int threads, int loads, class T> __device__ T thread_sum(const T *in, long long n)
{
    const vec16<T> *vectors = (const vec16<T> *)in;
    const int width = 16 / sizeof(T);   // elements per vector
    long long count = n / width, grid = (long long)gridDim.x * threads;
    long long id = (long long)blockIdx.x * threads + threadIdx.x;   // of this thread

    T sum = 0;
    // first: the first vector of the block in this pass, i: the first one of this thread
#pragma unroll 1   // no more than `loads` vectors before the first addition
    for (long long first = (long long)blockIdx.x * threads; first < count; first += loads * grid) {
        long long i = first + threadIdx.x;
        vec16<T> v[loads] = {};   // zero past the end
        for (int k = 0; k < loads; k++)
            if (i + k * grid < count)
                v[k] = vectors[i + k * grid];
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
    const int tile = LOADS * BLOCK * (16 / sizeof(T));   // elements of a block's pass
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

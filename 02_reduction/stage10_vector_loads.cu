// stage10: vector loads (16 bytes per load)
//
// A load of stage 9 is 4 bytes per thread (int). Here it is a vector of 16 bytes: a quarter of the
// load instructions and of their address computations. The memory traffic is the same.
//
//   stage 9    warp:  32 x  4 B =  128 B per request     4 sectors
//   stage 10   warp:  32 x 16 B =  512 B per request    16 sectors
//
// The array is 256-byte aligned, so each vector is aligned. Threads 0 to 2 of the grid also add the
// elements after the last whole vector.
// Look at: a quarter of the load requests.
// make stage10 && ./stage10        make diff A=9 B=10
// Expect (cpu, 1048576): ld_requests == stage9.ld_requests / 4
// Expect (sm_90, 1073741824): rate >= 1.01 * stage9.rate
#include "reduction.h"

using stage8::block_sum;

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads

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
__device__ unsigned horizontal_sum(uint4 v) { return (v.x + v.y) + (v.z + v.w); }
__device__ float horizontal_sum(float4 v) { return (v.x + v.y) + (v.z + v.w); }
__device__ double horizontal_sum(double2 v) { return v.x + v.y; }

// Returns the sum of this thread's elements: of vectors one grid apart.
template <class T> __device__ T thread_sum(const T *in, long long n)
{
    typedef typename vec16<T>::type vector;
    const int width = sizeof(vector) / sizeof(T);   // elements per vector
    long long vectors = n / width, grid = (long long)gridDim.x * blockDim.x;
    long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;

    T sum = 0;
    for (long long i = thread; i < vectors; i += grid)
        sum += horizontal_sum(((const vector *)in)[i]);
    if (thread < n % width)   // the elements after the last vector
        sum += in[vectors * width + thread];
    return sum;
}

// The bounds limit the registers per thread, so that BLOCKS_PER_SM blocks are resident.
template <class T>
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM) reduce(const T *in, T *out, long long n)
{
    T sum = block_sum(thread_sum(in, n));

    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

template <class T> void sum(const T *in, T *out, long long n)
{
    const int tile = BLOCK * (16 / sizeof(T));   // elements that a block loads in one pass
    int blocks = (int)min(ceil_div(n, tile), (long long)BLOCKS_PER_SM * multiprocessors());

    cudaMemsetAsync(out, 0, sizeof *out, cudaStreamPerThread);
    reduce<<<blocks, BLOCK>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n);
}

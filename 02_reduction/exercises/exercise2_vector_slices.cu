// exercise2: vector loads: each block sums a contiguous slice, 16 bytes per load
//
// Task: do this after stage 9, without a look at stage 10. The array is cut into one slice per
// block. As given, a thread loads single elements of its block's slice. Rewrite slice_sum: slices
// of vectors of 16 bytes (vec16 and vector_sum in sums.h), for all three types and any n.
// Solved: any n is right; ints take a quarter of the load requests, doubles half.
//
// Hint: How many elements has a vector of T, and how many whole vectors are in n elements? How many
// elements can be left over, and which threads add them?
// Hint: Cut the vectors into slices, not the elements: then each slice starts at a multiple of 16
// bytes. The array itself is aligned to 256 bytes, so `in` may be read as an array of vectors.
// Hint: vec16<T> has as many elements as fit into 16 bytes, and vector_sum() adds them. Let the
// loop of the slices count vectors. At which element do the elements begin that no vector has,
// and which block adds them, so that none is added twice? For the rate: load two vectors per pass,
// BLOCK apart, and add them to two sums, so that no addition waits for the other.
//
// Points 3: correct
// Points 3 (cpu, 1048576): ld_requests == 8192 and warp_ld_requests <= 66
// Points 2 (cpu, 1048576, double): ld_requests == 16384 and warp_ld_requests <= 130
// Points 1 (cpu, 1000003): ld_requests >= 7813 and ld_requests <= 7900
// Points 1 (gpu, 268435456): rate >= 0.85 * ref_cub.rate
// Check (cpu, 1048577, sms=5)
// Check (cpu, 300007, sms=132)
#include "sums.h"

using stage10::vec16;
using stage10::vector_sum;
using stage8::block_sum;

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads

// Returns the sum of this thread's elements. Block b sums slice b of gridDim.x equal slices of the
// array; its threads load neighboring elements.
template <class T> __device__ T slice_sum(const T *in, long long n)
{
#ifdef SOLUTION
    const vec16<T> *vectors = (const vec16<T> *)in;
    const int width = 16 / sizeof(T);   // elements per vector
    long long count = n / width, slice = (count + gridDim.x - 1) / gridDim.x;
    long long i = blockIdx.x * slice + threadIdx.x, end = min((blockIdx.x + 1) * slice, count);
    // block 0 also sums the n % width elements after the last vector
    T sum0 = blockIdx.x == 0 && threadIdx.x < n % width ? in[count * width + threadIdx.x] : 0;
    T sum1 = 0;   // a second sum: two loads are in flight, and no addition waits for the other

    for (; i + BLOCK < end; i += 2 * BLOCK) {
        vec16<T> v0 = vectors[i], v1 = vectors[i + BLOCK];
        sum0 += vector_sum(v0);
        sum1 += vector_sum(v1);
    }
    if (i < end)
        sum0 += vector_sum(vectors[i]);
    return sum0 + sum1;
#else
    long long slice = (n + gridDim.x - 1) / gridDim.x;   // elements
    long long i = blockIdx.x * slice + threadIdx.x, end = min((blockIdx.x + 1) * slice, n);
    T sum = 0;

    // TODO: vectors of 16 bytes
    for (; i < end; i += BLOCK)
        sum += in[i];
    return sum;
#endif
}

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    T sum = block_sum(slice_sum(in, n));

    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    const int tile = BLOCK * (16 / sizeof(T));   // elements that a block loads at a time
    int blocks = (int)min(ceil_div(n, tile), (long long)BLOCKS_PER_SM * multiprocessors());

    cudaMemsetAsync(out, 0, sizeof *out, cudaStreamPerThread);
    reduce<<<blocks, BLOCK>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

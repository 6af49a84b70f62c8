// stage0: tree reduction in shared memory (interleaved addressing with modulo)
//
// Each block sums BLOCK elements: first pairs 1 apart, then pairs 2, 4, 8, ... apart. Further
// launches sum the block sums until one is left. At distance s, thread t adds if t % (2 s) == 0.
//
//   sdata   0     1     2     3     4     5     6     7         a..b: the sum of elements a to b
//   s = 1   0..1        2..3        4..5        6..7         threads 0, 2, 4, 6 add
//   s = 2   0..3                    4..7                     threads 0, 4 add
//   s = 4   0..7                                             thread 0 adds
//
// Up to s = 16 every warp has lanes that add: 16, 8, 4, 2, then 1. All warps execute all steps.
// The modulo by a variable costs most: 18 of the 28 instructions of a step. Look at: active lanes,
// 8 of 32 on average.
// make stage0 && ./stage0        make stage0 MASK=1
// Expect (cpu, 1048576): active_lanes <= 9
// Expect (sm_90, 16777216): rate <= 0.2 * ref_cub.rate
#include "reduction.h"

#ifndef MASK
#define MASK 0   // 1: a bit mask in place of the modulo
#endif
#define BLOCK 512

// template: one copy per element type T: unsigned (int overflow is undefined), float, double.
template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[BLOCK];

    unsigned tid = threadIdx.x;
    long long i = (long long)blockIdx.x * blockDim.x + tid;   // the element of this thread

    sdata[tid] = i < n ? in[i] : 0;
    __syncthreads();

    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        if (MASK ? (tid & (2 * s - 1)) == 0 : tid % (2 * s) == 0)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    long long blocks = ceil_div(n, BLOCK);
    // device memory that is kept between calls: the block sums of all launches, fewer than twice
    // those of the first
    T *sums = (T *)scratch(2 * blocks * sizeof(T));

    while (blocks > 1) {
        reduce<<<blocks, BLOCK>>>(in, sums, n);
        in = sums;   // the next launch adds these
        n = blocks;
        sums += n;
        blocks = ceil_div(n, BLOCK);
    }
    reduce<<<1, BLOCK>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);   // switch (type): calls sum_array() with its T
}

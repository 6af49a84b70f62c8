// stage2: sequential addressing
//
// In stage 1 neighboring threads access words 2 s apart, which causes bank conflicts. Here s runs
// from half the block down to 1, and thread t adds word t + s to word t: consecutive words. Second,
// thread t always adds to word t, so its sum stays in a register. KEPT=0: the order alone.
//
//   sdata   0        1        2        3        4     5     6     7
//   s = 4   0+4      1+5      2+6      3+7                            threads 0 to 3 add
//   s = 2   0+2+4+6  1+3+5+7                                          threads 0, 1 add
//   s = 1   0..7                                                      thread 0 adds
//
// Look at: 1 wavefront per request, not 3.9: a factor of 1.25. 26 % fewer requests: 1.06 (H200).
// make stage2 && ./stage2        make diff A=1 B=2        make stage2 KEPT=0
// Expect (cpu, 1048576): shared_wavefronts == shared_requests
// Expect (cpu, 1048576): shared_requests <= 0.74 * stage2[KEPT=0].shared_requests
// Expect (sm_90, 16777216): rate >= 1.2 * stage1.rate
#include "reduction.h"

#ifndef KEPT
#define KEPT 1   // 0: a step loads both words, as in the lecture
#endif
#define BLOCK 512

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[BLOCK];

    unsigned tid = threadIdx.x;
    long long i = (long long)blockIdx.x * blockDim.x + tid;   // the element of this thread

    T sum = i < n ? in[i] : 0;
    sdata[tid] = sum;
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] = sum = (KEPT ? sum : sdata[tid]) + sdata[tid + s];   // both are equal
        __syncthreads();
    }

    if (tid == 0)
        out[blockIdx.x] = sum;
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    long long blocks = ceil_div(n, BLOCK);
    T *sums = (T *)scratch(2 * blocks * sizeof(T));   // the block sums of all launches

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
    BY_TYPE(type, sum_array, in, out, n);
}

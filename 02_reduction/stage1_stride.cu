// stage1: strided index. The same additions, done by the first threads of the block instead of by
// scattered ones.
//
// In stage 0 the additions of a step are spread over the warps. Change: thread t adds up the pair
// number t, so whole warps have work or have none, and those with none go to the barrier at once.
// No division either. The price is in shared memory: neighbouring threads are 2 s words apart, so
// that 2, 4, 8, then 16 of them meet in one bank. (At s = 16 it would be 32, but 16 are all that
// work.)
//
// make stage1 && ./stage1; make diff A=0 B=1
//
// Expect (cpu, 1048576): barriers == stage0.barriers
// Expect (cpu, 1048576): shared_requests <= 0.26 * stage0.shared_requests
// Expect (cpu, 1048576): shared_wavefronts >= 3.9 * shared_requests
// Expect (sm_90, 16777216): rate >= 1.5 * stage0.rate
#include "reduction.h"

#ifndef BLOCK
#define BLOCK 512
#endif
static_assert(BLOCK >= 64 && BLOCK <= 1024 && (BLOCK & (BLOCK - 1)) == 0,
              "BLOCK must be a power of two from 64 to 1024");

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[BLOCK];

    unsigned tid = threadIdx.x;
    long long i = (long long)blockIdx.x * blockDim.x + tid;

    sdata[tid] = i < n ? in[i] : 0;
    __syncthreads();

    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        unsigned index = 2 * s * tid;
        if (index < blockDim.x)
            sdata[index] += sdata[index + s];
        __syncthreads();
    }

    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}

template <class T> void sum(const T *in, T *out, long long n)
{
    long long blocks = ceil_div(n, BLOCK);
    T *sums = (T *)scratch(2 * blocks * sizeof(T));

    for (; blocks > 1; in = sums, sums += blocks, n = blocks, blocks = ceil_div(n, BLOCK))
        reduce<<<blocks, BLOCK>>>(in, sums, n);
    reduce<<<1, BLOCK>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n)
}

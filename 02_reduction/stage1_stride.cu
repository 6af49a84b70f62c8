// stage1: strided index (interleaved addressing with full warps)
//
// In stage 0 thread t adds if t % (2 s) is 0. Here thread t adds pair t: no modulo, and half of the
// instructions per step. This is what gains: stage 0 with a mask (MASK=1) is faster still. The
// adding threads also fill the first warps: fewer requests, but to words 2 s apart, in few banks.
//
//   s = 1    thread t: words  2 t,  2 t + 1     lanes t and t + 16 share a bank: 2-way conflict
//   s = 2    thread t: words  4 t,  4 t + 2     4-way conflict
//   s = 16   thread t: words 32 t, 32 t + 16    all 16 active lanes share a bank: 16-way
//
// Look at: a quarter of stage 0's shared-memory requests, but as many wavefronts.
// make stage1 && ./stage1        make diff A=0 B=1
// Expect (cpu, 1048576): shared_requests <= 0.26 * stage0.shared_requests
// Expect (cpu, 1048576): shared_wavefronts >= 3.9 * shared_requests
// Expect (sm_90, 16777216): rate >= 1.5 * stage0.rate
// Expect (H200, 16777216): stage0[MASK=1].rate >= 1.1 * stage1.rate
#include "reduction.h"

#define BLOCK 512

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[BLOCK];

    unsigned tid = threadIdx.x;
    long long i = (long long)blockIdx.x * blockDim.x + tid;   // the element of this thread

    sdata[tid] = i < n ? in[i] : 0;
    __syncthreads();

    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        unsigned index = 2 * s * tid;   // the pair of this thread: index, index + s
        if (index < blockDim.x)
            sdata[index] += sdata[index + s];
        __syncthreads();
    }

    if (tid == 0)
        out[blockIdx.x] = sdata[0];
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

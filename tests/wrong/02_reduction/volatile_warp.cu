// wrong: the last warp of the slides (data race). A volatile pointer forces a load and a store in
// each step, but does not order the lanes. Since Volta a lane may read a word before its neighbor
// has written it, or after its neighbor has overwritten it. compute-sanitizer's racecheck reports
// this.
//
// Rejected: volatile_warp\.cu:[0-9]+: .*__syncwarp
#include "reduction.h"

template <class T> __device__ void warp_reduce(volatile T *sdata, unsigned tid)
{
    sdata[tid] += sdata[tid + 32];
    sdata[tid] += sdata[tid + 16];
    sdata[tid] += sdata[tid + 8];
    sdata[tid] += sdata[tid + 4];
    sdata[tid] += sdata[tid + 2];
    sdata[tid] += sdata[tid + 1];
}

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T sdata[512];

    unsigned tid = threadIdx.x;
    long long i = (long long)blockIdx.x * blockDim.x + tid;

    sdata[tid] = i < n ? in[i] : 0;
    __syncthreads();

    for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid < 32)
        warp_reduce(sdata, tid);
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    long long blocks = ceil_div(n, 512);
    T *sums = (T *)scratch(2 * blocks * sizeof(T));

    while (blocks > 1) {
        reduce<<<blocks, 512>>>(in, sums, n);
        in = sums;   // the next launch adds these
        n = blocks;
        sums += n;
        blocks = ceil_div(n, 512);
    }
    reduce<<<1, 512>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

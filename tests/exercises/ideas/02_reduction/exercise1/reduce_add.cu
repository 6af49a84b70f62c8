// Graded: 9 solved:
// Another style: the reduction of ints in one instruction, where there is one.
#include "reduction.h"

__device__ unsigned warp_total(unsigned v) { return __reduce_add_sync(0xffffffffu, v); }
template <class T> __device__ T warp_total(T v)
{
    for (int s = 16; s; s >>= 1)
        v += __shfl_down_sync(0xffffffffu, v, s);
    return v;
}

template <class T> __global__ void reduce(const T *x, T *to, long long count)
{
    const long long stride = (long long)gridDim.x * blockDim.x;
    long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long warp = at >> 5;
    T v = T();

    while (at < count) {
        v += x[at];
        at += stride;
    }
    v = warp_total(v);
    if ((threadIdx.x & 31) == 0)
        to[warp] = v;
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    int blocks = (int)min((n + 511) / 512, (long long)(4 * multiprocessors()));
    T *sums = (T *)scratch(blocks * 16 * sizeof(T));

    reduce<<<blocks, 512>>>(in, sums, n);
    reduce<<<1, 32>>>(sums, out, blocks * 16);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

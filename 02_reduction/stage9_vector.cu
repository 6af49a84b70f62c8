// stage9: bytes in flight. Sixteen bytes a load, and four loads on their way before the first is
// used.
//
// Rate = bytes on their way / latency (Little's law). CUB reckons with 48 KB an SM for an H200 (its
// tuning_transform.cuh). A load of stage 8 is 4 bytes a thread, 8 KB an SM, and how many are on
// their way together is the compiler's choice. Change: sixteen bytes a load, so a quarter of the
// loads, and four of them before the first is used: 64 bytes a thread, 128 KB an SM. The elements
// behind the last sixteen bytes go to the first block. `make sass` shows what the compiler makes of
// both loops. It writes out that of LOADS=1 four times as well, so that the knob does little.
//
// make stage9 && ./stage9; make stage9 LOADS=1 && ./stage9; make diff A=8 B=9
//
// Expect (cpu, 1048576): ld_requests == stage8.ld_requests / 4
// Expect (cpu, 1048576): ld_sectors == stage8.ld_sectors
// Expect (sm_90, 16777216): rate >= 1.02 * stage8.rate
// Expect (sm_90, 268435456): rate >= ref_cub.rate
#include "reduction.h"

#ifndef BLOCK
#define BLOCK 512
#endif
#define BLOCKS_PER_SM (2048 / BLOCK)
#ifndef LOADS
#define LOADS 4
#endif
static_assert(BLOCK >= 32 && BLOCK <= 1024 && BLOCK % 32 == 0,
              "BLOCK must be a multiple of 32 up to 1024");
static_assert(LOADS >= 1 && LOADS <= 64, "LOADS must be from 1 to 64");

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    typedef typename sixteen<T>::bytes vector;
    const int per = sizeof(vector) / sizeof(T);
    __shared__ T shared[32];
    long long vectors = n / per, i = (long long)blockIdx.x * (LOADS * BLOCK) + threadIdx.x;
    T sum = blockIdx.x == 0 && threadIdx.x < n % per ? in[vectors * per + threadIdx.x] : 0;

    for (; i < vectors; i += (long long)gridDim.x * (LOADS * BLOCK)) {
        vector v[LOADS] = {};   // zero past the end
        for (int k = 0; k < LOADS; k++)
            if (i + k * BLOCK < vectors)
                v[k] = ((const vector *)in)[i + k * BLOCK];
        for (int k = 0; k < LOADS; k++)
            sum += add_up(v[k]);
    }

    sum = block_sum(sum, shared);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

template <class T> void sum(const T *in, T *out, long long n)
{
    long long tile = LOADS * BLOCK * (16 / sizeof(T));
    int blocks = (int)min((n - 1) / tile + 1, (long long)BLOCKS_PER_SM * multiprocessors());

    cudaMemsetAsync(out, 0, sizeof *out, cudaStreamPerThread);
    reduce<<<blocks, BLOCK>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n)
}

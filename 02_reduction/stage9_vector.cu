// stage9: bytes in flight. Sixteen bytes a load, and four loads on their way before the first is used.
//
// By Little's law memory at 4.8 TB/s that answers after some 700 ns keeps 3.4 MB on their way, 25 KB an SM; CUB asks for 48 KB. Stage 6's loop
// asks for 4 bytes a thread at a time, or 16 where the compiler unrolls it: 8 to 32 KB an SM. Change: 64 bytes a thread, 128 KB an SM. The n % 4
// elements behind the last sixteen bytes go to the first block.
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
static_assert(BLOCK >= 32 && BLOCK <= 1024 && BLOCK % 32 == 0, "BLOCK must be a multiple of 32 up to 1024");

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

void reduction(const void *in, void *out, long long n, enum type type) { BY_TYPE(type, sum, in, out, n) }

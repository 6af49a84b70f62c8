// stage2: a histogram per block in shared memory
//
// Stage 1 is limited by atomics on 256 words that all blocks share. Each block counts in shared
// memory, then adds its 256 counts to the result.
//
// Expect (cpu, 65536): atomic_requests <= stage1.atomic_requests
// make stage2 && ./stage2
#include "histogram.h"

enum { BLOCK = 256 };

__global__ void count_bytes(const unsigned char *in, int *counts, long long n)
{
    __shared__ int bins[BINS];
    long long i = (long long)blockIdx.x * BLOCK + threadIdx.x;

    bins[threadIdx.x] = 0;
    __syncthreads();   // all bins are 0
    if (i < n)
        atomicAdd(&bins[in[i]], 1);
    __syncthreads();   // all bytes of the block are counted
    atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

void histogram(const unsigned char *in, int *counts, long long n)
{
    cudaMemsetAsync(counts, 0, BINS * sizeof *counts, cudaStreamPerThread);
    count_bytes<<<ceil_div(n, BLOCK), BLOCK>>>(in, counts, n);
}

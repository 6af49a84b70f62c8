// stage3: 16 bytes per thread
//
// Stage 2 adds 256 counts per 256 bytes. With 16 bytes per thread, there are 16 times fewer blocks
// and additions.
//
// Expect (cpu, 65536): atomic_requests <= stage2.atomic_requests / 8
// make stage3 && ./stage3
#include "histogram.h"

enum { BLOCK = 256, BYTES = 16 };

__global__ void count_bytes(const unsigned char *in, int *counts, long long n)
{
    __shared__ int bins[BINS];
    long long first = (long long)blockIdx.x * BLOCK * BYTES + threadIdx.x;

    bins[threadIdx.x] = 0;
    __syncthreads();   // all bins are 0
    for (int k = 0; k < BYTES; k++)
        if (first + k * BLOCK < n)
            atomicAdd(&bins[in[first + k * BLOCK]], 1);
    __syncthreads();   // all bytes of the block are counted
    atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

void histogram(const unsigned char *in, int *counts, long long n)
{
    cudaMemsetAsync(counts, 0, BINS * sizeof *counts, cudaStreamPerThread);
    count_bytes<<<ceil_div(n, BLOCK * BYTES), BLOCK>>>(in, counts, n);
}

// stage1: an atomic in global memory per byte
//
// Each thread reads one byte and adds 1 to its count. All threads share 256 words.
//
// Expect (cpu, 65536): atomic_requests >= 2048
// make stage1 && ./stage1
#include "histogram.h"

enum { BLOCK = 256 };

__global__ void count_bytes(const unsigned char *in, int *counts, long long n)
{
    long long i = (long long)blockIdx.x * BLOCK + threadIdx.x;

    if (i < n)
        atomicAdd(&counts[in[i]], 1);
}

void histogram(const unsigned char *in, int *counts, long long n)
{
    cudaMemsetAsync(counts, 0, BINS * sizeof *counts, cudaStreamPerThread);
    count_bytes<<<ceil_div(n, BLOCK), BLOCK>>>(in, counts, n);
}

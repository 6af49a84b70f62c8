// stage8: how blocks combine. The slides' three ways: a second kernel, the CPU, or atomics.
//
// Change: the second launch becomes a choice. ATOMICS: each block adds its sum to the result, which
// has to be zeroed before. KERNEL: as in stage 7. CPU: the sums come to the host, the result goes
// back, and the host waits in between. Atomics add in the order in which blocks happen to end: ints
// do not mind, but sums of floats differ from run to run. In a stream a memset costs less than a
// kernel that waits for another; replayed from a CUDA graph, where launches are cheaper, it costs
// more.
//
// make stage8 && ./stage8 -n 65536; make stage8 COMBINE=KERNEL && ./stage8 -n 65536;
// make stage8 COMBINE=CPU && ./stage8 -n 65536
//
// Expect (cpu, 1048576): atomic_requests == barriers / 16
// Expect (sm_90, 65536): median_us <= 0.85 * stage7.median_us
// Expect (sm_90, 65536): graph_us >= 1.1 * stage7.graph_us
// Expect (sm_90, 16777216): rate >= 1.03 * stage7.rate
#include "reduction.h"

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)
#define ATOMICS 1
#define KERNEL 2
#define CPU 3
#ifndef COMBINE
#define COMBINE ATOMICS
#endif
static_assert(COMBINE == ATOMICS || COMBINE == KERNEL || COMBINE == CPU,
              "COMBINE must be ATOMICS, KERNEL or CPU");

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    __shared__ T shared[32];

    T sum = 0;
    for (long long i = (long long)blockIdx.x * BLOCK + threadIdx.x; i < n;
         i += (long long)gridDim.x * BLOCK)
        sum += in[i];

    sum = block_sum(sum, shared);
    if (threadIdx.x == 0 && COMBINE == ATOMICS)
        atomicAdd(out, sum);
    else if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

template <class T> void sum(const T *in, T *out, long long n)
{
    int blocks = (int)min(ceil_div(n, BLOCK), (long long)BLOCKS_PER_SM * multiprocessors());
    T *sums = COMBINE == ATOMICS ? out : (T *)scratch(blocks * sizeof(T));
    T result = 0, host[4096];

    if (COMBINE == ATOMICS)
        cudaMemsetAsync(out, 0, sizeof *out, cudaStreamPerThread);
    reduce<<<blocks, BLOCK>>>(in, sums, n);
    if (COMBINE == KERNEL)
        reduce<<<1, BLOCK>>>(sums, out, blocks);
    if (COMBINE == CPU) {
        cudaMemcpy(host, sums, blocks * sizeof(T), cudaMemcpyDeviceToHost);
        for (int i = 0; i < blocks; i++)
            result += host[i];
        cudaMemcpy(out, &result, sizeof result, cudaMemcpyHostToDevice);
    }
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n)
}

// stage8: atomic accumulation of block sums
//
// Stage 7 launches a second kernel that sums the block sums. Here each block adds its sum to the
// result with atomicAdd, after a memset of the result. The knob COMBINE selects the slides' ways:
//
//   ATOMICS   memset, one kernel           fastest in a stream: a memset is cheaper than a launch
//   KERNEL    two kernels, as in stage 7   faster in a CUDA graph, where launches are cheap
//   CPU       kernel, copy, host loop      slowest: the host waits for the GPU in each call
//
// The order of atomics is undefined, so a sum of floats may round differently in each run.
// make stage8 && ./stage8 -n 65536        make diff A=7 B=8
// make stage8 COMBINE=KERNEL && ./stage8 -n 65536
// Expect (cpu, 1048576): atomic_requests == barriers / 16
// Expect (sm_90, 65536): median_us <= 0.85 * stage7.median_us
// Expect (sm_90, 65536): graph_us >= 1.1 * stage7.graph_us
#include "reduction.h"

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads
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
    __shared__ T warp_sums[32];

    T sum = 0;
    for (long long i = (long long)blockIdx.x * BLOCK + threadIdx.x; i < n;
         i += (long long)gridDim.x * BLOCK)
        sum += in[i];

    sum = block_sum(sum, warp_sums);   // as in stage 7
    if (threadIdx.x == 0 && COMBINE == ATOMICS)
        atomicAdd(out, sum);
    else if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

template <class T> void sum(const T *in, T *out, long long n)
{
    int blocks = (int)min(ceil_div(n, BLOCK), (long long)BLOCKS_PER_SM * multiprocessors());
    T *sums = COMBINE == ATOMICS ? out : (T *)scratch(blocks * sizeof(T));
    T result = 0, host[4096];   // for COMBINE=CPU

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

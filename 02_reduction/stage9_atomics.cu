// stage9: atomic accumulation of block sums
//
// Stage 8 launches a second kernel that sums the block sums. Here each block adds its sum to the
// result with atomicAdd, after a memset of the result.
//
//   stage 8   reduce: sums[0], sums[1], ...       reduce with one block: out = sums[0] + ...
//   stage 9   memset: out = 0                     reduce: out += sum, once per block
//
// The order of atomics is undefined: a sum of floats may round differently in each run.
// Look at: one kernel, and one atomic per block (16 warps, one barrier). A short sum takes less
// time than stage 7's two kernels in a stream, and more in a CUDA graph (calls recorded once).
// make stage9 && ./stage9 -n 65536        make diff A=8 B=9
// Expect (cpu, 1048576): kernels == stage8.kernels - 1
// Expect (cpu, 1048576): atomic_requests == barriers / 16
// Expect (sm_90, 65536): median_us <= 0.85 * stage7.median_us
// Expect (sm_90, 65536): graph_us >= 1.1 * stage7.graph_us
#include "sums.h"

using stage8::block_sum;   // the function of stage 8, from sums.h

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads

template <class T> __global__ void reduce(const T *in, T *out, long long n)
{
    T sum = 0;   // of elements one grid apart
    for (long long i = (long long)blockIdx.x * BLOCK + threadIdx.x; i < n;
         i += (long long)gridDim.x * BLOCK)
        sum += in[i];

    sum = block_sum(sum);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    int resident = BLOCKS_PER_SM * multiprocessors();
    int blocks = (int)min(ceil_div(n, BLOCK), (long long)resident);

    // in the stream of <<<>>>, so it runs before reduce
    cudaMemsetAsync(out, 0, sizeof *out, cudaStreamPerThread);
    reduce<<<blocks, BLOCK>>>(in, out, n);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

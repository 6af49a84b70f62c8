// wrong: single-pass reduction without the fence between the last ticket and the reads of the block
// sums. A read may be served before the ticket is taken. The result on a GPU is nearly always
// correct.
//
// Rejected: missing_reader_fence\.cu:[0-9]+: .*: __threadfence is missing here
#include "sums.h"

using stage12::partial_sums;
using stage8::block_sum;

template <class T>
__global__ void reduce(const T *in, T *out, long long n, partial_sums<T> *partial)
{
    __shared__ bool last;

    T sum = 0;
    for (long long i = (long long)blockIdx.x * 512 + threadIdx.x; i < n;
         i += (long long)gridDim.x * 512)
        sum += in[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        partial->sums[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(&partial->ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += 512)
        sum += __ldcg(&partial->sums[i]);
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

template <class T> void sum_array(const T *in, T *out, long long n)
{
    int blocks = (int)min(ceil_div(n, 512), 64LL);
    int bytes = sizeof(partial_sums<T>) + 64 * sizeof(T);

    reduce<<<blocks, 512>>>(in, out, n, (partial_sums<T> *)scratch(bytes));
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum_array, in, out, n);
}

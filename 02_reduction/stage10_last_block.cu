// stage10: one pass. The block that ends last adds up the sums of all: one launch, nothing to zero,
// and the same bits in every run.
//
// Change: each block writes its sum and draws a ticket. Who draws the last one knows that all sums
// are there, if two fences see to it: one between sum and ticket, so that no ticket is seen before
// its sum; one after the ticket, so that no sum is read before it. __ldcg reads past L1, which
// other SMs' stores do not reach. atomicInc wraps to 0 at the last ticket, ready for the next call.
// In a stream it is slower than stage 9 from two blocks on: a block waits until its sum has
// arrived, then for its ticket, and the memset that this saves costs less. Replayed from a CUDA
// graph it is faster.
//
// make stage10 && ./stage10 -n 65536; ./stage9 -n 65536; make diff A=9 B=10
//
// Expect (cpu, 1048576): kernels == 1
// Expect (cpu, 1048576): atomic_requests == stage9.atomic_requests
// Expect (sm_90, 65536): median_us >= stage9.median_us
// Expect (sm_90, 65536): graph_us <= 0.95 * stage9.graph_us
// Expect (sm_90, 65536): median_us <= 0.8 * ref_cub.median_us
#include "reduction.h"

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)
#define LOADS 4

template <class T>
__global__ void reduce(const T *in, T *out, long long n, T *sums, unsigned *ticket)
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
    bool last = false;

    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    if (!__syncthreads_or(last))
        return;
    __threadfence();
    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += BLOCK)
        sum += __ldcg(&sums[i]);
    sum = block_sum(sum, shared);
    if (threadIdx.x == 0)
        *out = sum;
}

template <class T> void sum(const T *in, T *out, long long n)
{
    long long tile = LOADS * BLOCK * (16 / sizeof(T));
    int blocks = (int)min((n - 1) / tile + 1, (long long)BLOCKS_PER_SM * multiprocessors());
    // the sums come 16 bytes behind
    unsigned *ticket = (unsigned *)scratch(16 + blocks * sizeof(T));

    reduce<<<blocks, BLOCK>>>(in, out, n, (T *)(ticket + 4), ticket);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n)
}

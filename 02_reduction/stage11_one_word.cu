// stage11: sum and ticket in one word. One atomic a block does it all: no fence, no sums to read
// back. For ints.
//
// In stage 10 a block waits for its sum to arrive, then for its ticket; and the last one reads all
// sums. Change: a 64-bit word holds the sum in its upper half and the tickets in its lower. One
// atomicAdd brings a block's sum, draws its ticket, and tells the last block what the others have
// brought: values that come with one atomic need no order between two. The sum wraps off the top of
// the word. The last block puts 0 back.
//
// make stage11 && ./stage11 -n 65536; ./stage10 -n 65536; make diff A=10 B=11
//
// Expect (cpu, 1048576): ld_requests == stage9.ld_requests
// Expect (cpu, 1048576): atomic_requests == stage9.atomic_requests
// Expect (sm_90, 65536): median_us <= 0.75 * stage10.median_us
// Expect (sm_90, 65536): median_us <= 0.55 * ref_cub.median_us
#include "reduction.h"

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)
#define LOADS 4

__global__ void reduce(const unsigned *in, unsigned *out, long long n, unsigned long long *word)
{
    const int per = 4;
    __shared__ unsigned shared[32];
    long long vectors = n / per, i = (long long)blockIdx.x * (LOADS * BLOCK) + threadIdx.x;
    unsigned sum = blockIdx.x == 0 && threadIdx.x < n % per ? in[vectors * per + threadIdx.x] : 0;

    for (; i < vectors; i += (long long)gridDim.x * (LOADS * BLOCK)) {
        uint4 v[LOADS] = {};   // zero past the end
        for (int k = 0; k < LOADS; k++)
            if (i + k * BLOCK < vectors)
                v[k] = ((const uint4 *)in)[i + k * BLOCK];
        for (int k = 0; k < LOADS; k++)
            sum += add_up(v[k]);
    }

    sum = block_sum(sum, shared);
    if (threadIdx.x == 0) {
        unsigned long long before = atomicAdd(word, (unsigned long long)sum << 32 | 1);
        if ((unsigned)before == gridDim.x - 1) {
            *out = (unsigned)(before >> 32) + sum;
            *word = 0;
        }
    }
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    if (type != TYPE_I32)
        return refuse("ints only: atomics add no floats inside a word");
    long long tile = LOADS * BLOCK * 4;
    int blocks = (int)min((n - 1) / tile + 1, (long long)BLOCKS_PER_SM * multiprocessors());

    reduce<<<blocks, BLOCK>>>((const unsigned *)in, (unsigned *)out, n,
                              (unsigned long long *)scratch(8));
}

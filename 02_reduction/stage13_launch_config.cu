// stage13: launch configuration for large arrays (more blocks than are resident)
//
// Stage 11 starts only the blocks that are resident at a time, and each loops over the array. At
// the end of a large array some blocks finish before others, and nothing takes their place. Here a
// thread loads at most 32 vectors, and a large array gets more blocks than fit at a time. When a
// block ends, its SM starts the next one, until no block is left.
//
//   stage 11   |===== block 0 ====|           stage 13   |= 0 =|= 4 =|= 9 =|=...
//              |===== block 1 ========|                  |= 1 ==|= 6 =|= 10 =|...
//
// Smaller arrays keep the resident blocks: fewer blocks combine their sums. Look at: the rate at
// 2^30.
// From: stage11
// make stage13 && ./stage13 -n 1073741824        make diff A=11 B=13
// Expect (cpu, 1048576): ld_requests == stage11.ld_requests
// Expect (sm_90, 1073741824): rate >= 1.005 * stage11.rate
#include "reduction.h"

using stage10::thread_sum;
using stage11::combine_blocks;
using stage11::partial_sums;
using stage8::block_sum;

#define BLOCK 512
#define BLOCKS_PER_SM (2048 / BLOCK)   // resident at a time: an SM of an H200 holds 2048 threads

template <class T>
__global__ void reduce(const T *in, T *out, long long n, partial_sums<T> *partial)
{
    combine_blocks(block_sum(thread_sum(in, n)), out, partial);
}

template <class T> void sum(const T *in, T *out, long long n)
{
    const int tile = BLOCK * (16 / sizeof(T));   // elements that a block loads in one pass
    long long resident = BLOCKS_PER_SM * multiprocessors();   // blocks
    long long most = max(resident, ceil_div(n, 32 * tile));
    int blocks = (int)min(ceil_div(n, tile), most);
    int bytes = sizeof(partial_sums<T>) + blocks * sizeof(T);

    reduce<<<blocks, BLOCK>>>(in, out, n, (partial_sums<T> *)scratch(bytes));
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    BY_TYPE(type, sum, in, out, n);
}

// stage14: launch configuration (one block per tile; ints only)
//
// Blocks of stage 13 sum as many tiles each, but not equally fast: at the end, some SMs are idle.
// Here the grid has a block per tile: where a block ends, its SM starts the next. An example:
//
//   stage 13   SM 0  | block 0: tiles 0, 528, 1056, ...           |
//              SM 1  | block 1: tiles 1, 529, 1057, ... |
//   here       SM 0  | 0  | 528  | 1057  | ...                |
//              SM 1  | 1 | 529 | 1056 | 1585 | ...            |
//
// A block costs a start and an atomic, so its tile must be large. Look at: the rate at 2^30, above
// stage 13's with LOADS=8, and below it with LOADS=4 (both stages built with the knob).
// make stage14 && ./stage14 -n 1073741824        make diff A=13 B=14        make stage14 LOADS=4
// Expect (cpu, 16777216): atomic_requests == 1024
// Expect (H200, 1073741824): stage14[LOADS=8].rate >= 1.02 * stage13[LOADS=8].rate
// Expect (H200, 1073741824): stage14[LOADS=4].rate <= 0.99 * stage13[LOADS=4].rate
#include "sums.h"

using stage13::combine_packed;
using stage8::block_sum;
using tiles::thread_sum;

#define BLOCK 512
#ifndef LOADS
#define LOADS 8   // vectors per thread: a tile of 64 KiB
#endif
#define WIDTH 4   // ints per vector

__global__ void reduce(const unsigned *in, unsigned *out, long long n, unsigned long long *packed)
{
    unsigned sum = block_sum(thread_sum<BLOCK, LOADS>(in, n));   // the loop has one pass

    combine_packed(sum, out, packed);
}

void reduction(const void *in, void *out, long long n, enum type type)
{
    if (type != TYPE_I32)   // reports why, and launches nothing
        return refuse("ints only: an integer atomic cannot add a packed float");

    const int tile = LOADS * BLOCK * WIDTH;   // elements of a block's tile
    int blocks = (int)ceil_div(n, tile);
    unsigned long long *packed = (unsigned long long *)scratch(sizeof *packed);

    // as unsigned: signed overflow is undefined
    reduce<<<blocks, BLOCK>>>((const unsigned *)in, (unsigned *)out, n, packed);
}

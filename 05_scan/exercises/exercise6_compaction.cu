// exercise6: stream compaction: a scan says where each element goes
//
// Task: do this after stage 5. The odd elements of `in` (ints only) are to be stored side by side
// at the start of `out`, in their order; the rest of `out` is zero. The kernels that count the odd
// elements of each tile and scan the counts are given. Write the last one: each thread must know
// how many odd elements are before its own. As given, they are stored where they were. --exclusive
// has no effect. Solved: right for any n, at most 4 kernels, 2 barriers per tile.
//
// Hint: The thread's element is odd or not: 1 or 0. What is the exclusive scan of these numbers
// within the block?
// Hint: The scanned counts say how many odd elements are before the tile. What is the sum of the
// two?
// Hint: A warp can also count with __ballot_sync and __popc: which lanes below this one have a bit?
// Between the warps of the block it needs the scan of stage 3.
//
// Type: int
// Computes: compacted
// Points 3: correct
// Points 6 (cpu, 131072, int): kernels <= 4 and barriers <= 12000 and ld_sectors <= 75000 and
//     exchanges >= 10000 and atomic_requests == 0
// Points 1 (gpu, 16777216, int): rate >= 0.1 * ref_memcpy.rate
// Check (cpu, 40001)
#include "scans.h"

using stage3::block_scan;

#define BLOCK 1024   // threads, and elements of a tile

__device__ inline unsigned odd(const unsigned *in, long long i, long long n)
{
    return i < n ? in[i] % 2 : 0;
}

// counts[b]: the odd elements of tile b.
__global__ void count_tiles(const unsigned *in, long long n, unsigned *counts)
{
    long long i = (long long)blockIdx.x * BLOCK + threadIdx.x;
    int count = __syncthreads_count(odd(in, i, n));   // a barrier that counts

    if (threadIdx.x == 0)
        counts[blockIdx.x] = count;
}

// One block: counts[b] becomes that of the tiles before b.
__global__ void scan_counts(unsigned *counts, int tiles)
{
    __shared__ unsigned warp_sums[2][32];
    unsigned carry = 0, total;

    for (int first = 0; first < tiles; first += BLOCK) {
        int b = first + threadIdx.x;
        unsigned *sums = warp_sums[first / BLOCK % 2];
        unsigned before = carry + block_scan(b < tiles ? counts[b] : 0, &total, sums);

        if (b < tiles)
            counts[b] = before;
        carry += total;
    }
}

__global__ void store_odd(const unsigned *in, unsigned *out, long long n, const unsigned *counts)
{
    long long i = (long long)blockIdx.x * BLOCK + threadIdx.x;
#ifdef SOLUTION
    __shared__ unsigned warp_sums[32];
    unsigned total, before = counts[blockIdx.x] + block_scan(odd(in, i, n), &total, warp_sums);

    if (odd(in, i, n))
        out[before] = in[i];
#else

    // TODO: where does the element go?
    if (odd(in, i, n))
        out[i] = in[i] + counts[0];
#endif
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    if (type != TYPE_I32)
        return refuse("ints only: floats are neither odd nor even");
    (void)exclusive;

    const unsigned *from = (const unsigned *)in;
    int tiles = (int)ceil_div(n, BLOCK);
    unsigned *counts = (unsigned *)scratch(tiles * sizeof *counts);

    count_tiles<<<tiles, BLOCK>>>(from, n, counts);
    scan_counts<<<1, BLOCK>>>(counts, tiles);
    cudaMemsetAsync(out, 0, n * sizeof *from, cudaStreamPerThread);
    store_odd<<<tiles, BLOCK>>>(from, (unsigned *)out, n, counts);
}

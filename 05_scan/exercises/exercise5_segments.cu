// exercise5: segmented scan: sums that start again
//
// Task: do this after stage 3. The array has segments: one starts at element 0, and at each element
// that is a multiple of 16, as an int. out[i] is to be the sum of the elements of i's segment up to
// i (with --exclusive: before i). Ints only. The scan of pairs (start, sum) is given. What must
// add() return? As given, it adds across the starts. Solved: right for any n, with the barriers of
// stage 3.
//
// Hint: The right pair of two covers elements after those of the left pair. If a segment starts
// within the right pair, what of the left sum counts for elements after it?
// Hint: `start` of a pair says whether a segment starts anywhere in it. When does one start in both
// pairs together?
// Hint: Is add() associative? Check (a + b) + c and a + (b + c) for the eight cases of `start`: the
// scan may join pairs in any grouping.
//
// Type: int
// Computes: segmented
// Points 3: correct
// Points 6 (cpu, 131072, int): barriers <= 2 * 32 * 128 and exchanges >= 20 * 32 * 128 and
//     ld_requests == 32 * 128 and st_requests == 32 * 128 and kernels == 1
// Points 1 (gpu, 16777216, int): rate >= 0.005 * ref_memcpy.rate
// Check (cpu, 40001)
#include "scan.h"

#define BLOCK 1024   // threads, and elements of a tile

// Of consecutive elements: whether a segment starts in them, and the sum from the last start on,
// without any: of all.
struct pair {
    unsigned start, sum;
};

__device__ inline pair add(pair left, pair right)
{
#ifdef SOLUTION
    return { left.start | right.start, right.start ? right.sum : left.sum + right.sum };
#else
    return { left.start, left.sum + right.sum };   // TODO
#endif
}

__device__ inline pair shuffle_up(pair p, int distance)
{
    return { __shfl_up_sync(0xffffffff, p.start, distance),
             __shfl_up_sync(0xffffffff, p.sum, distance) };
}

// Returns the pair of lanes 0 to this one. All 32 lanes call it.
__device__ inline pair warp_scan(pair p)
{
    int lane = threadIdx.x % 32;

    for (int s = 1; s < 32; s *= 2) {
        pair below = shuffle_up(p, s);
        if (lane >= s)
            p = add(below, p);
    }
    return p;
}

// Returns the pair of the threads before this one, after `carry`, and in *all also that of the
// whole block, after `carry`.
__device__ inline pair block_scan(pair element, pair carry, pair *all, pair *of_warp)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    pair scanned = warp_scan(element), before = shuffle_up(scanned, 1);

    if (lane == 31)
        of_warp[warp] = scanned;
    __syncthreads();
    pair warps = warp_scan(of_warp[lane]);
    *all = add(carry, { __shfl_sync(0xffffffff, warps.start, 31),
                        __shfl_sync(0xffffffff, warps.sum, 31) });
    pair warps_before = { __shfl_sync(0xffffffff, warps.start, (warp + 31) % 32),
                          __shfl_sync(0xffffffff, warps.sum, (warp + 31) % 32) };
    if (warp > 0)
        carry = add(carry, warps_before);
    return lane > 0 ? add(carry, before) : carry;
}

__global__ void scan_tiles(const unsigned *in, unsigned *out, long long n, bool exclusive)
{
    __shared__ pair of_warp[2][32];   // of this tile, and of the one before
    pair carry = { 0, 0 }, all;

    for (long long tile = 0; tile < n; tile += BLOCK) {
        long long i = tile + threadIdx.x;
        unsigned element = i < n ? in[i] : 0, start = element % 16 == 0;
        pair before = block_scan({ start, element }, carry, &all, of_warp[tile / BLOCK % 2]);
        unsigned sum = start ? 0 : before.sum;   // of the elements before i, in its segment

        if (i < n)
            out[i] = exclusive ? sum : sum + element;
        carry = all;
    }
}

void scan(const void *in, void *out, long long n, enum type type, int exclusive)
{
    if (type != TYPE_I32)
        return refuse("ints only: the segments start at multiples of 16");
    scan_tiles<<<1, BLOCK>>>((const unsigned *)in, (unsigned *)out, n, exclusive != 0);
}

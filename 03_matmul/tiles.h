// Types and functions which stages 15 to 17 show and later stages use: how C is divided into tiles,
// and tiles into parts. Each namespace is named after the stage that shows its contents, and has
// the same text.
#ifndef TILES_H
#define TILES_H

#include "pipeline.h"

namespace stage15 {
using stage10::position;

// The first element of a tile of C. Tiles are numbered row by row.
template <int BM, int BN> __device__ position tile_corner(int tile, int N)
{
    int tile_cols = ceil_div(N, BN);

    return { tile / tile_cols * BM, tile % tile_cols * BN };
}

// Whether tiles of 128 x 256 occupy half of the SMs. Not for a C of at most 64 rows or columns, of
// which they would waste half or more.
inline bool large_tiles(int M, int N)
{
    return min(M, N) > 64 && 2LL * ceil_div(M, 128) * ceil_div(N, 256) >= multiprocessors();
}
}   // namespace stage15

namespace stage16 {
constexpr int MAX_PARTS = 8;     // parts per tile, at most
constexpr int MIN_DEPTH = 128;   // depth of a part along K, at least
constexpr int MAX_TAIL = 1024;   // tiles of the tail, which are fewer than the blocks of a wave

__device__ int finished[MAX_TAIL];   // steps done per tile of the tail; 0 between calls

// Stores the sums of a part of a tile to slot `slot` of `partial`. A slot has a word per sum and
// thread. Adjacent threads store adjacent words (coalesced).
template <int THREADS, int TM, int TN>
__device__ void store_partial_tile(float *partial, int slot, float (&sum)[TM][TN])
{
    float *part = partial + (size_t)slot * (TM * TN * THREADS) + threadIdx.x;
    for (int i = 0; i < TM * TN; i++)
        part[i * THREADS] = sum[i / TN][i % TN];
}

// Adds the part in slot `slot` to the sums.
template <int THREADS, int TM, int TN>
__device__ void add_partial_tile(float (&sum)[TM][TN], const float *partial, int slot)
{
    const float *part = partial + (size_t)slot * (TM * TN * THREADS) + threadIdx.x;
    for (int i = 0; i < TM * TN; i++)
        sum[i / TN][i % TN] += part[i * THREADS];
}

// Adds `count` to *finished. True in the block that makes it `all`: it may read what the others
// stored, and *finished is 0 again. The last-block pattern of week 2, single-pass reduction.
__device__ inline bool is_last_part(int *finished, int count, int all)
{
    __threadfence();   // the part is visible before it is counted
    __syncthreads();
    bool last = __syncthreads_or(threadIdx.x == 0 && atomicAdd(finished, count) == all - count);
    if (last && threadIdx.x == 0)
        *finished = 0;
    __threadfence();   // no part is read before it was counted, nor from an old line of L1
    return last;
}
}   // namespace stage16

namespace stage17 {
using stage16::add_partial_tile, stage16::finished, stage16::is_last_part, stage16::MAX_PARTS;
using stage16::MIN_DEPTH, stage16::store_partial_tile;

// The steps of all tiles are numbered end to end: tile t has t * steps to (t + 1) * steps - 1. The
// first `full` blocks compute a tile each; the workers share the steps of the tail evenly.
struct schedule {
    int steps, full, tail, workers;
};

// The first step of a block's share: block w of the workers starts at w / workers of the tail.
__device__ inline int first_step(schedule s, int block)
{
    int worker = block - s.full;

    return worker <= 0 ? block * s.steps
                       : s.full * s.steps + (int)((long long)s.tail * s.steps * worker / s.workers);
}

// Where in `partial` a worker stores a part of a tile: slot 1 of its two is for a part that starts
// a tile, slot 0 for any other part.
__device__ inline int slot(schedule s, int block, bool starts_tile)
{
    return 2 * (block - s.full) + starts_tile;
}

// Stores a part of a tile, its steps first to first + count - 1. The worker that finishes last adds
// all parts of the tile, in order, and returns true.
template <int THREADS, int TM, int TN>
__device__ bool fix_up(float (&sum)[TM][TN], float *partial, schedule s, int tile, int first,
                       int count)
{
    int begin = tile * s.steps, block = blockIdx.x;

    store_partial_tile<THREADS>(partial, slot(s, block, first == 0), sum);
    if (!is_last_part(&finished[tile - s.full], count, s.steps))
        return false;
    while (first_step(s, block) > begin)   // back to the worker that has the tile's first step
        block--;
    for (int i = 0; i < TM * TN; i++)
        sum[i / TN][i % TN] = 0;
    for (; first_step(s, block) < begin + s.steps; block++)
        add_partial_tile<THREADS>(sum, partial, slot(s, block, first_step(s, block) <= begin));
    return true;
}

// How the tiles of C are divided, of `steps` steps each, if `resident` blocks run at once.
inline schedule divide(int tiles, int steps, int K, int resident)
{
    int tail = tiles % min(resident, stage16::MAX_TAIL);   // tiles of the last wave
    int parts = min(min(MAX_PARTS, resident / max(tail, 1)), K / MIN_DEPTH);   // as in stage 16
    // all blocks, if their shares are at least MIN_DEPTH deep; else a block per tile
    int workers = (long long)tail * K >= (long long)MIN_DEPTH * resident ? resident : tail;

    return { steps, tiles - tail, tail, parts >= 2 ? tail * parts : workers };
}
}   // namespace stage17

#endif

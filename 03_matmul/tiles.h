// Types and functions which stages 10, 22 and 23 show and later stages use: how C is divided into
// tiles, and tiles into parts. Each namespace is named after the stage that shows its contents, and
// has the same text.
#ifndef TILES_H
#define TILES_H

#include "last_part.h"
#include "pipeline.h"

namespace stage10 {
constexpr int MAX_PARTS = 8;      // parts per tile, at most
constexpr int MIN_DEPTH = 128;    // depth of a part along K, at least
constexpr int MAX_TILES = 1024;   // tiles that can be divided

__device__ int finished[MAX_TILES];   // parts done per tile; 0 between calls

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
}   // namespace stage10

// The steps of all tiles are numbered end to end: tile t has t * steps to (t + 1) * steps - 1. The
// first `full` blocks compute a tile each; the workers share the steps of the tail evenly.
struct schedule {
    int steps, full, tail, workers;
};

// How the tiles of C are divided, of `steps` steps each, if `resident` blocks run at once.
inline schedule divide(int tiles, int steps, int K, int resident)
{
    using stage10::MAX_PARTS, stage10::MAX_TILES, stage10::MIN_DEPTH;
    int tail = tiles % min(resident, MAX_TILES);   // tiles of the last wave
    int parts = min(min(MAX_PARTS, resident / max(tail, 1)), K / MIN_DEPTH);
    // all blocks, if their shares are at least MIN_DEPTH deep; else a block per tile
    int workers = (long long)tail * K >= (long long)MIN_DEPTH * resident ? resident : tail;

    return { steps, tiles - tail, tail, parts >= 2 ? tail * parts : workers };
}

namespace stage22 {
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
}   // namespace stage22

namespace stage23 {
using stage10::add_partial_tile, stage10::finished, stage10::store_partial_tile;

// The first step of a block's share: block w of the workers starts at w / workers of the tail.
__device__ inline int first_step(schedule s, int block)
{
    int worker = block - s.full;

    return worker <= 0 ? block * s.steps
                       : s.full * s.steps + (int)((long long)s.tail * s.steps * worker / s.workers);
}

// sum = the sum of all parts of a tile, in order of its steps.
template <int THREADS, int TM, int TN>
__device__ void add_parts(float (&sum)[TM][TN], const float *partial, schedule s, int tile)
{
    int begin = tile * s.steps, block = blockIdx.x;

    while (first_step(s, block) > begin)   // back to the worker that has the tile's first step
        block--;
    for (int i = 0; i < TM * TN; i++)
        sum[i / TN][i % TN] = 0;
    for (; first_step(s, block) < begin + s.steps; block++)
        add_partial_tile<THREADS>(sum, partial,
                                  2 * (block - s.full) + (first_step(s, block) <= begin));
}

// Stores a part of a tile, its steps first to first + count - 1: in slot 1 of this worker's two if
// it starts the tile, else in slot 0. The worker that finishes last adds all parts of the tile, in
// order, and returns true. In the head's example with 8 steps per tile, the shares of the workers
// start at steps 0, 6, 12 and 18. Tile 1 has steps 8 to 15: 8 to 11 are
// the second part of worker 1 (slot 1), and 12 to 15 the first part of worker 2 (slot 0).
template <int THREADS, int TM, int TN>
__device__ bool fix_up(float (&sum)[TM][TN], float *partial, schedule s, int tile, int first,
                       int count)
{
    store_partial_tile<THREADS>(partial, 2 * (blockIdx.x - s.full) + (first == 0), sum);
    if (!is_last_part(&finished[tile - s.full], count, s.steps))
        return false;
    add_parts<THREADS>(sum, partial, s, tile);
    return true;
}
}   // namespace stage23

#endif

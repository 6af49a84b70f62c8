// stage17: stream-K tile scheduler
//
// Split-K gives each tile of the tail a whole number of blocks. At 4096, 116 tiles for 132 SMs get
// one each: nothing is divided, and 16 SMs are idle. Here the steps of the tail, laid end to end,
// are divided evenly among all blocks that run at once, the workers (stream-K).
//   steps of the tail   |--- tile 0 ---|--- tile 1 ---|--- tile 2 ---|
//   workers (blocks)    |--- 0 ----|---- 1 ---|---- 2 ---|---- 3 ----|
// The last worker to finish a part of a tile adds the parts of that tile, in order (fix_up). A
// share is at most as long as a tile, so it has steps of one tile or of two: `partial` has two
// slots per worker. If split-K would divide the tail (2 parts or more), each tile keeps its whole
// number of workers. On the CPU device 2 SMs x 3 blocks compute one small tile in 6 parts.
// This page is long because it shows shares and the fix-up.
// Look at: ./stage17 --shmoo.        make stage17 && ./stage17 -n 1000        make diff A=16 B=17
// Expect (cpu, 64x512x2000): atomic_requests == 8
// Expect (sm_90, 4096): rate >= 1.01 * stage16.rate
#include "tiles.h"

using stage10::DEPTH, stage10::position, stage10::Tiles, stage11::Copies, stage12::multiply_tile;
using stage13::multiply_snake, stage13::store_words, stage13::thread_position;
using stage15::large_tiles, stage15::tile_corner, stage16::add_partial_tile, stage16::finished;
using stage16::is_last_part, stage16::MAX_PARTS, stage16::MIN_DEPTH, stage16::store_partial_tile;

constexpr int BK = 8;   // depth of the tiles along K

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
// all parts of the tile, in order, and returns true. In the head's example with 8 steps per tile,
// the shares of the workers start at steps 0, 6, 12 and 18. Tile 1 has steps 8 to 15: 8 to 11 are
// the second part of worker 1 (slot 1), and 12 to 15 the first part of worker 2 (slot 0).
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

// Block tile BM x BN, thread tile TM x TN, BLOCKS per SM. VEC: words per copy of B.
template <int BM, int BN, int TM, int TN, int BLOCKS, int VEC, int THREADS = (BM / TM) * (BN / TN)>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    multiply(const float *A, const float *B, float *C, int M, int N, int K, schedule s,
             float *partial)
{
    __shared__ Tiles<BM, BN, BK> smem[DEPTH];
    position thread = thread_position<BN, TM, TN>();
    int next = first_step(s, blockIdx.x), end = first_step(s, blockIdx.x + 1);   // its share

    while (next < end) {
        // steps first to first + count - 1 of a tile: to the end of the tile or of the share
        int tile = next / s.steps, first = next % s.steps;
        int count = min(s.steps - first, end - next);
        position block = tile_corner<BM, BN>(tile, N);   // in C
        alignas(16) float sum[TM][TN] = {};

        Copies<VEC, THREADS, BM, BN, BK> copies = { A, B, N };
        copies.prepare(M, K, block, K - (s.steps - first) * BK);
        multiply_tile(sum, smem, thread, copies, count, multiply_snake<TM, TN>);
        if (count == s.steps || fix_up<THREADS>(sum, partial, s, tile, first, count))
            store_words(C, block.row + thread.row, block.col + thread.col, M, N, sum);
        next += count;
        __pipeline_wait_prior(0);
        __syncthreads();   // the copies and reads of this tile are complete
    }
}

// Computes C in tiles of BM x BN, BLOCKS per SM at once.
template <int BM, int BN, int TM, int TN, int BLOCKS, int THREADS = (BM / TM) * (BN / TN)>
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<BM, BN, TM, TN, BLOCKS, 1> : multiply<BM, BN, TM, TN, BLOCKS, 4>;
    int tiles = ceil_div(M, BM) * ceil_div(N, BN);
    schedule s = divide(tiles, ceil_div(K, BK), K, BLOCKS * multiprocessors());
    float *partial = (float *)scratch((size_t)2 * s.workers * BM * BN * sizeof *partial);

    kernel<<<s.full + s.workers, THREADS>>>(A, B, C, M, N, K, s, partial);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (large_tiles(M, N))
        launch<128, 256, 16, 8, 1>(A, B, C, M, N, K);
    else
        launch<64, 128, 8, 8, 3>(A, B, C, M, N, K);
}

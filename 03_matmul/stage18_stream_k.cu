// stage18: stream-K tile scheduler
//
// Split-K gives each tile of the tail a whole number of blocks. At 4096, 116 tiles for 132 SMs get
// one each: nothing is divided, and 16 SMs are idle. Here the steps of the tail, laid end to end,
// are divided evenly among all blocks that run at once, the workers (stream-K).
//   steps of the tail   |--- tile 0 ---|--- tile 1 ---|--- tile 2 ---|
//   workers (blocks)    |--- 0 ----|---- 1 ---|---- 2 ---|---- 3 ----|
// The last worker to finish steps of a tile adds its parts, in order (fix_up). A share can end one
// tile and start the next, so `partial` has two slots per worker. Where split-K divides the tail, a
// tile keeps its whole number of workers.
// Look at: ./stage18 --shmoo.        make stage18 && ./stage18 -n 1000        make diff A=17 B=18
// Long: shares, work and fix-up.
// Expect (cpu, 64x64x2000): atomic_requests == 6
// Expect (sm_90, 4096): rate >= 1.02 * stage17.rate
// Expect (sm_90, 4096): rate >= 0.99 * ref_cublas.rate
// Expect (sm_90, 8192): rate >= 1.01 * ref_cublas.rate
#include "pipeline.h"

using stage10::DEPTH, stage10::position, stage10::Tiles, stage12::multiply_tile;
using stage13::multiply_fragments, stage13::store_tile, stage13::thread_position;
using stage14::allow_shared, stage16::large_tiles, stage16::tile_corner;
using stage17::add_partial_tile, stage17::is_last_part, stage17::store_partial_tile;

// depth of the tiles along K; rows of tiles per supertile; parts per tile, at most; depth of a
// part, at least; tiles of the tail, at most (always fewer than the blocks that run at once)
constexpr int BK = 16, GROUP = 8, MAX_PARTS = 8, MIN_DEPTH = 128, MAX_TAIL = 1024;

__device__ int finished[MAX_TAIL];   // steps done per tile of the tail; 0 between calls

// The steps of all tiles are numbered end to end: tile t has t * steps to (t + 1) * steps - 1. The
// first `full` blocks compute a tile each; the workers share the steps of the tail evenly.
struct schedule {
    int steps, full, tail, workers;
};

// The first step of a block's share.
__device__ int first_step(schedule s, int block)
{
    long long before = max(block - s.full, 0);   // workers

    return min(block, s.full) * s.steps + (int)(s.tail * s.steps * before / max(s.workers, 1));
}

// What a block computes now, steps first to first + count - 1 of a tile; the rest of its share is
// the steps next to end - 1.
struct work {
    int tile, first, count, next, end;
};

// Takes the next work: to the end of its tile or of the share. False if the share is done.
__device__ bool next_work(schedule s, work *w)
{
    w->tile = w->next / s.steps;
    w->first = w->next % s.steps;
    w->count = min(s.steps - w->first, w->end - w->next);
    w->next += w->count;
    return w->count > 0;
}

// Stores a part of a tile. The last worker of the tile adds all its parts, in order: true there.
// Slot 1 of a worker is for a part that starts its tile, slot 0 for any other part.
template <int THREADS, int TM, int TN>
__device__ bool fix_up(float (&sum)[TM][TN], float *partial, schedule s, work w)
{
    int begin = w.tile * s.steps, i = blockIdx.x;

    store_partial_tile<THREADS>(partial, 2 * (i - s.full) + (w.first == 0), sum);
    if (!is_last_part(&finished[w.tile - s.full], w.count, s.steps))
        return false;
    while (first_step(s, i) > begin)   // the first worker of the tile
        i--;
    memset(sum, 0, sizeof sum);
    for (; first_step(s, i) < begin + s.steps; i++)
        add_partial_tile<THREADS>(sum, partial, 2 * (i - s.full) + (first_step(s, i) <= begin));
    return true;
}

// Block tile BM x BN, thread tile TM x TN, BLOCKS per SM. VEC: words per copy of B.
template <int BM, int BN, int TM, int TN, int BLOCKS, int VEC>
__global__ __launch_bounds__(BM / TM * (BN / TN),
                             BLOCKS) void multiply(const float *A, const float *B, float *C, int M,
                                                   int N, int K, schedule s, float *partial)
{
    extern __shared__ float4 memory[];
    Tiles<BM, BN, BK> *smem = (Tiles<BM, BN, BK> *)memory;   // DEPTH of them
    position thread = thread_position<BN, TM, TN>();
    work w = { 0, 0, 0, first_step(s, blockIdx.x), first_step(s, blockIdx.x + 1) };

    while (next_work(s, &w)) {
        position block = tile_corner<BM, BN, GROUP>(w.tile, M, N);   // in C
        alignas(16) float sum[TM][TN] = {};

        __pipeline_wait_prior(0);
        __syncthreads();   // the copies and reads of the tile before are complete
        multiply_tile<VEC>(sum, smem, thread, A, B, M, N, K, block, K - (s.steps - w.first) * BK,
                           w.count, multiply_fragments<TM, TN>);
        if (w.count == s.steps || fix_up<BM / TM *(BN / TN)>(sum, partial, s, w))
            store_tile(C, block.row + thread.row, block.col + thread.col, M, N, sum);
    }
}

// Computes C in tiles of BM x BN, BLOCKS per SM at once.
template <int BM, int BN, int TM, int TN, int BLOCKS>
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<BM, BN, TM, TN, BLOCKS, 1> : multiply<BM, BN, TM, TN, BLOCKS, 4>;
    int tiles = ceil_div(M, BM) * ceil_div(N, BN), bytes = DEPTH * sizeof(Tiles<BM, BN, BK>);
    int resident = BLOCKS * multiprocessors(), tail = tiles % resident;   // tiles of the last wave
    int parts = min(min(MAX_PARTS, resident / max(tail, 1)), K / MIN_DEPTH);
    bool stream_k = (long long)tail * K >= (long long)MIN_DEPTH * resident;
    int workers = parts >= 2 ? tail * parts : stream_k ? resident : tail;
    schedule s = { ceil_div(K, BK), tiles - tail, tail, workers };
    float *partial = (float *)scratch((size_t)2 * workers * BM * BN * sizeof *partial);

    if (allow_shared(kernel, bytes))
        kernel<<<s.full + workers, BM / TM *(BN / TN), bytes>>>(A, B, C, M, N, K, s, partial);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (large_tiles(M, N))
        launch<128, 256, 16, 8, 1>(A, B, C, M, N, K);
    else
        launch<64, 128, 8, 8, 3>(A, B, C, M, N, K);
}

// stage23: stream-K tile scheduler, with tiles that are 16 deep
//
// Tiles run in waves. At 4096, 512 tiles on 132 SMs are three full waves and a tail of 116: 16 SMs
// are idle. Split-K (stage 10) gives each tile a whole number of blocks, here one. So the steps of
// the tail, laid end to end, are divided evenly among all blocks that run at once, the workers.
//   steps of the tail   |--- tile 0 ---|--- tile 1 ---|--- tile 2 ---|
//   workers (blocks)    |--- 0 ----|---- 1 ---|---- 2 ---|---- 3 ----|
// The last worker to finish a part of a tile adds its parts, in order (fix_up). A share has steps
// of one tile or of two: two slots per worker. Where 2 parts per tile fit, each tile keeps a whole
// number of workers (split-K). A step is 16 deep: half the barriers, in 74496 bytes.
// Look at: the rate without either (DIVIDE=0, STEP=8). At 4096 they gain 2.6 % and 1.1 to 1.4 %.
// make stage23 && ./stage23        make diff A=22 B=23
// This page is long because it shows shares and the fix-up.
// Expect (cpu, 64x512x2000): atomic_requests == 8
// Expect (sm_90, 4096): rate >= 1.03 * ref_cublas.rate
// Expect (sm_90, 8192): rate >= 1.04 * ref_cublas.rate
#include "tiles.h"

using stage10::add_partial_tile, stage10::finished, stage10::store_partial_tile;
using stage19::Copies, stage20::multiply_tile, stage21::multiply_snake, stage21::store_words;
using stage22::large_tiles, stage22::tile_corner;

#ifndef STEP
#define STEP 16   // depth of the tiles along K
#endif
#ifndef DIVIDE
#define DIVIDE 1   // 0: a block per tile, as in stage 22
#endif
#ifndef PLACES
#define PLACES 1   // 0: the places of the lanes of stage 20
#endif
constexpr int BK = STEP;

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

// Block tile BM x BN, thread tile TM x TN, BLOCKS per SM. VEC: words per copy of B.
template <int BM, int BN, int TM, int TN, int BLOCKS, int VEC, int THREADS = (BM / TM) * (BN / TN)>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    multiply(const float *A, const float *B, float *C, int M, int N, int K, schedule s,
             float *partial)
{
    // float4: aligned to 16 bytes. All kernels must declare one type, but their Tiles differ.
    extern __shared__ float4 memory[];
    Tiles<BM, BN, BK> *smem = (Tiles<BM, BN, BK> *)memory;   // DEPTH of them
    position thread = PLACES ? thread_position<BN, TM, TN>() : plain_position<BN, TM, TN>();
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
    int tiles = ceil_div(M, BM) * ceil_div(N, BN), bytes = DEPTH * sizeof(Tiles<BM, BN, BK>);
    schedule s = { ceil_div(K, BK), tiles, 0, 0 };   // no tail
    if (DIVIDE)
        s = divide(tiles, ceil_div(K, BK), K, BLOCKS * multiprocessors());
    float *partial = (float *)scratch((size_t)2 * s.workers * BM * BN * sizeof *partial);

    if (allow_shared(kernel, bytes))
        kernel<<<s.full + s.workers, THREADS, bytes>>>(A, B, C, M, N, K, s, partial);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (large_tiles(M, N))
        launch<128, 256, 16, 8, 1>(A, B, C, M, N, K);
    else
        launch<64, 128, 8, 8, 3>(A, B, C, M, N, K);
}

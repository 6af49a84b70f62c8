// stage16: split-K: a partial wave of tiles is divided along K
//
// Tiles run in waves of as many as fit the GPU. At 3072, 288 tiles on 132 SMs make two full waves
// and a tail of 24 tiles, in which 108 SMs are idle. Here several blocks compute each tile of the
// tail: each sums a part of the steps along K. At 3072, 5 parts per tile occupy 120 SMs.
//   full waves    a block per tile    |------------ tile 0 ------------|  ...
//   tail          a block per part    |- 0 -|- 1 -|- 2 -|- 3 -|- 4 -|     of each tile
// Each block stores its sums to global memory and adds its steps to a counter. The block that
// completes the counter adds all parts (the last-block pattern of week 2). It adds them in order of
// the steps, so that every run gives the same bits.
// Look at: ./stage16 --shmoo; 1024: 128 small tiles, 3 parts each, for 132 SMs x 3 blocks. On the
// CPU device 2 SMs x 3 blocks compute one small tile in 6 parts.
// This page is long because it shows how partial tiles are stored, counted and added.
// make stage16 && ./stage16 -n 512        make diff A=15 B=16
// Expect (cpu, 64x64x2000): atomic_requests == 6
// Expect (sm_90, 1024): rate >= stage15.rate
#include "tiles.h"

using stage10::DEPTH, stage10::position, stage10::Tiles, stage11::Copies, stage12::multiply_tile;
using stage13::multiply_snake, stage13::store_words, stage13::thread_position;
using stage15::large_tiles, stage15::tile_corner;

constexpr int BK = 8;            // depth of the tiles along K
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

// Block tile BM x BN, thread tile TM x TN, BLOCKS per SM. VEC: words per copy of B.
template <int BM, int BN, int TM, int TN, int BLOCKS, int VEC, int THREADS = (BM / TM) * (BN / TN)>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    multiply(const float *A, const float *B, float *C, int M, int N, int K, int full, int parts,
             float *partial)
{
    __shared__ Tiles<BM, BN, BK> smem[DEPTH];
    position thread = thread_position<BN, TM, TN>();
    // The first `full` blocks compute a tile each: all steps. The others are workers: each computes
    // one of `parts` parts of a tile, its steps first to first + count - 1.
    int steps = ceil_div(K, BK), tile = blockIdx.x, first = 0, count = steps;
    int worker = blockIdx.x - full, part = worker % parts;
    if (worker >= 0) {   // not one of the first `full` blocks
        tile = full + worker / parts;
        first = steps * part / parts;
        count = steps * (part + 1) / parts - first;
    }
    position block = tile_corner<BM, BN>(tile, N);   // in C
    alignas(16) float sum[TM][TN] = {};

    Copies<VEC, THREADS, BM, BN, BK> copies = { A, B, N };
    copies.prepare(M, K, block, K - (steps - first) * BK);   // the last step ends at K
    multiply_tile(sum, smem, thread, copies, count, multiply_snake<TM, TN>);
    if (count < steps) {
        store_partial_tile<THREADS>(partial, worker, sum);
        if (!is_last_part(&finished[tile - full], count, steps))
            return;
        for (int i = 0; i < TM * TN; i++)
            sum[i / TN][i % TN] = 0;
        for (int i = 0; i < parts; i++)
            add_partial_tile<THREADS>(sum, partial, worker - part + i);
    }
    store_words(C, block.row + thread.row, block.col + thread.col, M, N, sum);
}

// Computes C in tiles of BM x BN, BLOCKS per SM at once.
template <int BM, int BN, int TM, int TN, int BLOCKS, int THREADS = (BM / TM) * (BN / TN)>
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<BM, BN, TM, TN, BLOCKS, 1> : multiply<BM, BN, TM, TN, BLOCKS, 4>;
    int tiles = ceil_div(M, BM) * ceil_div(N, BN);
    int resident = BLOCKS * multiprocessors(), tail = tiles % min(resident, MAX_TAIL);
    // as many parts as blocks run at once; at most MAX_PARTS, each at least MIN_DEPTH deep
    int parts = min(min(MAX_PARTS, resident / max(tail, 1)), K / MIN_DEPTH);
    int full = parts >= 2 ? tiles - tail : tiles, workers = (tiles - full) * parts;
    float *partial = (float *)scratch((size_t)workers * BM * BN * sizeof *partial);

    kernel<<<full + workers, THREADS>>>(A, B, C, M, N, K, full, max(parts, 1), partial);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (large_tiles(M, N))
        launch<128, 256, 16, 8, 1>(A, B, C, M, N, K);
    else
        launch<64, 128, 8, 8, 3>(A, B, C, M, N, K);
}

// stage17: split-K: a partial wave of tiles is divided along K
//
// Tiles run in waves of as many as fit the GPU. At 3072, 288 tiles on 132 SMs make two full waves
// and a tail of 24 tiles, in which 108 SMs are idle. Here several blocks compute each tile of the
// tail: each sums a part of the steps along K. At 3072, 5 parts per tile occupy 120 SMs.
//
//   full waves    a block per tile    |------------ tile 0 ------------|  ...
//   tail          a block per part    |- 0 -|- 1 -|- 2 -|- 3 -|- 4 -|     of each tile
//
// Each block stores its sums to global memory and adds its steps to a counter. The block that
// completes the counter adds all parts (the last-block pattern of week 2). It adds them in order of
// the steps, so that every run gives the same bits.
// Look at: ./stage17 --shmoo; 1024: 128 small tiles, 3 parts each, for 132 SMs x 3 blocks.
// make stage17 && ./stage17 -n 512        make diff A=16 B=17
// Expect (cpu, 64x64x2000): atomic_requests == 6
// Expect (sm_90, 1024): rate >= 1.04 * stage16.rate
#include "old_pipeline.h"

#define MAX_PARTS 8     // split-K: parts per tile, at most
#define MIN_DEPTH 128   // depth of a part along K, at least
#define MAX_TAIL 1024   // tiles of the tail, at most; always fewer than the blocks at once

__device__ int finished[MAX_TAIL];   // steps done per tile of the tail; 0 between calls

// Stores the sums of a part of a tile to slot `slot` of `partial`. A slot has BM x BN words: for
// each sum, one word per thread. Adjacent threads store adjacent words (coalesced).
template <int BM, int BN, int TM, int TN>
__device__ void store_partial_tile(float *partial, int slot, const float (&sum)[TM][TN])
{
    float *part = partial + (size_t)slot * (BM * BN) + threadIdx.x;
    for (int i = 0; i < TM * TN; i++)
        part[i * THREADS] = sum[i / TN][i % TN];
}

// The reverse: sum = the part in slot `slot`, or sum += the part if `add`.
template <int BM, int BN, int TM, int TN>
__device__ void load_partial_tile(float (&sum)[TM][TN], const float *partial, int slot, bool add)
{
    const float *part = partial + (size_t)slot * (BM * BN) + threadIdx.x;
    for (int i = 0; i < TM * TN; i++)
        sum[i / TN][i % TN] = (add ? sum[i / TN][i % TN] : 0) + part[i * THREADS];
}

// Block tile BM x BN, thread tile TM x TN, BLOCKS per SM. VEC: words per copy of B.
template <int BM, int BN, int TM, int TN, int BLOCKS, int VEC>
__global__ __launch_bounds__(THREADS, BLOCKS) void multiply(const float *A, const float *B,
                                                            float *C, int M, int N, int K, int full,
                                                            int parts, float *partial)
{
    extern __shared__ float4 memory[];
    Tiles<BM, BN> *smem = (Tiles<BM, BN> *)memory;   // DEPTH of them
    int2 thread = thread_position<BN, TM, TN>();
    // The first `full` blocks compute a tile each. The others are workers: each computes one of
    // `parts` parts of a tile, its steps first to first + count - 1.
    int steps = ceil_div(K, BK), worker = blockIdx.x - full, part = worker % parts;
    int tile = worker < 0 ? blockIdx.x : full + worker / parts;
    int first = worker < 0 ? 0 : steps * part / parts;
    int count = worker < 0 ? steps : steps * (part + 1) / parts - first;
    int2 corner = tile_corner<BM, BN, GROUP>(tile, M, N);
    alignas(16) float sum[TM][TN] = {};

    multiply_tile<VEC>(sum, smem, thread, A, B, M, N, K, corner, first, count);
    if (count < steps) {
        store_partial_tile<BM, BN>(partial, worker, sum);
        if (!is_last_part(&finished[tile - full], count, steps))
            return;
        for (int i = 0; i < parts; i++)
            load_partial_tile<BM, BN>(sum, partial, worker - part + i, i > 0);
    }
    store_tile(C, corner.x + thread.x, corner.y + thread.y, M, N, sum);
}

// Computes C in tiles of BM x BN, BLOCKS per SM at once.
template <int BM, int BN, int TM, int TN, int BLOCKS>
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    int tiles = ceil_div(M, BM) * ceil_div(N, BN), bytes = DEPTH * sizeof(Tiles<BM, BN>);
    auto kernel = N % 4 ? multiply<BM, BN, TM, TN, BLOCKS, 1> : multiply<BM, BN, TM, TN, BLOCKS, 4>;
    int resident = BLOCKS * multiprocessors(), tail = tiles % resident;   // tiles of the last wave
    int parts = min(min(MAX_PARTS, resident / max(tail, 1)), K / MIN_DEPTH);
    int full = parts >= 2 ? tiles - tail : tiles, workers = (tiles - full) * parts;
    float *partial = (float *)scratch((size_t)workers * BM * BN * sizeof *partial);

    if (allow_shared(kernel, bytes))
        kernel<<<full + workers, THREADS, bytes>>>(A, B, C, M, N, K, full, max(parts, 1), partial);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    // large tiles if they occupy half of the SMs or more
    bool large = min(M, N) > 64 && 2LL * ceil_div(M, 128) * ceil_div(N, 256) >= multiprocessors();
    (large ? launch<128, 256, 16, 8, 1> : launch<64, 128, 8, 8, 3>)(A, B, C, M, N, K);
}

// stage13: stream-K tile scheduler
//
// Blocks of one tile each run in waves: 512 tiles on 132 SMs take four, the last one partial, and
// 32 tiles leave 100 SMs idle. Here only full waves have a block per tile. The steps along K of the
// other tiles, laid end to end, are divided evenly among all blocks that run at once (stream-K).
//   steps of the tail   |--- tile 0 ---|--- tile 1 ---|--- tile 2 ---|
//   workers (blocks)    |--- 0 ----|---- 1 ---|---- 2 ---|---- 3 ----|
// The last worker of a tile adds its parts, in order. A short tail has 2 to 8 whole workers per
// tile (split-K). Tiles in groups of rows reuse L2 (rasterization). Small C: smaller tiles.
// Look at: ./stage13 --shmoo, where stage 11 loses to partial waves.
// From: stage11
// Long: the scheduler and the sum of partial tiles are added to the pipeline of stage 11.
// make stage13 && ./stage13 -n 1000        make diff A=11 B=13
// Expect (cpu, 64x64x2000): atomic_requests == 6
// Expect (sm_90, 1024): rate >= 3.1 * stage11.rate
// Expect (sm_90, 4096): rate >= 1.03 * ref_cublas.rate
#include "matmul.h"

#define BK 16         // depth of the tiles along K: one step
#define DEPTH 3       // stages of the pipeline: buffers in shared memory
#define GROUP 8       // rasterization: rows of tiles per group
#define LANE_ROWS 4   // the lanes of a warp form 4 rows of 8
#define LANE_COLS 8
#define MAX_TILE (128 * 256)   // elements of C that the blocks of an SM compute at once, at most
#define MAX_PARTS 8            // split-K: parts per tile, at most
#define MIN_STEPS 8            // steps per part, at least

// A part of a tile, summed over some of the steps, in `partial`: one word per thread and sum.
template <int THREADS, int TM, int TN>
__device__ void store_partial_tile(float *partial, int slot, const float (&sum)[TM][TN])
{
    float *part = partial + (size_t)slot * (THREADS * TM * TN) + threadIdx.x;
    for (int i = 0; i < TM * TN; i++)
        part[i * THREADS] = sum[i / TN][i % TN];
}

template <int THREADS, int TM, int TN>
__device__ void add_partial_tile(const float *partial, int slot, float (&sum)[TM][TN])
{
    const float *part = partial + (size_t)slot * (THREADS * TM * TN) + threadIdx.x;
    for (int i = 0; i < TM * TN; i++)
        sum[i / TN][i % TN] += part[i * THREADS];
}

// Rasterization: the tiles run down the columns of a group of GROUP rows of tiles, then the next
// group. Returns the row (x) and column (y) of tiles.
__device__ int2 tile_position(int tile, int tile_rows, int tile_cols)
{
    int group = tile / (GROUP * tile_cols) * GROUP, height = min(GROUP, tile_rows - group);
    int in_group = tile % (GROUP * tile_cols);

    return make_int2(group + in_group % height, in_group / height);
}

// Block tile BM x BN, thread tile TM x TN, BLOCKS per SM. VEC: words per copy of B.
// `partial` has room for two tiles per worker: the end of one and the start of another. `finished`
// counts, per tile that is divided, the steps whose sums are in `partial`; 0 before and after.
template <int BM, int BN, int TM, int TN, int BLOCKS, int VEC>
__global__ __launch_bounds__(BM / TM * (BN / TN),
                             BLOCKS) void multiply(const float *A, const float *B, float *C, int M,
                                                   int N, int K, int full, int workers,
                                                   float *partial, int *finished)
{
    struct Tiles {
        float a[BK][BM + 4];   // transposed
        float b[BK][BN];
    };
    extern __shared__ float4 memory[];
    Tiles *smem = (Tiles *)memory;   // DEPTH of them
    const int THREADS = BM / TM * (BN / TN), WM = LANE_ROWS * TM, WN = LANE_COLS * TN;
    const int ROWS_A = THREADS / BK, ROWS_B = THREADS * VEC / BN;   // copied by one pass of a block
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // lanes n, n ^ 1 and n ^ 2 differ in row and column
    int lane_col = lane / LANE_ROWS ^ lane % LANE_ROWS, lane_row = lane % LANE_ROWS;
    // in the block tile: the corner of the warp tile, then the lane's first group of 4 x 4 in it
    int thread_col = warp % (BN / WN) * WN + lane_col * 4;
    int thread_row = warp / (BN / WN) * WM + lane_row * 4;
    // this thread copies column k_a of A from row m_a on, and n_b of B from row k_b on
    int k_a = threadIdx.x % BK, m_a = threadIdx.x / BK;
    int k_b = threadIdx.x / (BN / VEC), n_b = threadIdx.x % (BN / VEC) * VEC;

    // the schedule: a block of a full wave has all steps of one tile, a worker its share of the
    // tail
    int steps = ceil_div(K, BK), tile_rows = ceil_div(M, BM), tile_cols = ceil_div(N, BN);
    int tile = blockIdx.x, first = 0, count = steps, worker = blockIdx.x - full;
    long long tail = (long long)(tile_rows * tile_cols - full) * steps;
    long long next_step = worker < 0 ? 0 : tail * worker / workers;
    long long end = worker < 0 ? 0 : tail * (worker + 1) / workers;

    do {
        if (worker >= 0) {   // next work tile: up to the end of the tile or of the share
            tile = full + next_step / steps;
            first = next_step % steps;
            count = min((long long)steps - first, end - next_step);
            next_step += count;
        }
        int2 at = tile_position(tile, tile_rows, tile_cols);
        int block_row = at.x * BM, block_col = at.y * BN;

        alignas(16) float sum[TM][TN] = {}, frag_a[2][TM], frag_b[2][TN];
        // step 0 starts at k0 <= 0, so that the others are complete
        int k0 = K - steps * BK, row_a[BM / ROWS_A];
        const float *from_a = A + k0 + first * BK + k_a;
        const float *from_b = B + ((ptrdiff_t)k0 + first * BK) * N + min(block_col + n_b, N - VEC);
        for (int i = 0; i < BM / ROWS_A; i++)
            row_a[i] = min(block_row + m_a + i * ROWS_A, M - 1) * K;
        auto copy_tiles = [&](Tiles *to, int zeros) {   // the first `zeros` k become 0
            for (int i = 0; i < BM / ROWS_A; i++)
                __pipeline_memcpy_async(&to->a[k_a][m_a + i * ROWS_A],
                                        k_a < zeros ? A : &from_a[row_a[i]], 4,
                                        k_a < zeros ? 4 : 0);
            for (int i = 0; i < BK; i += ROWS_B)
                __pipeline_memcpy_async(&to->b[k_b + i][n_b],
                                        k_b + i < zeros ? B : &from_b[(k_b + i) * N], 4 * VEC,
                                        k_b + i < zeros ? 4 * VEC : 0);
            from_a += BK;
            from_b += (ptrdiff_t)BK * N;
        };
        // this thread's words of column k of A and row k of B, in groups of 4, as in stage 8
        auto load_fragments = [&](int set, Tiles *from, int k) {
            for (int i = 0; i < TM; i += 4)
                *(float4 *)&frag_a[set][i] = *(float4 *)&from->a[k][thread_row + LANE_ROWS * i];
            for (int j = 0; j < TN; j += 4)
                *(float4 *)&frag_b[set][j] = *(float4 *)&from->b[k][thread_col + LANE_COLS * j];
        };

        __pipeline_wait_prior(0);
        __syncthreads();   // the copies and reads of the tile before are complete
        for (int stage = 0; stage < DEPTH; stage++) {   // prologue: fill the pipeline
            copy_tiles(&smem[stage], stage >= count ? BK : first + stage == 0 ? -k0 : 0);
            __pipeline_commit();
        }
        __pipeline_wait_prior(DEPTH - 1);
        __syncthreads();
        load_fragments(0, smem, 0);
        for (int step = 0, stage = 0; step < count; step++) {
            Tiles *tiles = &smem[stage];
            Tiles *next = &smem[stage = stage < DEPTH - 1 ? stage + 1 : 0];
#pragma unroll   // registers cannot be indexed dynamically: k % 2 must be a constant
            for (int k = 0; k < BK; k++) {
                if (k < BK - 1)
                    load_fragments((k + 1) % 2, tiles, k + 1);
                else {
                    __pipeline_wait_prior(DEPTH - 2);
                    __syncthreads();   // the next tiles are complete, and these are read
                    load_fragments(0, next, 0);
                    if (step + DEPTH < count)
                        copy_tiles(tiles, 0);
                    __pipeline_commit();   // an empty group at the end: the count stays right
                }
                for (int i = 0; i < TM; i++)
                    for (int jj = 0; jj < TN; jj++) {
                        int j = i % 2 ? TN - 1 - jj : jj;   // snake order
                        sum[i][j] += frag_a[k % 2][i] * frag_b[k % 2][j];
                    }
            }
        }
        if (count < steps) {   // other workers have the other parts of this tile
            store_partial_tile<THREADS>(partial, 2 * worker + (first == 0), sum);
            __threadfence();   // the part is visible before it is counted
            __syncthreads();
            bool last =
                threadIdx.x == 0 && atomicAdd(&finished[tile - full], count) == steps - count;
            if (!__syncthreads_or(last))
                continue;      // a later worker adds the parts
            __threadfence();   // no part is read before it was counted
            if (threadIdx.x == 0)
                finished[tile - full] = 0;
            for (int i = 0; i < TM * TN; i++)
                sum[i / TN][i % TN] = 0;
            // in the order of the steps, so that every run adds in the same order
            long long begin = (long long)(tile - full) * steps;
            for (long long part = begin; part < begin + steps;) {
                int owner = ((part + 1) * workers - 1) / tail;   // whose share has this step
                add_partial_tile<THREADS>(partial, 2 * owner + (part == begin), sum);
                part = tail * (owner + 1) / workers;   // where the share of the next one starts
            }
        }
        store_tile<LANE_ROWS, LANE_COLS>(C, block_row + thread_row, block_col + thread_col, M, N,
                                         sum);
    } while (next_step < end);
}

// Computes C in tiles of BM x BN, BLOCKS per SM at once.
template <int BM, int BN, int TM, int TN, int BLOCKS>
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<BM, BN, TM, TN, BLOCKS, 1> : multiply<BM, BN, TM, TN, BLOCKS, 4>;
    const int threads = BM / TM * (BN / TN), bytes = DEPTH * BK * (BM + 4 + BN) * sizeof(float);
    int resident = BLOCKS * multiprocessors(), tiles = ceil_div(M, BM) * ceil_div(N, BN);
    int steps = ceil_div(K, BK), tail = tiles % resident;   // tiles of the partial wave
    int parts = tail ? min(min(MAX_PARTS, resident / tail), steps / MIN_STEPS) : 0;
    // stream-K pays if the last wave is less than 95 % full and every worker gets MIN_STEPS
    bool stream_k =
        20 * tail < 19 * resident && (long long)tail * steps >= (long long)MIN_STEPS * resident;
    int workers = parts >= 2 ? tail * parts : stream_k ? resident : 0;
    int full = workers ? tiles - tail : tiles;
    // the same size for every tile shape: scratch memory stays, and `finished` stays 0
    size_t room = (size_t)2 * multiprocessors() * MAX_TILE;
    float *partial = (float *)scratch(room * sizeof *partial + 4 * multiprocessors() * sizeof(int));

    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) !=
        cudaSuccess)
        return refuse("not enough shared memory");
    kernel<<<full + workers, threads, bytes>>>(A, B, C, M, N, K, full, max(workers, 1), partial,
                                               (int *)(partial + room));
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (min(M, N) > 64 && 2LL * ceil_div(M, 128) * ceil_div(N, 256) >= multiprocessors())
        launch<128, 256, 16, 8, 1>(A, B, C, M, N, K);
    else if (N > 64)
        launch<64, 128, 8, 8, 3>(A, B, C, M, N, K);
    else
        launch<64, 64, 8, 4, 3>(A, B, C, M, N, K);
}

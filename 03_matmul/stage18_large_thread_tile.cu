// stage18: larger thread tile: 16 x 8 sums per thread, one block per SM
//
// Stage 8 loads 16 words from shared memory per 64 multiply-adds. A larger thread tile uses each
// word more often. Only constants and launch bounds change:
//             thread tile   lanes    warp tile   block tile   float4 loads per 128 FMAs   sums
//   stage 8       8 x 8      8 x 4    64 x 32     128 x 128              8                  64
//   stage 18     16 x 8      4 x 8    64 x 64     128 x 256              6                 128
// (4 x 8 lanes make a square warp tile: fewer words of A and B for as many sums.)
// The price: a thread needs more than 128 registers, so only one block of 256 threads fits an SM.
// 8 warps per SM hide less latency than 16. Stage 20 then hides latency within each warp.
// Larger tiles: 3 buffers (DEPTH) fit into 48 KB, 4 do not. At 1024, 32 blocks leave 100 SMs idle.
// Look at: shared requests; registers (make regs).
// From: stage8
// make stage18 && ./stage18        make diff A=8 B=18
// Expect (cpu, 256x256x64): shared_requests <= 0.76 * stage8.shared_requests
// Expect (sm_90, 4096): rate >= 1.05 * stage8.rate
#include "copies.h"

using stage7::store4, stage8::copy_async;

// block tile: rows and columns of C per block, and depth along K; thread tile: rows and columns;
// the lanes of a warp form 4 rows of 8
constexpr int BM = 128, BN = 256, BK = 8, TM = 16, TN = 8, LANE_ROWS = 4, LANE_COLS = 8;
constexpr int DEPTH = 3;   // buffers in shared memory
// warp tile
constexpr int WM = LANE_ROWS * TM, WN = LANE_COLS * TN, THREADS = BM / WM * (BN / WN) * 32;

template <int VEC>   // words per copy of B: 4 if its rows are 16-byte aligned
__global__ void __launch_bounds__(THREADS, 1)   // 1 block per SM: up to 255 registers per thread
    multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ alignas(16) float tile_a[DEPTH][BK][BM + 4];   // transposed
    __shared__ alignas(16) float tile_b[DEPTH][BK][BN];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // in the block tile: the corner of the warp tile, then the lane's first group of 4 x 4 in it
    int thread_col = warp % (BN / WN) * WN + lane % LANE_COLS * 4;
    int thread_row = warp / (BN / WN) * WM + lane / LANE_COLS * 4;
    int row = blockIdx.y * BM, col = blockIdx.x * BN;   // in C
    alignas(16) float sum[TM][TN] = {}, frag_a[TM], frag_b[TN];

    auto copy_tiles = [&](int buffer, int k0) {
        // adjacent threads copy adjacent words of a row of A, VEC at a time of a row of B
        for (int i = threadIdx.x; i < BM * BK; i += THREADS) {
            int m = i / BK, k = i % BK;
            copy_async<1>(&tile_a[buffer][k][m], A, row + m, k0 + k, M, K);
        }
        for (int i = threadIdx.x; i < BK * BN / VEC; i += THREADS) {
            int k = i / (BN / VEC), n = i % (BN / VEC) * VEC;
            copy_async<VEC>(&tile_b[buffer][k][n], B, k0 + k, col + n, K, N);
        }
    };
    auto load_fragments = [&](int buffer, int k) {
        // the next group is 4 * LANE_ROWS rows further, so group i / 4 is LANE_ROWS * i further
        for (int i = 0; i < TM; i += 4)
            *(float4 *)&frag_a[i] = *(float4 *)&tile_a[buffer][k][thread_row + LANE_ROWS * i];
        for (int j = 0; j < TN; j += 4)
            *(float4 *)&frag_b[j] = *(float4 *)&tile_b[buffer][k][thread_col + LANE_COLS * j];
    };
    for (int buffer = 0; buffer < DEPTH - 1; buffer++) {   // prologue: fill the pipeline
        if (buffer * BK < K)
            copy_tiles(buffer, buffer * BK);
        __pipeline_commit();   // one group: the copies since the last commit
    }
    for (int k0 = 0, buffer = 0; k0 < K; k0 += BK, buffer = (buffer + 1) % DEPTH) {
        __pipeline_wait_prior(DEPTH - 2);   // all but the last DEPTH - 2 groups are complete
        __syncthreads();
        if (k0 + (DEPTH - 1) * BK < K)
            copy_tiles((buffer + DEPTH - 1) % DEPTH, k0 + (DEPTH - 1) * BK);
        __pipeline_commit();   // every step adds a group, even if empty: the wait counts groups
        for (int k = 0; k < BK; k++) {
            load_fragments(buffer, k);
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    sum[i][j] += frag_a[i] * frag_b[j];
        }
    }
    // row i of the thread tile is row i % 4 of group i / 4; groups are 4 * LANE_ROWS rows apart
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4)
            store4<VEC == 4>(C, row + thread_row + 4 * LANE_ROWS * (i / 4) + i % 4,
                             col + thread_col + LANE_COLS * j, M, N, &sum[i][j]);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<1> : multiply<4>;

    kernel<<<dim3(ceil_div(N, BN), ceil_div(M, BM)), THREADS>>>(A, B, C, M, N, K);
}

// stage9: register double buffering (software pipelining of fragments)
//
// A warp of stage 8 loads the fragments of one k, waits for them, multiplies. The 16 warps of an SM
// do not hide all of these waits. Here two sets of fragments alternate: one is loaded while the
// other is multiplied, also from one tile to the next.
//   load       set 1: k = 1     set 0: k = 2     set 1: k = 3     ...  set 0: next tile, k = 0
//   multiply   set 0: k = 0     set 1: k = 1     set 0: k = 2     ...  set 1: k = BK - 1
// All fragments of a tile are loaded before its last multiplication (k = BK - 1). So the buffer is
// refilled before it, and the prologue fills all DEPTH buffers. The loop is now a function, which
// stage 10 calls for a part of K. It takes 4 % less time, as an unrolled stage 8 does (part 3).
// Look at: registers (make regs): a second set needs 16 more, and 2 blocks per SM leave 128.
// This page is long because it shows the whole pipeline as a function.
// make stage9 && ./stage9        make diff A=8 B=9
// Expect (cpu, 256x256x64): shared_requests >= 1.03 * stage8.shared_requests
// Expect (sm_90, 4096): rate >= 1.03 * stage8.rate
// Expect (sm_90, 1024): rate >= 1.08 * stage8.rate
#include "copies.h"

using stage7::store4, stage8::copy_async;

// block tile: rows and columns of C per block, and depth along K; thread tile: rows and columns;
// the lanes of a warp form 8 rows of 4
constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8, LANE_ROWS = 8, LANE_COLS = 4;
constexpr int DEPTH = 4;   // buffers in shared memory
// warp tile
constexpr int WM = LANE_ROWS * TM, WN = LANE_COLS * TN, THREADS = BM / WM * (BN / WN) * 32;

// In the block tile: the corner of the warp tile, then the lane's first group of 4 x 4 in it.
__device__ inline int thread_row()
{
    return threadIdx.x / 32 / (BN / WN) * WM + threadIdx.x % 32 / LANE_COLS * 4;
}
__device__ inline int thread_col()
{
    return threadIdx.x / 32 % (BN / WN) * WN + threadIdx.x % LANE_COLS * 4;
}

// Adds to the sums of the block tile at C[row][col] the products of k = first to end - 1. VEC:
// words per copy of B.
template <int VEC>
__device__ void multiply_tile(float (&sum)[TM][TN], const float *A, const float *B, int M, int N,
                              int K, int row, int col, int first, int end)
{
    __shared__ alignas(16) float tile_a[DEPTH][BK][BM + 4];   // transposed
    __shared__ alignas(16) float tile_b[DEPTH][BK][BN];
    alignas(16) float frag_a[2][TM], frag_b[2][TN];   // two sets
    int m = thread_row(), n = thread_col();

    auto copy_tiles = [&](int buffer, int k0) {
        // adjacent threads copy adjacent words of a row of A, VEC at a time of a row of B
        for (int i = threadIdx.x; i < BM * BK; i += THREADS)
            copy_async<1>(&tile_a[buffer][i % BK][i / BK], A, row + i / BK, k0 + i % BK, M, K);
        for (int i = threadIdx.x; i < BK * BN / VEC; i += THREADS) {
            int k = i / (BN / VEC), n = i % (BN / VEC) * VEC;
            copy_async<VEC>(&tile_b[buffer][k][n], B, k0 + k, col + n, K, N);
        }
    };
    auto load_fragments = [&](int set, int buffer, int k) {
        // the next group is 4 * LANE_ROWS rows further, so group i / 4 is LANE_ROWS * i further
        for (int i = 0; i < TM; i += 4)
            *(float4 *)&frag_a[set][i] = *(float4 *)&tile_a[buffer][k][m + LANE_ROWS * i];
        for (int j = 0; j < TN; j += 4)
            *(float4 *)&frag_b[set][j] = *(float4 *)&tile_b[buffer][k][n + LANE_COLS * j];
    };
    auto multiply_fragments = [&](int set) {
        for (int i = 0; i < TM; i++)
            for (int j = 0; j < TN; j++)
                sum[i][j] += frag_a[set][i] * frag_b[set][j];
    };
    for (int buffer = 0; buffer < DEPTH; buffer++) {   // prologue: fill the pipeline
        copy_tiles(buffer, first + buffer * BK);       // beyond K: zeros
        __pipeline_commit();   // one group: the copies since the last commit
    }
    __pipeline_wait_prior(DEPTH - 1);   // all but the last DEPTH - 1 groups are complete
    __syncthreads();
    load_fragments(0, 0, 0);
    for (int k0 = first, buffer = 0; k0 < end; k0 += BK, buffer = (buffer + 1) % DEPTH) {
#pragma unroll   // registers cannot be indexed dynamically: k % 2 must be a constant
        for (int k = 0; k < BK - 1; k++) {
            load_fragments((k + 1) % 2, buffer, k + 1);
            multiply_fragments(k % 2);
        }
        __pipeline_wait_prior(DEPTH - 2);   // the group of the next step is complete
        __syncthreads();                    // for all threads; no thread reads these tiles again
        load_fragments(0, (buffer + 1) % DEPTH, 0);   // after the last step: loaded, never used
        if (k0 + (DEPTH - 1) * BK < end)
            copy_tiles(buffer, k0 + DEPTH * BK);
        __pipeline_commit();     // every step adds a group, even if empty: the wait counts groups
        multiply_fragments(1);   // k = BK - 1, which is odd
    }
}

template <int VEC>                   // words per copy of B: 4 if its rows are 16-byte aligned
__global__ void MAX_REGISTERS(128)   // 2 blocks of 256 threads per SM
    multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * BM, col = blockIdx.x * BN;   // in C
    alignas(16) float sum[TM][TN] = {};

    multiply_tile<VEC>(sum, A, B, M, N, K, row, col, 0, K);
    // row i of the thread tile is row i % 4 of group i / 4; groups are 4 * LANE_ROWS rows apart
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4)
            store4<VEC == 4>(C, row + thread_row() + 4 * LANE_ROWS * (i / 4) + i % 4,
                             col + thread_col() + LANE_COLS * j, M, N, &sum[i][j]);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<1> : multiply<4>;

    kernel<<<dim3(ceil_div(N, BN), ceil_div(M, BM)), THREADS>>>(A, B, C, M, N, K);
}

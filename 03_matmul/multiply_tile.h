// The product that stage 9 shows and stage 10 uses. The namespace is named after the stage that
// shows its contents, and has the same text.
#ifndef MULTIPLY_TILE_H
#define MULTIPLY_TILE_H

#include "copies.h"

namespace stage9 {
using stage8::copy_async;

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
}   // namespace stage9
#endif

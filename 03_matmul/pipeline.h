// Types and functions which stages 10 to 17 show and later stages use. Each namespace is named
// after the stage that shows its contents, and has the same text. A stage names what it uses:
// `using stage10::load_fragments;`.
#ifndef PIPELINE_H
#define PIPELINE_H

#include "copies.h"

namespace stage10 {
using stage7::store4;

constexpr int DEPTH = 3;                      // stages of the pipeline: buffers in shared memory
constexpr int LANE_ROWS = 4, LANE_COLS = 8;   // the lanes of a warp form 4 rows of 8

struct position {
    int row, col;
};

// The tiles of one step.
template <int BM, int BN, int BK> struct Tiles {
    alignas(16) float a[BK][BM + 4];   // transposed
    alignas(16) float b[BK][BN];
};

// Loads this thread's words of column k of A and row k of B, in groups of 4.
template <int TM, int TN, class Tiles>
__device__ inline void load_fragments(float (&a)[TM], float (&b)[TN], Tiles &tiles, int k,
                                      position thread)
{
    for (int i = 0; i < TM; i += 4)
        *(float4 *)&a[i] = *(float4 *)&tiles.a[k][thread.row + LANE_ROWS * i];
    for (int j = 0; j < TN; j += 4)
        *(float4 *)&b[j] = *(float4 *)&tiles.b[k][thread.col + LANE_COLS * j];
}

template <int TM, int TN>
__device__ inline void multiply_fragments(float (&sum)[TM][TN], float (&a)[TM], float (&b)[TN])
{
    for (int i = 0; i < TM; i++)
#ifdef SNAKE
        for (int n = 0; n < TN; n++) {
            int j = i % 2 ? TN - 1 - n : n;
            sum[i][j] += a[i] * b[j];
        }
#else
        for (int j = 0; j < TN; j++)
            sum[i][j] += a[i] * b[j];
#endif
}

// Stores the thread tile whose first element is C[row][col]. Row i of the thread tile is row i % 4
// of group i / 4; groups are 4 LANE_ROWS rows apart.
template <bool aligned, int TM, int TN>
__device__ inline void store_tile(float *C, int row, int col, int M, int N, float (&sum)[TM][TN])
{
    for (int i = 0; i < TM; i++)
#ifdef WORDS
        for (int j = 0; j < TN; j++) {
            int m = row + LANE_ROWS * (i / 4 * 4) + i % 4;
            int n = col + LANE_COLS * (j / 4 * 4) + j % 4;
            if (m < M && n < N)
                C[(size_t)m * N + n] = sum[i][j];
        }
#else
        for (int j = 0; j < TN; j += 4)
            store4<aligned>(C, row + LANE_ROWS * (i / 4 * 4) + i % 4, col + LANE_COLS * j, M, N,
                            &sum[i][j]);
#endif
}
}   // namespace stage10

namespace stage11 {
using stage10::position, stage10::Tiles;

// What this thread copies in each step: column k_a of the tile of A, rows m_a, m_a + ROWS_A, ...;
// and columns n_b to n_b + VEC - 1 of the tile of B, rows k_b, k_b + ROWS_B, ...
template <int VEC, int THREADS, int BM, int BN, int BK> struct Copies {
    static const int ROWS_A = THREADS / BK, ROWS_B = THREADS * VEC / BN;   // per pass of a block
    const float *A, *B;
    int N, k_a, m_a, k_b, n_b, row_a[BM / ROWS_A];
    ptrdiff_t next_a, next_b;   // offsets in A and B of the next step; negative where zeros are due

    // The first step starts at column k0 of A and row k0 of B.
    __device__ void prepare(int M, int K, position block, int k0)
    {
        k_a = threadIdx.x % BK;
        m_a = threadIdx.x / BK;
        k_b = threadIdx.x / (BN / VEC);
        n_b = threadIdx.x % (BN / VEC) * VEC;
        next_a = k0 + k_a;
        next_b = (ptrdiff_t)k0 * N + min(block.col + n_b, N - VEC);
        for (int i = 0; i < BM / ROWS_A; i++)
            row_a[i] = min(block.row + m_a + i * ROWS_A, M - 1) * K;   // clamped to the edge
    }

    // Starts the copies of a step. The first `zeros` k of its tiles become 0.
    __device__ void start(Tiles<BM, BN, BK> &to, int zeros)
    {
        for (int i = 0; i < BM / ROWS_A; i++)
            __pipeline_memcpy_async(&to.a[k_a][m_a + i * ROWS_A],
                                    k_a < zeros ? A : A + next_a + row_a[i], 4,
                                    k_a < zeros ? 4 : 0);
        for (int i = 0; i < BK; i += ROWS_B)
            __pipeline_memcpy_async(&to.b[k_b + i][n_b],
                                    k_b + i < zeros ? B : B + next_b + (k_b + i) * N, 4 * VEC,
                                    k_b + i < zeros ? 4 * VEC : 0);
        next_a += BK;
        next_b += (ptrdiff_t)BK * N;
    }
};
}   // namespace stage11

namespace stage12 {
using stage10::DEPTH, stage10::position, stage10::Tiles, stage11::Copies;
using stage10::load_fragments, stage10::multiply_fragments;

// Adds the products of `steps` steps, from k = k0 on, to the sums of the block tile at `block` in
// C. Uses DEPTH buffers at smem.
template <int VEC, int BM, int BN, int BK, int TM, int TN>
__device__ inline void multiply_tile(float (&sum)[TM][TN], Tiles<BM, BN, BK> *smem, position thread,
                                     const float *A, const float *B, int M, int N, int K,
                                     position block, int k0, int steps)
{
    Copies<VEC, BM / TM *(BN / TN), BM, BN, BK> copies = { A, B, N };
    copies.prepare(M, K, block, k0);
    for (int stage = 0; stage < DEPTH; stage++) {   // prologue; past the last step: zeros
        copies.start(smem[stage], stage >= steps ? BK : stage == 0 ? max(-k0, 0) : 0);
        __pipeline_commit();   // one group: the copies since the last commit
    }

    alignas(16) float frag_a[2][TM], frag_b[2][TN];
    __pipeline_wait_prior(DEPTH - 1);   // all but the last DEPTH - 1 groups are complete
    __syncthreads();
    load_fragments(frag_a[0], frag_b[0], smem[0], 0, thread);
    int stage = 0;
    for (int step = 0; step < steps; step++) {
        int next = (stage + 1) % DEPTH;
#pragma unroll   // registers cannot be indexed dynamically: k % 2 must be a constant
        for (int k = 0; k < BK - 1; k++) {
            load_fragments(frag_a[(k + 1) % 2], frag_b[(k + 1) % 2], smem[stage], k + 1, thread);
            multiply_fragments(sum, frag_a[k % 2], frag_b[k % 2]);
        }
        __pipeline_wait_prior(DEPTH - 2);
        __syncthreads();   // the next tiles are complete; no thread reads these tiles again
        load_fragments(frag_a[0], frag_b[0], smem[next], 0, thread);
        if (step + DEPTH < steps)
            copies.start(smem[stage], 0);
        __pipeline_commit();   // every step adds a group, even if empty: the wait counts groups
        multiply_fragments(sum, frag_a[1], frag_b[1]);   // k = BK - 1, which is odd
        stage = next;
    }
}
}   // namespace stage12

namespace stage13 {
using stage10::LANE_COLS, stage10::LANE_ROWS, stage10::position;

// Where in the block tile this thread's first group of 4 x 4 starts.
template <int BN, int TM, int TN> __device__ inline position thread_position()
{
    const int WM = LANE_ROWS * TM, WN = LANE_COLS * TN;   // warp tile
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // lanes n and n ^ 1, n and n ^ 2 differ in row and in column
    int lane_row = lane % LANE_ROWS, lane_col = lane / LANE_ROWS ^ lane_row;
#ifdef PLAIN
    lane_row = lane / LANE_COLS, lane_col = lane % LANE_COLS;
#endif

    return { warp / (BN / WN) * WM + lane_row * 4, warp % (BN / WN) * WN + lane_col * 4 };
}
}   // namespace stage13

namespace stage14 {
// Dynamic shared memory above 48 KB is an opt-in. Refuses the call if the device has less.
template <class Kernel> inline bool allow_shared(Kernel *kernel, int bytes)
{
    bool allowed = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        bytes) == cudaSuccess;

    if (!allowed)
        refuse("not enough shared memory");
    return allowed;
}
}   // namespace stage14

namespace stage15 {
using stage10::position;

// The tiles run down the columns of a supertile of HEIGHT rows of tiles, then of the next
// supertile, whose first row of tiles is `top`. Returns the first element of a tile in C.
template <int BM, int BN, int HEIGHT> __device__ inline position tile_corner(int tile, int M, int N)
{
    int tile_rows = ceil_div(M, BM), tile_cols = ceil_div(N, BN);
    int top = tile / (HEIGHT * tile_cols) * HEIGHT, height = min(HEIGHT, tile_rows - top);
    int in_supertile = tile % (HEIGHT * tile_cols);

    return { (top + in_supertile % height) * BM, in_supertile / height * BN };
}
}   // namespace stage15

namespace stage17 {
// Stores the sums of a part of a tile to slot `slot` of `partial`. A slot has BM x BN words: for
// each sum, one word per thread. Adjacent threads store adjacent words (coalesced).
template <int TM, int TN>
__device__ inline void store_partial_tile(float *partial, int slot, float (&sum)[TM][TN])
{
    float *part = partial + (size_t)slot * (TM * TN * blockDim.x) + threadIdx.x;
    for (int i = 0; i < TM * TN; i++)
        part[i * blockDim.x] = sum[i / TN][i % TN];
}

// Adds the part in slot `slot` to the sums.
template <int TM, int TN>
__device__ inline void add_partial_tile(float (&sum)[TM][TN], const float *partial, int slot)
{
    const float *part = partial + (size_t)slot * (TM * TN * blockDim.x) + threadIdx.x;
    for (int i = 0; i < TM * TN; i++)
        sum[i / TN][i % TN] += part[i * blockDim.x];
}

// Adds `count` to *finished. True in the block that makes it `all`: it may read what the others
// stored, and *finished is 0 again. The last-block pattern of week 2, single-pass reduction.
__device__ inline bool is_last_part(int *finished, int count, int all)
{
    __threadfence();   // the part is visible before it is counted
    __syncthreads();
    bool last = threadIdx.x == 0 && atomicAdd(finished, count) == all - count;
    if (last)
        *finished = 0;
    last = __syncthreads_or(last);
    __threadfence();   // no part is read before it was counted
    return last;
}
}   // namespace stage17
#endif

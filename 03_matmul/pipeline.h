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
__device__ void load_fragments(float (&a)[TM], float (&b)[TN], Tiles &tiles, int k, position thread)
{
    for (int i = 0; i < TM; i += 4)
        *(float4 *)&a[i] = *(float4 *)&tiles.a[k][thread.row + LANE_ROWS * i];
    for (int j = 0; j < TN; j += 4)
        *(float4 *)&b[j] = *(float4 *)&tiles.b[k][thread.col + LANE_COLS * j];
}

template <int TM, int TN>
__device__ void multiply_fragments(float (&sum)[TM][TN], float (&a)[TM], float (&b)[TN])
{
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++)
            sum[i][j] += a[i] * b[j];
}

// Stores the thread tile whose first element is C[row][col]. Row i of the thread tile is row i % 4
// of group i / 4; groups are 4 LANE_ROWS rows apart.
template <bool aligned, int TM, int TN>
__device__ void store_tile(float *C, int row, int col, int M, int N, float (&sum)[TM][TN])
{
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4)
            store4<aligned>(C, row + LANE_ROWS * (i / 4 * 4) + i % 4, col + LANE_COLS * j, M, N,
                            &sum[i][j]);
}
}   // namespace stage10

namespace stage11 {
using stage10::position, stage10::Tiles;

// What this thread copies in each step: column k_a of the tile of A, rows m_a, m_a + ROWS_A, ...;
// and columns n_b to n_b + VEC - 1 of the tile of B, rows k_b, k_b + ROWS_B, ...
template <int VEC, int THREADS, int BM, int BN, int BK> struct Copies {
    static const int ROWS_A = THREADS / BK, ROWS_B = THREADS * VEC / BN;   // per pass of a block
    const float *A, *B, *from_a, *from_b;   // from_a, from_b: column k of A and row k of B
    int N, k_a, m_a, k_b, n_b, at_a[BM / ROWS_A], at_b;   // at_a, at_b: offsets from there

    // The first step starts at k = k0, which is negative if it is incomplete.
    __device__ void prepare(int M, int K, position block, int k0)
    {
        k_a = threadIdx.x % BK;
        m_a = threadIdx.x / BK;
        k_b = threadIdx.x / (BN / VEC);
        n_b = threadIdx.x % (BN / VEC) * VEC;
        from_a = A + max(k0, 0);
        from_b = B + (size_t)max(k0, 0) * N;
        for (int i = 0; i < BM / ROWS_A; i++)
            at_a[i] = min(block.row + m_a + i * ROWS_A, M - 1) * K + k_a;   // clamped to the edge
        at_b = k_b * N + min(block.col + n_b, N - VEC);
    }

    // Starts the copies of a step. The first `zeros` k of its tiles become 0.
    __device__ void start(Tiles<BM, BN, BK> &to, int zeros)
    {
        for (int i = 0; i < BM / ROWS_A; i++)
            __pipeline_memcpy_async(&to.a[k_a][m_a + i * ROWS_A],
                                    k_a < zeros ? A : &from_a[at_a[i] - zeros], 4,
                                    k_a < zeros ? 4 : 0);
        for (int i = 0; i < BK; i += ROWS_B)
            __pipeline_memcpy_async(&to.b[k_b + i][n_b],
                                    k_b + i < zeros ? B : &from_b[at_b + (i - zeros) * N], 4 * VEC,
                                    k_b + i < zeros ? 4 * VEC : 0);
        from_a += BK - zeros;
        from_b += (ptrdiff_t)(BK - zeros) * N;
    }
};
}   // namespace stage11

namespace stage12 {
using stage10::DEPTH, stage10::load_fragments, stage10::position, stage10::Tiles;
using stage11::Copies;

// Adds the products of `steps` steps, from k = k0 on, to the sums of the block tile at `block` in
// C. Uses DEPTH buffers at smem. `multiply` is multiply_fragments, of this stage or of a later one.
template <int VEC, class Multiply, int BM, int BN, int BK, int TM, int TN>
__device__ void multiply_tile(float (&sum)[TM][TN], Tiles<BM, BN, BK> *smem, position thread,
                              const float *A, const float *B, int M, int N, int K, position block,
                              int k0, int steps, Multiply multiply)
{
    Copies<VEC, BM / TM *(BN / TN), BM, BN, BK> copies = { A, B, A, B, N };
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
            multiply(sum, frag_a[k % 2], frag_b[k % 2]);
        }
        __pipeline_wait_prior(DEPTH - 2);
        __syncthreads();   // the next tiles are complete; no thread reads these tiles again
        load_fragments(frag_a[0], frag_b[0], smem[next], 0, thread);
        if (step + DEPTH < steps)
            copies.start(smem[stage], 0);
        __pipeline_commit();   // every step adds a group, even if empty: the wait counts groups
        multiply(sum, frag_a[1], frag_b[1]);   // k = BK - 1, which is odd
        stage = next;
    }
}
}   // namespace stage12

namespace stage13 {
using stage10::LANE_COLS, stage10::LANE_ROWS, stage10::position;

// Where in the block tile this thread's first group of 4 x 4 starts.
//   lane        0  1  2  3     4  5  6  7     8 ...
//   lane_row    0  1  2  3     0  1  2  3     0
//   lane_col    0  1  2  3     1  0  3  2     2       lane / 4 XOR lane_row
template <int BN, int TM, int TN> __device__ position thread_position()
{
    const int WM = LANE_ROWS * TM, WN = LANE_COLS * TN;   // warp tile
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int lane_row = lane % LANE_ROWS, lane_col = lane / LANE_ROWS ^ lane_row;

    return { warp / (BN / WN) * WM + lane_row * 4, warp % (BN / WN) * WN + lane_col * 4 };
}

template <int TM, int TN>
__device__ void multiply_fragments(float (&sum)[TM][TN], float (&a)[TM], float (&b)[TN])
{
    for (int i = 0; i < TM; i++)
        for (int n = 0; n < TN; n++) {
            int j = i % 2 ? TN - 1 - n : n;   // snake order
            sum[i][j] += a[i] * b[j];
        }
}

// Stores the thread tile whose first element is C[row][col], word by word. Row i of the thread tile
// is row i % 4 of group i / 4; groups are 4 LANE_ROWS rows apart. Columns likewise.
template <int TM, int TN>
__device__ void store_tile(float *C, int row, int col, int M, int N, float (&sum)[TM][TN])
{
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) {
            int m = row + LANE_ROWS * (i / 4 * 4) + i % 4;
            int n = col + LANE_COLS * (j / 4 * 4) + j % 4;
            if (m < M && n < N)
                C[(size_t)m * N + n] = sum[i][j];
        }
}
}   // namespace stage13

namespace stage14 {
// Dynamic shared memory above 48 KB is an opt-in. Refuses the call if the device has less.
template <class Kernel> bool allow_shared(Kernel *kernel, int bytes)
{
    bool allowed = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        bytes) == cudaSuccess;

    if (!allowed)
        refuse("not enough shared memory");
    return allowed;
}
}   // namespace stage14

namespace stage16 {
using stage10::position;

// The first element of a tile of C. The tiles run down the columns of a supertile of HEIGHT rows of
// tiles, then of the next supertile, whose first row of tiles is `top` (rasterization).
template <int BM, int BN, int HEIGHT> __device__ position tile_corner(int tile, int M, int N)
{
    int tile_rows = ceil_div(M, BM), tile_cols = ceil_div(N, BN);
    int top = tile / (HEIGHT * tile_cols) * HEIGHT, height = min(HEIGHT, tile_rows - top);
    int in_supertile = tile % (HEIGHT * tile_cols);

    return { (top + in_supertile % height) * BM, in_supertile / height * BN };
}

// Whether tiles of 128 x 256 occupy half of the SMs or more.
inline bool large_tiles(int M, int N)
{
    return min(M, N) > 64 && 2LL * ceil_div(M, 128) * ceil_div(N, 256) >= multiprocessors();
}
}   // namespace stage16

namespace stage17 {
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
    __threadfence();   // no part is read before it was counted
    return last;
}
}   // namespace stage17

#endif

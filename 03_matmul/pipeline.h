// Types and functions of the fp32 kernels from stage 19 on: first the parts of stage 18's kernel,
// with the sizes as template parameters; then, in namespaces that are named after the stage that
// shows their contents, and with the same text, what stages 19 to 21 add. A stage names what it
// uses: `using stage19::Copies;`.
#ifndef PIPELINE_H
#define PIPELINE_H

#include "copies.h"

constexpr int DEPTH = 3;                      // buffers in shared memory
constexpr int LANE_ROWS = 4, LANE_COLS = 8;   // the lanes of a warp form 4 rows of 8

struct position {
    int row, col;
};

// The tiles of one step: BM x BK words of A, BK x BN words of B.
template <int BM, int BN, int BK> struct Tiles {
    alignas(16) float a[BK][BM + 4];   // transposed
    alignas(16) float b[BK][BN];
};

// Loads this thread's words of column k of A and row k of B, in groups of 4. AnyTiles: Tiles, or
// another type with arrays a and b. Groups are 4 * LANE_ROWS rows apart: group i / 4 is LANE_ROWS *
// i rows further than the first.
template <int TM, int TN, class AnyTiles>
__device__ void load_fragments(float (&a)[TM], float (&b)[TN], AnyTiles &tiles, int k,
                               position thread)
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
// of group i / 4.
template <bool aligned, int TM, int TN>
__device__ void store_tile(float *C, int row, int col, int M, int N, float (&sum)[TM][TN])
{
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4)
            stage7::store4<aligned>(C, row + 4 * LANE_ROWS * (i / 4) + i % 4, col + LANE_COLS * j,
                                    M, N, &sum[i][j]);
}

// Where in the block tile this thread's first group of 4 x 4 starts, as in stage 18: the corner of
// the warp tile, then the lane's place in it, row by row.
template <int BN, int TM, int TN> __device__ position plain_position()
{
    const int WM = LANE_ROWS * TM, WN = LANE_COLS * TN;   // warp tile
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    return { warp / (BN / WN) * WM + lane / LANE_COLS * 4,
             warp % (BN / WN) * WN + lane % LANE_COLS * 4 };
}

// The same with other places, from stage 21 on. Lanes n and n ^ 1, n and n ^ 2 differ in row and in
// column, so they read different words of A and different words of B. So a read takes 4 wavefronts,
// and not 2. With the places of stage 20, stage 21 is as fast, and stage 23 takes 9 % longer
// (NOTES.md). Why is open.
//   lane        0  1  2  3     4  5  6  7     8 ...
//   lane_row    0  1  2  3     0  1  2  3     0
//   lane_col    0  1  2  3     1  0  3  2     2       lane / 4 XOR lane_row
template <int BN, int TM, int TN> __device__ position thread_position()
{
    const int WM = LANE_ROWS * TM, WN = LANE_COLS * TN;   // warp tile
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int lane_row = lane % LANE_ROWS, lane_col = (lane / LANE_ROWS) ^ lane_row;

    return { warp / (BN / WN) * WM + lane_row * 4, warp % (BN / WN) * WN + lane_col * 4 };
}

namespace stage19 {
// What this thread copies in each step. A struct with functions, which use its members by name.
template <int VEC, int THREADS, int BM, int BN, int BK> struct Copies {
    // rows of each tile that all threads together copy at once
    static const int ROWS_A = THREADS / BK, ROWS_B = THREADS * VEC / BN;
    const float *A, *B;
    int N;
    const float *next_a, *next_b;   // A at column k + a_col, B at row k; k: the first of the step,
                                    // or 0 if the step starts before 0
    int a_col, a_row;   // of the tile of A: column a_col, rows a_row, a_row + ROWS_A, ...
    int b_col, b_row;   // of the tile of B: VEC columns from b_col on, rows b_row, ...
    int a_offset[BM / ROWS_A], b_offset;   // where these rows are, counted from next_a and next_b
    int first_zeros;                       // how many k of the first step are before 0

    // The first step starts at k = k0, which is negative if it is incomplete.
    __device__ void prepare(int M, int K, position block, int k0)
    {
        a_col = threadIdx.x % BK;
        a_row = threadIdx.x / BK;
        b_row = threadIdx.x / (BN / VEC);
        b_col = threadIdx.x % (BN / VEC) * VEC;
        next_a = A + max(k0, 0) + a_col;   // k0 > 0: only in stage 23
        next_b = B + (size_t)max(k0, 0) * N;
        for (int i = 0; i < BM / ROWS_A; i++)
            a_offset[i] = min(block.row + a_row + i * ROWS_A, M - 1) * K;   // clamped to the edge
        b_offset = b_row * N + min(block.col + b_col, N - VEC);
        first_zeros = max(-k0, 0);
    }

    // Starts the copies of a step. Its first `zero_fill` k are before 0, and become zeros:
    // copies.first_zeros in the first step, 0 in all others. The step starts `zero_fill` columns
    // before next_a.
    __device__ void start(Tiles<BM, BN, BK> &to, int zero_fill)
    {
        for (int i = 0; i < BM / ROWS_A; i++)
            __pipeline_memcpy_async(&to.a[a_col][a_row + i * ROWS_A],
                                    a_col < zero_fill ? A : &next_a[a_offset[i] - zero_fill], 4,
                                    a_col < zero_fill ? 4 : 0);
        for (int i = 0; i < BK; i += ROWS_B)
            __pipeline_memcpy_async(&to.b[b_row + i][b_col],
                                    b_row + i < zero_fill ? B
                                                          : &next_b[b_offset + (i - zero_fill) * N],
                                    4 * VEC, b_row + i < zero_fill ? 4 * VEC : 0);
        next_a += BK - zero_fill;
        next_b += (ptrdiff_t)(BK - zero_fill) * N;
    }
};
}   // namespace stage19

namespace stage20 {
// Adds the products of `steps` steps to the sums of a block tile. `copies` is prepared for the
// first step; AnyCopies is Copies, or what a later stage uses. smem has DEPTH buffers.
// `multiply_add` is multiply_fragments, or what a later stage uses.
template <class AnyCopies, int BM, int BN, int BK, int TM, int TN, class Function>
__device__ void multiply_tile(float (&sum)[TM][TN], Tiles<BM, BN, BK> *smem, position thread,
                              AnyCopies &copies, int steps, Function multiply_add)
{
    for (int buffer = 0; buffer < DEPTH; buffer++) {   // prologue: fill the pipeline
        int zero_fill = buffer == 0 ? copies.first_zeros : 0;
        // past the last step only zeros, which the last load of fragments reads
        copies.start(smem[buffer], buffer < steps ? zero_fill : BK);
        __pipeline_commit();   // one group: the copies since the last commit
    }

    alignas(16) float frag_a[2][TM], frag_b[2][TN];
    __pipeline_wait_prior(DEPTH - 1);   // all but the last DEPTH - 1 groups are complete
    __syncthreads();
    load_fragments(frag_a[0], frag_b[0], smem[0], 0, thread);
    int buffer = 0;
    for (int step = 0; step < steps; step++) {
        int next = buffer < DEPTH - 1 ? buffer + 1 : 0;
#pragma unroll   // registers cannot be indexed dynamically: k % 2 must be a constant
        for (int k = 0; k < BK - 1; k++) {
            load_fragments(frag_a[(k + 1) % 2], frag_b[(k + 1) % 2], smem[buffer], k + 1, thread);
            multiply_add(sum, frag_a[k % 2], frag_b[k % 2]);
        }
        __pipeline_wait_prior(DEPTH - 2);   // the group of the next step is complete
        __syncthreads();                    // for all threads; no thread reads these tiles again
        // after the last step: loaded, but never used
        load_fragments(frag_a[0], frag_b[0], smem[next], 0, thread);
        if (step + DEPTH < steps)
            copies.start(smem[buffer], 0);
        __pipeline_commit();   // every step adds a group, even if empty: the wait counts groups
        multiply_add(sum, frag_a[1], frag_b[1]);   // k = BK - 1, which is odd
        buffer = next;
    }
}
}   // namespace stage20

namespace stage21 {
template <int TM, int TN>
__device__ void multiply_snake(float (&sum)[TM][TN], float (&a)[TM], float (&b)[TN])
{
    for (int i = 0; i < TM; i++)
        for (int n = 0; n < TN; n++) {
            int j = i % 2 ? TN - 1 - n : n;   // snake order
            sum[i][j] += a[i] * b[j];
        }
}

// Stores the thread tile whose first element is C[row][col], word by word. Row i of the thread tile
// is row i % 4 of group i / 4. Columns likewise.
template <int TM, int TN>
__device__ void store_words(float *C, int row, int col, int M, int N, float (&sum)[TM][TN])
{
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) {
            int m = row + 4 * LANE_ROWS * (i / 4) + i % 4;
            int n = col + 4 * LANE_COLS * (j / 4) + j % 4;
            if (m < M && n < N)
                C[(size_t)m * N + n] = sum[i][j];
        }
}
}   // namespace stage21
#endif

// The pipeline of stage 13, for stages 14 to 18. Each function has the text of the stage that shows
// it; here the tile sizes are template parameters.
#ifndef PIPELINE_H
#define PIPELINE_H

#include "old_matmul.h"

#ifndef BK
#define BK 8   // depth of the tiles along K: one step
#endif
#define DEPTH 3       // stages of the pipeline: buffers in shared memory
#define GROUP 8       // rasterization: rows of tiles per supertile (stage 15)
#define LANE_ROWS 4   // the lanes of a warp form 4 rows of 8
#define LANE_COLS 8
#define WM (LANE_ROWS * TM)   // warp tile
#define WN (LANE_COLS * TN)
#define THREADS (BM / WM * (BN / WN) * 32)

// Dynamic shared memory above 48 KB is an opt-in. Refuses the call if the device has less.
template <class Kernel> bool allow_shared(Kernel *kernel, int bytes)
{
    bool allowed = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        bytes) == cudaSuccess;

    if (!allowed)
        refuse("not enough shared memory");
    return allowed;
}

template <int BM, int BN> struct Tiles {
    alignas(16) float a[BK][BM + 4];   // transposed
    alignas(16) float b[BK][BN];
};

// Stage 13. In the block tile: row (x) and column (y) of this thread's first group of 4 x 4.
template <int BN, int TM, int TN> __device__ int2 thread_position()
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // lanes n and n ^ 1, n and n ^ 2 differ in row and in column
    int lane_row = lane % LANE_ROWS, lane_col = lane / LANE_ROWS ^ lane_row;

    return make_int2(warp / (BN / WN) * WM + lane_row * 4, warp % (BN / WN) * WN + lane_col * 4);
}

// Stage 12. Loads this thread's words of column k of A and row k of B, in groups of 4. Its first
// group is at row thread.x and column thread.y of the block tile.
template <class T, int TM, int TN>
__device__ void load_fragments(float (&a)[TM], float (&b)[TN], T *from, int k, int2 thread)
{
    for (int i = 0; i < TM; i += 4)
        *(float4 *)&a[i] = *(float4 *)&from->a[k][thread.x + LANE_ROWS * i];
    for (int j = 0; j < TN; j += 4)
        *(float4 *)&b[j] = *(float4 *)&from->b[k][thread.y + LANE_COLS * j];
}

// Stage 13.
template <int TM, int TN>
__device__ void multiply_fragments(float (&sum)[TM][TN], const float (&a)[TM], const float (&b)[TN])
{
    for (int i = 0; i < TM; i++)
        for (int n = 0; n < TN; n++) {
            int j = i % 2 ? TN - 1 - n : n;   // snake order
            sum[i][j] += a[i] * b[j];
        }
}

// Stage 13. Adds the products of steps first to first + count - 1 to the sums of the tile of C that
// starts at row corner.x and column corner.y. Uses DEPTH buffers at smem.
template <int VEC, int BM, int BN, int TM, int TN>
__device__ void multiply_tile(float (&sum)[TM][TN], Tiles<BM, BN> *smem, int2 thread,
                              const float *A, const float *B, int M, int N, int K, int2 corner,
                              int first, int count)
{
    // This thread copies column k_a of A, rows m_a, m_a + ROWS_A, ...; and columns n_b to
    // n_b + VEC - 1 of B, rows k_b, k_b + ROWS_B, ...
    const int ROWS_A = THREADS / BK, ROWS_B = THREADS * VEC / BN;   // per pass of a block
    int k_a = threadIdx.x % BK, m_a = threadIdx.x / BK;
    int k_b = threadIdx.x / (BN / VEC), n_b = threadIdx.x % (BN / VEC) * VEC;
    int k0 = K - ceil_div(K, BK) * BK, row_a[BM / ROWS_A];   // step 0 starts at k0 <= 0
    const float *from_a = A + k0 + first * BK + k_a;
    const float *from_b = B + ((ptrdiff_t)k0 + first * BK) * N + min(corner.y + n_b, N - VEC);
    for (int i = 0; i < BM / ROWS_A; i++)
        row_a[i] = min(corner.x + m_a + i * ROWS_A, M - 1) * K;   // clamped to the edge
    auto copy_tiles = [&](auto *to, int zeros) {                  // the first `zeros` k become 0
        for (int i = 0; i < BM / ROWS_A; i++)
            __pipeline_memcpy_async(&to->a[k_a][m_a + i * ROWS_A],
                                    k_a < zeros ? A : &from_a[row_a[i]], 4, k_a < zeros ? 4 : 0);
        for (int i = 0; i < BK; i += ROWS_B)
            __pipeline_memcpy_async(&to->b[k_b + i][n_b],
                                    k_b + i < zeros ? B : &from_b[(k_b + i) * N], 4 * VEC,
                                    k_b + i < zeros ? 4 * VEC : 0);
        from_a += BK;
        from_b += (ptrdiff_t)BK * N;
    };
    for (int stage = 0; stage < DEPTH; stage++) {   // prologue; past the last step: zeros
        copy_tiles(&smem[stage], stage >= count ? BK : first + stage == 0 ? -k0 : 0);
        __pipeline_commit();   // one group: the copies since the last commit
    }

    alignas(16) float frag_a[2][TM], frag_b[2][TN];
    __pipeline_wait_prior(DEPTH - 1);   // all but the last DEPTH - 1 groups are complete
    __syncthreads();
    load_fragments(frag_a[0], frag_b[0], smem, 0, thread);
    // step t reads buffer t % DEPTH; `next` is the buffer of step t + 1
    for (int step = 0, stage = 0; step < count; step++) {
        auto *tiles = &smem[stage], *next = &smem[stage = stage < DEPTH - 1 ? stage + 1 : 0];
#pragma unroll   // registers cannot be indexed dynamically: k % 2 must be a constant
        for (int k = 0; k < BK - 1; k++) {
            load_fragments(frag_a[(k + 1) % 2], frag_b[(k + 1) % 2], tiles, k + 1, thread);
            multiply_fragments(sum, frag_a[k % 2], frag_b[k % 2]);
        }
        __pipeline_wait_prior(DEPTH - 2);
        __syncthreads();   // the next tiles are complete; no thread reads these tiles again
        load_fragments(frag_a[0], frag_b[0], next, 0, thread);
        if (step + DEPTH < count)
            copy_tiles(tiles, 0);
        __pipeline_commit();   // every step adds a group, if empty: the wait counts groups
        multiply_fragments(sum, frag_a[1], frag_b[1]);   // k = BK - 1, which is odd
    }
}

// Stage 13. Stores a thread tile whose first element is C[row][col]. Row i of the thread tile
// is row i % 4 of group i / 4, and groups are 4 LANE_ROWS rows apart; columns likewise.
template <int TM, int TN>
__device__ void store_tile(float *C, int row, int col, int M, int N, const float (&sum)[TM][TN])
{
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) {
            int m = row + LANE_ROWS * (i / 4 * 4) + i % 4;
            int n = col + LANE_COLS * (j / 4 * 4) + j % 4;
            if (m < M && n < N)
                C[(size_t)m * N + n] = sum[i][j];
        }
}

#ifndef EMU_CPU_DEVICE
// to[x][y] = from[y][x], with rows of `pitch` words: the tiled transpose of week 1, stage 3. A
// block of TILE x ROWS threads per tile.
template <int TILE, int ROWS>
__global__ void transpose(const float *from, float *to, int rows, int cols, int pitch)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

    for (int i = 0; i < TILE; i += ROWS)
        if (x < cols && y + i < rows)
            tile[threadIdx.y + i][threadIdx.x] = from[(y + i) * cols + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS)
        if (x < rows && y + i < cols)
            to[(size_t)(y + i) * pitch + x] = tile[threadIdx.x][threadIdx.y + i];
}

// The transpose of a rows x cols matrix, in scratch memory.
template <int TILE> float *transposed(const float *matrix, int rows, int cols, int pitch)
{
    float *to = (float *)scratch((size_t)cols * pitch * sizeof *to);
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE)), block(TILE, 8);

    transpose<TILE, 8><<<grid, block>>>(matrix, to, rows, cols, pitch);
    return to;
}
#endif
#endif

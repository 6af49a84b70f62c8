// stage8: multistage pipeline of asynchronous copies (cp.async)
//
// A block of stage 7 loads, waits, multiplies, waits. Here cp.async copies to shared memory without
// registers, into DEPTH buffers: the next tiles are in flight during the arithmetic. It cannot
// transpose, so A is copied word by word: only B uses 16 bytes.
//   time ->      step 0      step 1      step 2          DEPTH = 4 buffers, used in turn
//   copy         tile 3      tile 4      tile 5          the prologue copied tiles 0 to 2
//   multiply     tile 0      tile 1      tile 2          one barrier per step instead of two
// __pipeline_commit() closes the group of copies of one step; __pipeline_wait_prior(n) waits until
// all but the last n groups are complete. After that and the barrier of step t, tile t is complete,
// and all threads have read tile t - 1: its buffer is free to refill.
// Look at: barriers; more instructions; DEPTH=2 is fastest. This page is long: a whole pipeline.
// make stage8 && ./stage8        make diff A=7 B=8        make stage8 DEPTH=2 && ./stage8
// Expect (cpu, 256x256x64): barriers == stage7.barriers / 2
// Expect (cpu, 256x256x128): copies_in_flight >= 10
// Expect (sm_90, 1024): rate >= 1.25 * stage7.rate
#include "copies.h"

using stage7::store4;

#ifndef DEPTH
#define DEPTH 4   // buffers in shared memory
#endif
// block tile: rows and columns of C per block, and depth along K; thread tile: rows and columns;
// the lanes of a warp form 8 rows of 4
constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8, LANE_ROWS = 8, LANE_COLS = 4;
// warp tile
constexpr int WM = LANE_ROWS * TM, WN = LANE_COLS * TN, THREADS = BM / WM * (BN / WN) * 32;
// 2 or more, and all tiles must fit into 48 KB of shared memory
static_assert(DEPTH >= 2 && DEPTH * (BM + 4 + BN) * BK * 4 <= 49152, "DEPTH must be 2 to 5");

// Starts to copy `words` floats of a rows x cols matrix, from [row][col] on, to shared memory
// (cp.async). Outside the matrix, zeros are stored instead.
template <int words>
__device__ void copy_async(float *to, const float *from, int row, int col, int rows, int cols)
{
    bool inside = row < rows && col < cols;

    // The last argument, zfill: how many of the bytes become zeros instead of being copied. Where
    // all do, nothing is read, and any valid address will do.
    __pipeline_memcpy_async(to, inside ? from + (size_t)row * cols + col : from, 4 * words,
                            inside ? 0 : 4 * words);
}

template <int VEC>                   // words per copy of B: 4 if its rows are 16-byte aligned
__global__ void MAX_REGISTERS(128)   // 2 blocks of 256 threads per SM
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

    // a local function that uses the variables around it (a C++ lambda)
    auto copy_tiles = [&](int buffer, int k0) {
        // adjacent threads copy adjacent words of a row of A, VEC at a time of a row of B
        for (int i = threadIdx.x; i < BM * BK; i += THREADS)
            copy_async<1>(&tile_a[buffer][i % BK][i / BK], A, row + i / BK, k0 + i % BK, M, K);
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

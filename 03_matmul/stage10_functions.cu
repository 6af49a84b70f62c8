// stage10: the multistage pipeline in functions
//
// The next stages change one part of the kernel each. Here the parts become functions, which later
// stages take from pipeline.h. All calls are inlined, so a function costs nothing.
//   load_fragments        Tiles in shared memory -> registers, for one k
//   multiply_fragments    registers: TM x TN multiply-adds
//   store_tile            registers -> C
// Sizes become template parameters, because later stages use other sizes. `float (&a)[TM]` is an
// array of TM floats, passed by address: the compiler deduces TM from the argument. copy_tiles
// stays as it is: stage 11 replaces it.
// Look at: make sassdiff A=9 B=10: as many multiply-adds, loads and copies; addresses differ,
// because the two tiles of a step are now adjacent in shared memory.
// This page is long because it shows all parts, as functions, and the kernel that calls them.
// make stage10 && ./stage10        make diff A=9 B=10
// Expect (cpu, 256x256x64): shared_wavefronts == stage9.shared_wavefronts
// Expect (sm_90, 4096): rate >= 0.99 * stage9.rate
#include "copies.h"

using stage7::store4, stage8::copy_async;

// block tile: rows and columns of C per block, and depth along K; thread tile: rows and columns.
// Not macros: a macro TM would also replace the name of the template parameter TM below, which
// hides this constant.
constexpr int BM = 128, BN = 256, BK = 8, TM = 16, TN = 8;
constexpr int THREADS = BM / TM * (BN / TN);
constexpr int DEPTH = 3;                      // buffers in shared memory
constexpr int LANE_ROWS = 4, LANE_COLS = 8;   // the lanes of a warp form 4 rows of 8

struct position {
    int row, col;
};

// The tiles of one step: ROWS x STEP words of A, STEP x COLS words of B.
template <int ROWS, int COLS, int STEP> struct Tiles {
    alignas(16) float a[STEP][ROWS + 4];   // transposed
    alignas(16) float b[STEP][COLS];
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
            store4<aligned>(C, row + 4 * LANE_ROWS * (i / 4) + i % 4, col + LANE_COLS * j, M, N,
                            &sum[i][j]);
}

template <int VEC>   // words per copy of B: 4 if its rows are 16-byte aligned
__global__ void __launch_bounds__(THREADS, 1)   // 1 block per SM: up to 255 registers per thread
    multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ Tiles<BM, BN, BK> smem[DEPTH];
    const int WM = LANE_ROWS * TM, WN = LANE_COLS * TN;   // warp tile
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // in the block tile: the corner of the warp tile, then the lane's first group of 4 x 4 in it
    position thread = { warp / (BN / WN) * WM + lane / LANE_COLS * 4,
                        warp % (BN / WN) * WN + lane % LANE_COLS * 4 };
    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;   // in C

    auto copy_tiles = [&](Tiles<BM, BN, BK> &to, int k0) {
        // adjacent threads copy adjacent words of a row of A, VEC at a time of a row of B
        for (int i = threadIdx.x; i < BM * BK; i += THREADS)
            copy_async<1>(&to.a[i % BK][i / BK], A, block_row + i / BK, k0 + i % BK, M, K);
        for (int i = threadIdx.x; i < BK * BN / VEC; i += THREADS) {
            int k = i / (BN / VEC), n = i % (BN / VEC) * VEC;
            copy_async<VEC>(&to.b[k][n], B, k0 + k, block_col + n, K, N);
        }
    };
    for (int buffer = 0; buffer < DEPTH - 1; buffer++) {   // prologue: fill the pipeline
        if (buffer * BK < K)
            copy_tiles(smem[buffer], buffer * BK);
        __pipeline_commit();   // one group: the copies since the last commit
    }

    alignas(16) float sum[TM][TN] = {}, frag_a[TM], frag_b[TN];
    for (int buffer = 0, k0 = 0; k0 < K; k0 += BK, buffer = (buffer + 1) % DEPTH) {
        __pipeline_wait_prior(DEPTH - 2);   // all but the last DEPTH - 2 groups are complete
        __syncthreads();
        if (k0 + (DEPTH - 1) * BK < K)
            copy_tiles(smem[(buffer + DEPTH - 1) % DEPTH], k0 + (DEPTH - 1) * BK);
        __pipeline_commit();   // every step adds a group, even if empty: the wait counts groups
        for (int k = 0; k < BK; k++) {
            load_fragments(frag_a, frag_b, smem[buffer], k, thread);
            multiply_fragments(sum, frag_a, frag_b);
        }
    }
    store_tile<VEC == 4>(C, block_row + thread.row, block_col + thread.col, M, N, sum);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<1> : multiply<4>;

    kernel<<<dim3(ceil_div(N, BN), ceil_div(M, BM)), THREADS>>>(A, B, C, M, N, K);
}

// stage11: avoiding register bank conflicts
//
// The registers of a warp scheduler are in two banks, even and odd, and each delivers one operand
// per cycle. An FMA has three. It runs at full rate if one operand is kept from the FMA before
// (.reuse in SASS) and the other two are in different banks. Loads and FMAs stay the same.
//
//   row 0   b0 -> b1 -> ... -> b7 |      snake order: a[i] is reused within row i,
//   row 1   b0 <- b1 <- ... <- b7 v      b7 or b0 at the turns
//
// C is stored word by word: a float4 would fix the banks of its four sums. Lanes n, n ^ 1 and n ^ 2
// read different words: the FMAs beside packed reads are slower (README, profiler).
// Look at: make sass STAGES=stage11, and the rate.
// Long: as stage 10.
// make stage11 && ./stage11        make diff A=10 B=11
// Expect (cpu, 256x256x64): shared_wavefronts >= 1.45 * stage10.shared_wavefronts
// Expect (sm_90, 4096): rate >= 1.01 * stage10.rate
#include "matmul.h"

#define BM 128   // block tile: rows and columns of C per block
#define BN 256
#define BK 8    // depth of the tiles along K
#define TM 16   // thread tile: rows and columns of C per thread
#define TN 8
#define DEPTH 3       // stages of the pipeline: buffers in shared memory
#define LANE_ROWS 4   // the lanes of a warp form 4 rows of 8
#define LANE_COLS 8
#define WM (LANE_ROWS * TM)   // warp tile
#define WN (LANE_COLS * TN)
#define THREADS (BM / WM * (BN / WN) * 32)

struct Tiles {
    alignas(16) float a[BK][BM + 4];   // transposed
    alignas(16) float b[BK][BN];
};

// Stores a thread tile whose first element is C[row][col]. Row i of the thread tile is row i % 4 of
// group i / 4, and groups are 4 LANE_ROWS rows apart; columns likewise.
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

// VEC: words per copy of B, 4 if its rows are 16-byte aligned.
template <int VEC>
__global__ __launch_bounds__(THREADS, 1) void multiply(const float *A, const float *B, float *C,
                                                       int M, int N, int K)
{
    __shared__ Tiles smem[DEPTH];
    const int ROWS_A = THREADS / BK, ROWS_B = THREADS * VEC / BN;   // copied by one pass of a block
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // lanes n, n ^ 1 and n ^ 2 differ in row and column
    int lane_col = lane / LANE_ROWS ^ lane % LANE_ROWS, lane_row = lane % LANE_ROWS;
    // in the block tile: the corner of the warp tile, then the lane's first group of 4 x 4 in it
    int thread_col = warp % (BN / WN) * WN + lane_col * 4;
    int thread_row = warp / (BN / WN) * WM + lane_row * 4;
    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;   // in C
    alignas(16) float sum[TM][TN] = {}, frag_a[2][TM], frag_b[2][TN];

    // This thread copies column k_a of the tile of A from row m_a on, and n_b of that of B from row
    // k_b on. Rows and columns outside the matrices are clamped to the edge: their sums are never
    // stored. The first step starts at k0 <= 0, so that the others are complete.
    int k_a = threadIdx.x % BK, m_a = threadIdx.x / BK;
    int k_b = threadIdx.x / (BN / VEC), n_b = threadIdx.x % (BN / VEC) * VEC;
    int k0 = K - ceil_div(K, BK) * BK, row_a[BM / ROWS_A];
    const float *from_a = A + k0 + k_a;
    const float *from_b = B + (ptrdiff_t)k0 * N + min(block_col + n_b, N - VEC);
    for (int i = 0; i < BM / ROWS_A; i++)
        row_a[i] = min(block_row + m_a + i * ROWS_A, M - 1) * K;
    auto copy_tiles = [&](Tiles *to, int zeros) {   // the first `zeros` k become 0
        for (int i = 0; i < BM / ROWS_A; i++)
            __pipeline_memcpy_async(&to->a[k_a][m_a + i * ROWS_A],
                                    k_a < zeros ? A : &from_a[row_a[i]], 4, k_a < zeros ? 4 : 0);
        for (int i = 0; i < BK; i += ROWS_B)
            __pipeline_memcpy_async(&to->b[k_b + i][n_b],
                                    k_b + i < zeros ? B : &from_b[(k_b + i) * N], 4 * VEC,
                                    k_b + i < zeros ? 4 * VEC : 0);
        from_a += BK;
        from_b += BK * N;
    };
    // this thread's words of column k of A and row k of B, in groups of 4, as in stage 8
    auto load_fragments = [&](int set, Tiles *from, int k) {
        for (int i = 0; i < TM; i += 4)
            *(float4 *)&frag_a[set][i] = *(float4 *)&from->a[k][thread_row + LANE_ROWS * i];
        for (int j = 0; j < TN; j += 4)
            *(float4 *)&frag_b[set][j] = *(float4 *)&from->b[k][thread_col + LANE_COLS * j];
    };

    for (int stage = 0; stage < DEPTH; stage++) {   // prologue: fill the pipeline
        copy_tiles(&smem[stage], k0 + stage * BK >= K ? BK : stage == 0 ? -k0 : 0);
        __pipeline_commit();
    }
    __pipeline_wait_prior(DEPTH - 1);
    __syncthreads();
    load_fragments(0, smem, 0);
    for (int stage = 0; k0 < K; k0 += BK) {
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
                if (k0 + DEPTH * BK < K)
                    copy_tiles(tiles, 0);
                __pipeline_commit();   // an empty group at the end, so that the count stays right
            }
            for (int i = 0; i < TM; i++)
                for (int step = 0; step < TN; step++) {
                    int j = i % 2 ? TN - 1 - step : step;   // snake order
                    sum[i][j] += frag_a[k % 2][i] * frag_b[k % 2][j];
                }
        }
    }
    store_tile(C, block_row + thread_row, block_col + thread_col, M, N, sum);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM));

    if (N % 4 == 0)
        multiply<4><<<grid, THREADS>>>(A, B, C, M, N, K);
    else
        multiply<1><<<grid, THREADS>>>(A, B, C, M, N, K);
}

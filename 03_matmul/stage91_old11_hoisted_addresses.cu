// stage11: hoisted address computations (loop-invariant code motion)
//
// In each step, a thread of stage 10 computes the addresses of its copies and checks bounds. These
// integer instructions take issue slots from the multiply-adds: a scheduler issues one instruction
// per cycle. Here each thread does this once, before the loop. In the loop, two pointers advance.
//   before the loop    from_a, from_b: words of step 0      row_a[i]: rows of A, times K
//   each step          copy from_a[row_a[i]], from_b[k N];  from_a += BK, from_b += BK N
//   K = 13, BK = 8     step 0: k = -3 ... 4 (three zeros)    step 1: k = 5 ... 12
// The loop needs no checks. Rows and columns outside the matrices are clamped to the last one
// inside, because their sums are never stored. Step 0 is the incomplete step, not the last one: it
// starts at k0 <= 0 and copies -k0 zeros.
// Look at: make sass STAGES="stage10 stage11", the instructions other than FFMA.
// Long: the pipeline of stage 9, and the addresses.
// make stage11 && ./stage11        make diff A=10 B=11
// Expect (cpu, 256x256x64): ld_sectors == stage10.ld_sectors
// Expect (sm_90, 4096): rate >= 1.26 * stage10.rate
#include "old_matmul.h"

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

template <int VEC>   // words per copy of B: 4 if its rows are 16-byte aligned
__global__ __launch_bounds__(THREADS, 1) void multiply(const float *A, const float *B, float *C,
                                                       int M, int N, int K)
{
    __shared__ alignas(16) float tile_a[DEPTH][BK][BM + 4];   // transposed
    __shared__ alignas(16) float tile_b[DEPTH][BK][BN];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // in the block tile: the corner of the warp tile, then the lane's first group of 4 x 4 in it
    int thread_col = warp % (BN / WN) * WN + lane % LANE_COLS * 4;
    int thread_row = warp / (BN / WN) * WM + lane / LANE_COLS * 4;
    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;   // in C

    // This thread copies column k_a of A, rows m_a, m_a + ROWS_A, ...; and columns n_b to
    // n_b + VEC - 1 of B, rows k_b, k_b + ROWS_B, ...
    const int ROWS_A = THREADS / BK, ROWS_B = THREADS * VEC / BN;   // per pass of a block
    int k_a = threadIdx.x % BK, m_a = threadIdx.x / BK;
    int k_b = threadIdx.x / (BN / VEC), n_b = threadIdx.x % (BN / VEC) * VEC;
    int steps = ceil_div(K, BK);
    int k0 = K - steps * BK, row_a[BM / ROWS_A];   // step 0 starts at k0 <= 0
    const float *from_a = A + k0 + k_a;
    const float *from_b = B + (ptrdiff_t)k0 * N + min(block_col + n_b, N - VEC);
    for (int i = 0; i < BM / ROWS_A; i++)
        row_a[i] = min(block_row + m_a + i * ROWS_A, M - 1) * K;   // clamped to the edge
    auto copy_tiles = [&](int stage, int zeros) {                  // the first `zeros` k become 0
        for (int i = 0; i < BM / ROWS_A; i++)
            __pipeline_memcpy_async(&tile_a[stage][k_a][m_a + i * ROWS_A],
                                    k_a < zeros ? A : &from_a[row_a[i]], 4, k_a < zeros ? 4 : 0);
        for (int i = 0; i < BK; i += ROWS_B)
            __pipeline_memcpy_async(&tile_b[stage][k_b + i][n_b],
                                    k_b + i < zeros ? B : &from_b[(k_b + i) * N], 4 * VEC,
                                    k_b + i < zeros ? 4 * VEC : 0);
        from_a += BK;
        from_b += (ptrdiff_t)BK * N;
    };
    for (int stage = 0; stage < DEPTH - 1; stage++) {   // prologue: fill the pipeline
        if (stage < steps)
            copy_tiles(stage, stage == 0 ? -k0 : 0);
        __pipeline_commit();   // one group: the copies since the last commit
    }

    alignas(16) float sum[TM][TN] = {}, frag_a[TM], frag_b[TN];
    int stage = 0;
    for (int step = 0; step < steps; step++) {
        __pipeline_wait_prior(DEPTH - 2);   // all but the last DEPTH - 2 groups are complete
        __syncthreads();
        if (step + DEPTH - 1 < steps)
            copy_tiles((stage + DEPTH - 1) % DEPTH, 0);
        __pipeline_commit();   // every step adds a group, if empty: the wait counts groups
        for (int k = 0; k < BK; k++) {
            for (int i = 0; i < TM; i += 4)
                *(float4 *)&frag_a[i] = *(float4 *)&tile_a[stage][k][thread_row + LANE_ROWS * i];
            for (int j = 0; j < TN; j += 4)
                *(float4 *)&frag_b[j] = *(float4 *)&tile_b[stage][k][thread_col + LANE_COLS * j];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    sum[i][j] += frag_a[i] * frag_b[j];
        }
        stage = (stage + 1) % DEPTH;
    }
    // row i of the thread tile is row i % 4 of group i / 4; groups are 4 LANE_ROWS rows apart
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4)
            store4<VEC == 4>(C, block_row + thread_row + LANE_ROWS * (i / 4 * 4) + i % 4,
                             block_col + thread_col + LANE_COLS * j, M, N, *(float4 *)&sum[i][j]);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM));

    if (N % 4 == 0)
        multiply<4><<<grid, THREADS>>>(A, B, C, M, N, K);
    else
        multiply<1><<<grid, THREADS>>>(A, B, C, M, N, K);
}

// stage12: register double buffering (software pipelining of fragments)
//
// A warp of stage 11 loads the fragments of one k, waits for them, multiplies. 8 warps per SM do
// not hide these waits: many issue slots are empty. Here two sets of fragments alternate: one is
// loaded while the other is multiplied, also from one tile to the next.
//   load       set 1: k = 1     set 0: k = 2     set 1: k = 3     ...  set 0: next tile, k = 0
//   multiply   set 0: k = 0     set 1: k = 1     set 0: k = 2     ...  set 1: k = BK - 1
// All fragments of a tile are loaded before its last multiplication (k = BK - 1). So the buffer is
// refilled before it, and the prologue fills all DEPTH buffers, not DEPTH - 1.
// Look at: issue slots (NOTES.md); registers (make regs): the second set needs more.
// Long: copies, loads and multiply-adds of three tiles overlap in one loop.
// make stage12 && ./stage12        make diff A=11 B=12
// Expect (cpu, 256x256x64): shared_requests <= 1.04 * stage11.shared_requests
// Expect (sm_90, 4096): rate >= 1.15 * stage11.rate
// Expect (sm_90, 4096): rate >= 0.92 * ref_cublas.rate
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

struct Tiles {
    alignas(16) float a[BK][BM + 4];   // transposed
    alignas(16) float b[BK][BN];
};

// Loads this thread's words of column k of A and row k of B, in groups of 4. Its first group is at
// row thread.x and column thread.y of the block tile.
__device__ void load_fragments(float (&a)[TM], float (&b)[TN], Tiles *from, int k, int2 thread)
{
    for (int i = 0; i < TM; i += 4)
        *(float4 *)&a[i] = *(float4 *)&from->a[k][thread.x + LANE_ROWS * i];
    for (int j = 0; j < TN; j += 4)
        *(float4 *)&b[j] = *(float4 *)&from->b[k][thread.y + LANE_COLS * j];
}

__device__ void multiply_fragments(float (&sum)[TM][TN], const float (&a)[TM], const float (&b)[TN])
{
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++)
            sum[i][j] += a[i] * b[j];
}

template <int VEC>   // words per copy of B: 4 if its rows are 16-byte aligned
__global__ __launch_bounds__(THREADS, 1) void multiply(const float *A, const float *B, float *C,
                                                       int M, int N, int K)
{
    __shared__ Tiles smem[DEPTH];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // in the block tile: the corner of the warp tile, then the lane's first group of 4 x 4 in it
    int thread_col = warp % (BN / WN) * WN + lane % LANE_COLS * 4;
    int thread_row = warp / (BN / WN) * WM + lane / LANE_COLS * 4;
    int2 thread = make_int2(thread_row, thread_col);
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
    auto copy_tiles = [&](Tiles *to, int zeros) {                  // the first `zeros` k become 0
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
        copy_tiles(&smem[stage], stage >= steps ? BK : stage == 0 ? -k0 : 0);
        __pipeline_commit();   // one group: the copies since the last commit
    }

    alignas(16) float sum[TM][TN] = {}, frag_a[2][TM], frag_b[2][TN];
    __pipeline_wait_prior(DEPTH - 1);   // all but the last DEPTH - 1 groups are complete
    __syncthreads();
    load_fragments(frag_a[0], frag_b[0], smem, 0, thread);
    // step t reads buffer t % DEPTH; `next` is the buffer of step t + 1
    for (int step = 0, stage = 0; step < steps; step++) {
        Tiles *tiles = &smem[stage], *next = &smem[stage = stage < DEPTH - 1 ? stage + 1 : 0];
#pragma unroll   // registers cannot be indexed dynamically: k % 2 must be a constant
        for (int k = 0; k < BK - 1; k++) {
            load_fragments(frag_a[(k + 1) % 2], frag_b[(k + 1) % 2], tiles, k + 1, thread);
            multiply_fragments(sum, frag_a[k % 2], frag_b[k % 2]);
        }
        __pipeline_wait_prior(DEPTH - 2);
        __syncthreads();   // the next tiles are complete; no thread reads these tiles again
        load_fragments(frag_a[0], frag_b[0], next, 0, thread);
        if (step + DEPTH < steps)
            copy_tiles(tiles, 0);
        __pipeline_commit();   // every step adds a group, if empty: the wait counts groups
        multiply_fragments(sum, frag_a[1], frag_b[1]);   // k = BK - 1, which is odd
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

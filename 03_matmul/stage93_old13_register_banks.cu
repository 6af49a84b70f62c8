// stage13: avoiding register bank conflicts
//
// An FMA reads three registers: a, b and a sum. Even and odd registers are two banks; each delivers
// one operand per cycle (a model that fits measurements: NOTES.md). So an FMA takes one cycle only
// if one operand is kept from the last FMA (.reuse) and the other two are in different banks.
//   row 0   b0 -> b1 -> ... -> b7 |      1. snake order: a[i] is kept within row i,
//   row 1   b0 <- b1 <- ... <- b7 v         b7 or b0 from one row to the next
// 2. C is stored word by word: a float4 store forces four sums into adjacent registers.
// 3. Lanes n and n ^ 1, n and n ^ 2 read different words of A and of B. Reads that take only 2
//    wavefronts (stage 8) slow down the FMAs beside them. Wavefronts are not the limit here.
// Look at: make sass STAGES=stage13, and the rate. The numbers of loads and FMAs stay the same.
// Long: as stage 12, cut into functions. pipeline.h has them for stages 14 to 18.
// make stage13 && ./stage13        make diff A=12 B=13
// Expect (cpu, 256x256x64): shared_wavefronts >= 1.42 * stage12.shared_wavefronts
// Expect (sm_90, 4096): rate >= 1.02 * stage12.rate
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

// In the block tile: row (x) and column (y) of this thread's first group of 4 x 4.
//   lane        0  1  2  3     4  5  6  7     8 ...
//   lane_row    0  1  2  3     0  1  2  3     0
//   lane_col    0  1  2  3     1  0  3  2     2       lane / 4 XOR lane_row
__device__ int2 thread_position()
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // lanes n and n ^ 1, n and n ^ 2 differ in row and in column
    int lane_row = lane % LANE_ROWS, lane_col = lane / LANE_ROWS ^ lane_row;

    return make_int2(warp / (BN / WN) * WM + lane_row * 4, warp % (BN / WN) * WN + lane_col * 4);
}

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
        for (int n = 0; n < TN; n++) {
            int j = i % 2 ? TN - 1 - n : n;   // snake order
            sum[i][j] += a[i] * b[j];
        }
}

// Adds the products of steps first to first + count - 1 to the sums of the tile of C that
// starts at row corner.x and column corner.y. Uses DEPTH buffers at smem.
template <int VEC>   // words per copy of B: 4 if its rows are 16-byte aligned
__device__ void multiply_tile(float (&sum)[TM][TN], Tiles *smem, int2 thread, const float *A,
                              const float *B, int M, int N, int K, int2 corner, int first,
                              int count)
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

// Stores a thread tile whose first element is C[row][col]. Row i of the thread tile
// is row i % 4 of group i / 4, and groups are 4 LANE_ROWS rows apart; columns likewise.
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

template <int VEC>
__global__ __launch_bounds__(THREADS, 1) void multiply(const float *A, const float *B, float *C,
                                                       int M, int N, int K)
{
    __shared__ Tiles smem[DEPTH];
    int2 thread = thread_position();
    int2 corner = make_int2(blockIdx.y * BM, blockIdx.x * BN);   // in C
    alignas(16) float sum[TM][TN] = {};

    multiply_tile<VEC>(sum, smem, thread, A, B, M, N, K, corner, 0, ceil_div(K, BK));
    store_tile(C, corner.x + thread.x, corner.y + thread.y, M, N, sum);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM));

    if (N % 4 == 0)
        multiply<4><<<grid, THREADS>>>(A, B, C, M, N, K);
    else
        multiply<1><<<grid, THREADS>>>(A, B, C, M, N, K);
}

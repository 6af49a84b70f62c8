// stage21: avoiding register bank conflicts
//
// An FMA of stage 20 often waits for its operands: it reads three registers, a, b and a sum. Even
// and odd registers are two banks; each delivers one operand per cycle (a model that fits
// measurements: NOTES.md). So one operand must be kept from the last FMA (.reuse in the machine
// code), and the other two must be in different banks. nvcc assigns registers; two changes help it
// together, and hardly alone (SNAKE=0, WORDS=0):
//   multiply_snake   row 0   b0 -> b1 -> ... -> b7 |   a[i] is kept within row i, and b7 or b0
//                    row 1   b0 <- b1 <- ... <- b7 v   from one row to the next
//   store_words      stores single words. A float4 store would need four sums in adjacent
//                    registers, which fixes their banks.
// The lanes have the places that stage 23 needs (pipeline.h): that changes nothing here (PLACES=0).
// Look at: make sass STAGES=stage21.        make stage21 && ./stage21        make diff A=20 B=21
// Expect (cpu, 256x256x64): st_requests == 4 * stage20.st_requests
// Expect (sm_90, 4096): rate >= 1.04 * stage20.rate
#include "pipeline.h"

using stage19::Copies, stage20::multiply_tile;

#ifndef SNAKE
#define SNAKE 1   // 0: the order of stage 20
#endif
#ifndef WORDS
#define WORDS 1   // 0: the float4 stores of stage 20
#endif
#ifndef PLACES
#define PLACES 1   // 0: the places of the lanes of stage 20
#endif
// block tile: rows and columns of C per block, and depth along K; thread tile: rows and columns
constexpr int BM = 128, BN = 256, BK = 8, TM = 16, TN = 8;
constexpr int THREADS = BM / TM * (BN / TN);

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

template <int VEC>   // words per copy of B: 4 if its rows are 16-byte aligned
__global__ void __launch_bounds__(THREADS, 1)   // 1 block per SM: up to 255 registers per thread
    multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ Tiles<BM, BN, BK> smem[DEPTH];
    position thread = PLACES ? thread_position<BN, TM, TN>() : plain_position<BN, TM, TN>();
    position block = { (int)blockIdx.y * BM, (int)blockIdx.x * BN };   // in C
    int steps = ceil_div(K, BK);
    alignas(16) float sum[TM][TN] = {};

    Copies<VEC, THREADS, BM, BN, BK> copies = { A, B, N };
    copies.prepare(M, K, block, K - steps * BK);
    multiply_tile(sum, smem, thread, copies, steps,
                  SNAKE ? multiply_snake<TM, TN> : multiply_fragments<TM, TN>);
    auto store = WORDS ? store_words<TM, TN> : store_tile<VEC == 4, TM, TN>;
    store(C, block.row + thread.row, block.col + thread.col, M, N, sum);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<1> : multiply<4>;

    kernel<<<dim3(ceil_div(N, BN), ceil_div(M, BM)), THREADS>>>(A, B, C, M, N, K);
}

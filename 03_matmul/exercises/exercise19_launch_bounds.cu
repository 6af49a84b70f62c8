// exercise19: launch bounds: the largest thread tile whose sums fit into the registers
//
// Task: do this after stage 5. At least 1024 threads shall run on an SM, so that they hide latency.
// An SM has 65536 registers. A thread of this kernel needs TM TN registers for its sums, TM + TN
// for fragments, and about 30 for the rest. Choose TM, TN and BLOCKS: no register may be spilled,
// and the requests to shared memory shall be as few as possible. It is solved if ./exercise19 finds
// no wrong element, and makes no request too many.
//
//   TM x TN   registers            words of shared memory per multiply-add
//   2 x 2      4 +  4 + 30 =  38   4 / 4   = 1
//   8 x 8     64 + 16 + 30 = 110   16 / 64 = 0.25
//
// Question: How many registers may a thread have, if 1024 threads run on an SM?
// a) 32
// b) 64
// c) 128
// d) 255
// Answer: b
//
// Hint: Continue the table: which tiles are between 2 x 2 and 8 x 8? TM and TN need not be equal.
// Hint: 16 sums leave room for fragments, 32 do not. Which shape of 16 sums has the fewest
// fragments?
// Hint: A block of 64 x 64 has 64 / TM x 64 / TN threads. __launch_bounds__(THREADS, BLOCKS) makes
// nvcc leave room for BLOCKS blocks on an SM: 1024 / THREADS.
//
// Points 4: correct
// Points 1: answer
// Points 4 (cpu, 256x256x64): shared_requests_source >= 69000 and shared_requests_source <= 70000
// Points 1 (gpu, 2048x2048x2048): rate >= 0.2 * ref_cublas.rate
// Check (cpu, 33003x5x3)
// Check (cpu, 5x33003x3)
#include "matmul.h"

#define BM 64   // block tile: rows and columns of C per block
#define BN 64
#define BK 8   // depth of the tiles along K
#ifdef SOLUTION
#define TM 4   // thread tile: rows and columns of C per thread
#define TN 4
#define BLOCKS 4   // blocks per SM, at least
#else
#define TM 2   // TODO: the thread tile
#define TN 2
#define BLOCKS 1   // TODO: blocks per SM, at least
#endif
#define THREADS (BM / TM * (BN / TN))

__global__ void __launch_bounds__(THREADS, BLOCKS)
    multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile_a[BM][BK];
    __shared__ float tile_b[BK][BN];
    int thread_col = threadIdx.x % (BN / TN) * TN;   // in the block tile
    int thread_row = threadIdx.x / (BN / TN) * TM;
    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;   // in C

    float sum[TM][TN] = {}, frag_a[TM], frag_b[TN];
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = threadIdx.x; i < BM * BK; i += THREADS) {
            int m = block_row + i / BK, k = k0 + i % BK;
            tile_a[i / BK][i % BK] = m < M && k < K ? A[m * K + k] : 0;
        }
        for (int i = threadIdx.x; i < BK * BN; i += THREADS) {
            int k = k0 + i / BN, n = block_col + i % BN;
            tile_b[i / BN][i % BN] = k < K && n < N ? B[k * N + n] : 0;
        }
        __syncthreads();
        for (int k = 0; k < BK; k++) {
            for (int i = 0; i < TM; i++)
                frag_a[i] = tile_a[thread_row + i][k];
            for (int j = 0; j < TN; j++)
                frag_b[j] = tile_b[k][thread_col + j];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    sum[i][j] += frag_a[i] * frag_b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++)
            if (block_row + thread_row + i < M && block_col + thread_col + j < N)
                C[(block_row + thread_row + i) * N + block_col + thread_col + j] = sum[i][j];
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM));

    multiply<<<grid, THREADS>>>(A, B, C, M, N, K);
}

// stage5: 2D register tiling, 8 x 8 elements of C per thread
//
// Stage 4 uses a word of B eight times, but a word of A once. Here a thread computes a TM x TN
// thread tile. For each k it reads TM words of A and TN of B into registers, its fragments, and
// multiplies each with each: 16 reads per 64 multiply-adds, as in the source (nvcc merges those of
// B: stage 6). 80 registers hold sums and fragments. The block tile grows from 64 x 64 to
// 128 x 128, so that a block has 256 threads and not only 64.
//                    frag_b:  b0  b1 ... b7       8 words of row k of the tile of B
//   frag_a:  a0               s00 s01    s07
//            a1               s10 s11    s17      sum[i][j] += frag_a[i] * frag_b[j]
// Look at: shared requests; registers (make regs); bank conflicts: the two words of A that a warp
// reads are 64 words apart (2-way), its words of B 8 words apart (LDS.128: 2-way).
// make stage5 && ./stage5        make diff A=4 B=5        make stage5 TM=4 TN=4 && ./stage5
// Expect (cpu, 256x256x64): shared_requests_source <= 0.23 * stage4.shared_requests_source
// Expect (cpu, 256x256x64): shared_wavefronts == 3 * shared_requests
// Expect (sm_90, 4096): rate >= 1.75 * stage4.rate
#include "matmul.h"

#define BM 128   // block tile: rows and columns of C per block
#define BN 128
#define BK 8   // depth of the tiles along K
#ifndef TM
#define TM 8   // thread tile: rows and columns of C per thread
#endif
#ifndef TN
#define TN 8
#endif
#define THREADS (BM / TM * (BN / TN))
static_assert(BM % TM == 0 && BN % TN == 0, "TM must divide BM, and TN must divide BN");
static_assert(THREADS % 32 == 0 && THREADS <= 1024,
              "BM / TM x BN / TN threads must be whole warps, at most 1024 threads");

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile_a[BM][BK];
    __shared__ float tile_b[BK][BN];
    int thread_col = threadIdx.x % (BN / TN) * TN;   // in the block tile
    int thread_row = threadIdx.x / (BN / TN) * TM;
    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;   // in C

    float sum[TM][TN] = {}, frag_a[TM], frag_b[TN];
    for (int k0 = 0; k0 < K; k0 += BK) {
        // adjacent threads load adjacent words of a row of A or B
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

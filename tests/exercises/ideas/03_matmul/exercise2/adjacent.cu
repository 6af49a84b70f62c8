// Graded: 5 partial: no: is 1.941176, must be (at (most|least) )?1$
// A thread computes 4 x 4 adjacent elements, as in stage 5.
#include "matmul.h"

#define BM 64   // block tile: rows and columns of C per block
#define BN 64
#define BK 8   // depth of the tiles along K
#define TM 4   // thread tile: rows and columns of C per thread
#define TN 4
#define THREADS (BM / TM * (BN / TN))

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile_a[BM][BK];
    __shared__ float tile_b[BK][BN];
    int thread_col = threadIdx.x % (BN / TN) * TN;   // the first column and row of the thread tile
    int thread_row = threadIdx.x / (BN / TN) * TM;
    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;   // in C

    float sum[TM][TN] = {};
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
            float frag_a[TM], frag_b[TN];
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
        for (int j = 0; j < TN; j++) {
            int row = block_row + thread_row + i;
            int col = block_col + thread_col + j;
            if (row < M && col < N)
                C[row * N + col] = sum[i][j];
        }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM));

    multiply<<<grid, THREADS>>>(A, B, C, M, N, K);
}

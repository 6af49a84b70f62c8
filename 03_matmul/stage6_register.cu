// stage6: eight by eight elements a thread. Sixteen reads from shared memory for 64
// multiplications.
//
// Stage 5 uses a number of B eight times, but a number of A once. Change: a thread makes a square
// of C. For each k it reads eight numbers of A and eight of B into registers, and multiplies each
// with each: a quarter of a read for a multiplication, not nine eighths. 64 sums and 16 numbers
// need 80 of the 255 registers that a thread can have. Bank conflicts come with it: two lanes in a
// bank where A is read, four where B is.
//
// make stage6 && ./stage6; make diff A=5 B=6
//
// Expect (cpu, 256x256x64): ld_requests == stage5.ld_requests / 2
// Expect (cpu, 256x256x64): shared_wavefronts == 3 * (shared_requests - ld_requests) + ld_requests
// Expect (sm_90, 4096): rate >= 1.75 * stage5.rate
#include "matmul.h"

#ifndef BM
#define BM 128   // rows and columns of C that a block makes
#endif
#ifndef BN
#define BN 128
#endif
#ifndef BK
#define BK 8   // and so much of K at a time
#endif
#ifndef TM
#define TM 8   // rows and columns of C that a thread makes
#endif
#ifndef TN
#define TN 8
#endif
#define THREADS (BM / TM * (BN / TN))
static_assert(BM % TM == 0 && BN % TN == 0, "TM must divide BM, and TN must divide BN");
static_assert(THREADS % 32 == 0 && THREADS <= 1024,
              "BM / TM x BN / TN threads must be whole warps, at most 1024 threads");
static_assert((BM + BN) * BK * 4 <= 49152, "the tiles must fit into 48 KB");

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[BM][BK];
    __shared__ float b[BK][BN];
    int tx = threadIdx.x % (BN / TN) * TN, ty = threadIdx.x / (BN / TN) * TM;
    int row = blockIdx.y * BM, col = blockIdx.x * BN;

    float sum[TM][TN] = {}, fa[TM], fb[TN];
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = threadIdx.x; i < BM * BK; i += THREADS) {
            int m = row + i / BK, k = k0 + i % BK;
            a[i / BK][i % BK] = m < M && k < K ? A[m * K + k] : 0;
        }
        for (int i = threadIdx.x; i < BK * BN; i += THREADS) {
            int k = k0 + i / BN, n = col + i % BN;
            b[i / BN][i % BN] = k < K && n < N ? B[k * N + n] : 0;
        }
        __syncthreads();
        for (int k = 0; k < BK; k++) {
            for (int i = 0; i < TM; i++)
                fa[i] = a[ty + i][k];
            for (int j = 0; j < TN; j++)
                fb[j] = b[k][tx + j];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    sum[i][j] += fa[i] * fb[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++)
            if (row + ty + i < M && col + tx + j < N)
                C[(row + ty + i) * N + col + tx + j] = sum[i][j];
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM));

    multiply<<<grid, THREADS>>>(A, B, C, M, N, K);
}

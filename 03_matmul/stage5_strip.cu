// stage5: a strip of eight elements a thread. What is read from shared memory is kept in a register
// and used eight times.
//
// In stage 4 every multiplication reads two numbers from shared memory. It is read 32 times as
// often as memory, and what it feeds is the limit now (make traffic, with ncu). Change: a thread
// makes eight elements of C, one below the other. For each k it reads one number of B and eight of
// A, and multiplies eight times: nine reads, not sixteen; and the eight of A are each one word for
// the whole warp. The tile of C is 64 x 64; those of A and B are narrow, as a block needs only as
// much of K at a time as all its threads can load at once.
//
// make stage5 && ./stage5; make diff A=4 B=5; make stage5 TM=4 && ./stage5
//
// Expect (cpu, 256x256x64): ld_requests == stage4.ld_requests / 2
// Expect (cpu, 256x256x64): shared_wavefronts == shared_requests
// Expect (sm_90, 4096): rate >= 1.36 * stage4.rate
#include "matmul.h"

#ifndef BM
#define BM 64   // rows and columns of C that a block makes
#endif
#ifndef BN
#define BN 64
#endif
#ifndef BK
#define BK 8   // and so much of K at a time
#endif
#ifndef TM
#define TM 8   // rows of C that a thread makes
#endif
#define THREADS (BM / TM * BN)
static_assert(BM % TM == 0, "TM must divide BM");
static_assert(THREADS % 32 == 0 && THREADS <= 1024,
              "BM / TM x BN threads must be whole warps, at most 1024 threads");
static_assert((BM + BN) * BK * 4 <= 49152, "the tiles must fit into 48 KB");

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[BM][BK];
    __shared__ float b[BK][BN];
    int tx = threadIdx.x % BN, ty = threadIdx.x / BN * TM;
    int row = blockIdx.y * BM, col = blockIdx.x * BN;

    float sum[TM] = {};
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
            float fb = b[k][tx];
            for (int i = 0; i < TM; i++)
                sum[i] += a[ty + i][k] * fb;
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; i++)
        if (row + ty + i < M && col + tx < N)
            C[(row + ty + i) * N + col + tx] = sum[i];
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM));

    multiply<<<grid, THREADS>>>(A, B, C, M, N, K);
}

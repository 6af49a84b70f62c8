// stage8: tiles for warps. Which lane multiplies what, so that no two lanes meet in a bank.
//
// In stage 7 a thread's eight columns lie side by side, and the next thread's behind them: its
// reads of B are 32 bytes apart, two meet in a bank, and each read takes twice as long. Change: a
// warp makes a tile of its own, 64 x 32, of 8 x 4 lanes. A lane's rows and columns come in groups
// of four: neighbouring lanes have neighbouring groups, and the lane's next group lies behind those
// of all lanes. So what a warp reads at once are neighbouring sixteen bytes, and its stores fill
// whole sectors. A read of B takes four wavefronts, a quarter of the warp in each; one of A only
// two, as in stage 7, for half of the warp: all lanes n and n ^ 1 read the same (README, "What to
// ask the profiler").
//
// make stage8 && ./stage8; make diff A=7 B=8
//
// Expect (cpu, 256x256x64): shared_requests == stage7.shared_requests
// Expect (cpu, 256x256x64): shared_wavefronts <= 0.62 * stage7.shared_wavefronts
// Expect (cpu, 256x256x64): st_sectors == stage7.st_sectors / 2
// Expect (sm_90, 4096): rate >= 1.05 * stage7.rate
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
#define DOWN 8   // lanes of a warp
#define ACROSS 4
#define WM (DOWN * TM)
#define WN (ACROSS * TN)
#define THREADS (BM / WM * (BN / WN) * 32)
static_assert(TM % 4 == 0 && TN % 4 == 0 && BK % 4 == 0, "TM, TN and BK must be multiples of 4");
static_assert(BM % WM == 0 && BN % WN == 0,
              "8 TM must divide BM, and 4 TN must divide BN: the warps' tiles");
static_assert(THREADS <= 1024, "a block has at most 1024 threads");
static_assert((BM + 4 + BN) * BK * 4 <= 49152, "the tiles must fit into 48 KB");

template <bool aligned>
__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ alignas(16) float a[BK][BM + 4];
    __shared__ alignas(16) float b[BK][BN];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int tx = warp % (BN / WN) * WN + lane % ACROSS * 4,
        ty = warp / (BN / WN) * WM + lane / ACROSS * 4;
    int row = blockIdx.y * BM, col = blockIdx.x * BN;

    alignas(16) float sum[TM][TN] = {}, fa[TM], fb[TN];
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = threadIdx.x; i < BM * BK / 4; i += THREADS) {
            int m = i / (BK / 4), k = i % (BK / 4) * 4;
            float4 v = load4<aligned>(A, row + m, k0 + k, M, K);
            a[k + 0][m] = v.x;
            a[k + 1][m] = v.y;
            a[k + 2][m] = v.z;
            a[k + 3][m] = v.w;
        }
        for (int i = threadIdx.x; i < BK * BN / 4; i += THREADS) {
            int k = i / (BN / 4), n = i % (BN / 4) * 4;
            *(float4 *)&b[k][n] = load4<aligned>(B, k0 + k, col + n, K, N);
        }
        __syncthreads();
        for (int k = 0; k < BK; k++) {
            for (int i = 0; i < TM; i += 4)
                *(float4 *)&fa[i] = *(float4 *)&a[k][ty + DOWN * i];
            for (int j = 0; j < TN; j += 4)
                *(float4 *)&fb[j] = *(float4 *)&b[k][tx + ACROSS * j];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    sum[i][j] += fa[i] * fb[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4)
            store4<aligned>(C, row + ty + DOWN * (i / 4 * 4) + i % 4, col + tx + ACROSS * j, M, N,
                            *(float4 *)&sum[i][j]);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM));

    if (N % 4 == 0 && K % 4 == 0)
        multiply<true><<<grid, THREADS>>>(A, B, C, M, N, K);
    else
        multiply<false><<<grid, THREADS>>>(A, B, C, M, N, K);
}

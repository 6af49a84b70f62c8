// stage7: four floats at a time. Loads and stores of sixteen bytes, from memory and from shared
// memory.
//
// Stage 6 asks for its numbers one by one: for 64 multiplications sixteen reads, an instruction
// each. Change: all accesses are of four floats in a row: four reads for 64 multiplications. For
// that, the eight numbers of A that a thread needs for one k must lie side by side: the tile of A
// is stored transposed, k by m. Its rows are four floats longer than needed: without them, two
// lanes would meet in every bank when they store. A quarter of a warp reads at once; its eight
// pieces of B are 32 bytes apart, so that two meet in a bank: left for stage 8. Rows whose length
// is no multiple of four floats do not begin on sixteen bytes: for them the same kernel is built a
// second time, to go float by float (load4 and store4 in matmul.h).
//
// make stage7 && ./stage7; make diff A=6 B=7; ./stage7 -n 255
//
// Expect (cpu, 256x256x64): ld_requests == stage6.ld_requests / 4
// Expect (cpu, 256x256x64): ld_sectors == stage6.ld_sectors
// Expect (cpu, 256x256x64): shared_requests <= 0.28 * stage6.shared_requests
// Expect (sm_90, 4096): rate >= 1.22 * stage6.rate
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
static_assert(TM % 4 == 0 && TN % 4 == 0 && BK % 4 == 0, "TM, TN and BK must be multiples of 4");
static_assert(THREADS % 32 == 0 && THREADS <= 1024,
              "BM / TM x BN / TN threads must be whole warps, at most 1024 threads");
static_assert((BM + 4 + BN) * BK * 4 <= 49152, "the tiles must fit into 48 KB");

template <bool aligned>
__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ alignas(16) float a[BK][BM + 4];
    __shared__ alignas(16) float b[BK][BN];
    int tx = threadIdx.x % (BN / TN) * TN, ty = threadIdx.x / (BN / TN) * TM;
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
                *(float4 *)&fa[i] = *(float4 *)&a[k][ty + i];
            for (int j = 0; j < TN; j += 4)
                *(float4 *)&fb[j] = *(float4 *)&b[k][tx + j];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    sum[i][j] += fa[i] * fb[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4)
            store4<aligned>(C, row + ty + i, col + tx + j, M, N, *(float4 *)&sum[i][j]);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM));

    if (N % 4 == 0 && K % 4 == 0)
        multiply<true><<<grid, THREADS>>>(A, B, C, M, N, K);
    else
        multiply<false><<<grid, THREADS>>>(A, B, C, M, N, K);
}

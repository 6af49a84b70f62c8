// stage9: asynchronous copies in a ring. The next tiles are on their way while this one is
// multiplied.
//
// Until stage 8 a block loads, waits, stores into shared memory, waits, multiplies, waits. Other
// blocks on the SM must fill the gaps. Change: the copies of cp.async go from memory to shared
// memory by themselves, through no register, and nobody waits for them until they are needed. The
// tiles lie in a ring of RING places: while one is multiplied, the next ones are copied. A thread's
// copies up to a commit are a group; it waits until all but its last RING - 2 groups are there, and
// at the barrier for all other threads' copies. The same barrier tells that everyone is done with
// the tile before, whose place is filled next: one barrier for a tile, not two. A copy of four
// bytes may go anywhere, so that A is still transposed on the way, now float by float; and A's rows
// may begin anywhere. At 4096 little is gained, as the other block on the SM did fill most gaps; at
// 1024, where none has a second block, more is.
//
// make stage9 && ./stage9; make diff A=8 B=9; make stage9 RING=2 && ./stage9
//
// Expect (cpu, 256x256x64): barriers == stage8.barriers / 2
// Expect (cpu, 256x256x64): ld_sectors == stage8.ld_sectors
// Expect (cpu, 256x256x64): shared_wavefronts == stage8.shared_wavefronts
// Expect (sm_90, 4096): rate >= 1.01 * stage8.rate
// Expect (sm_90, 4096): rate <= 1.05 * stage8.rate
// Expect (sm_90, 1024): rate >= 1.24 * stage8.rate
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
#ifndef RING
#define RING 4   // tiles in shared memory
#endif
#define DOWN 8   // lanes of a warp
#define ACROSS 4
#define WM (DOWN * TM)
#define WN (ACROSS * TN)
#define THREADS (BM / WM * (BN / WN) * 32)
static_assert(TM % 4 == 0 && TN % 4 == 0, "TM and TN must be multiples of 4");
static_assert(BM % WM == 0 && BN % WN == 0,
              "8 TM must divide BM, and 4 TN must divide BN: the warps' tiles");
static_assert(THREADS <= 1024, "a block has at most 1024 threads");
static_assert(RING >= 2 && RING * (BM + 4 + BN) * BK * 4 <= 49152,
              "RING must be 2 or more, and the tiles must fit into 48 KB");

template <bool aligned>
__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ alignas(16) float a[RING][BK][BM + 4];
    __shared__ alignas(16) float b[RING][BK][BN];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int tx = warp % (BN / WN) * WN + lane % ACROSS * 4,
        ty = warp / (BN / WN) * WM + lane / ACROSS * 4;
    int row = blockIdx.y * BM, col = blockIdx.x * BN;

    auto copy = [&](int place, int k0) {
        for (int i = threadIdx.x; i < BM * BK; i += THREADS) {
            int m = i / BK, k = i % BK;
            copy1(&a[place][k][m], A, row + m, k0 + k, M, K);
        }
        for (int i = threadIdx.x; i < BK * BN / 4; i += THREADS) {
            int k = i / (BN / 4), n = i % (BN / 4) * 4;
            copy4<aligned>(&b[place][k][n], B, k0 + k, col + n, K, N);
        }
    };
    for (int place = 0; place < RING - 1; place++) {
        if (place * BK < K)
            copy(place, place * BK);
        __pipeline_commit();
    }

    alignas(16) float sum[TM][TN] = {}, fa[TM], fb[TN];
    int place = 0;
    for (int k0 = 0; k0 < K; k0 += BK) {
        __pipeline_wait_prior(RING - 2);
        __syncthreads();
        if (k0 + (RING - 1) * BK < K)
            copy((place + RING - 1) % RING, k0 + (RING - 1) * BK);
        __pipeline_commit();   // of nothing at the end, so that the count of groups stays right
        for (int k = 0; k < BK; k++) {
            for (int i = 0; i < TM; i += 4)
                *(float4 *)&fa[i] = *(float4 *)&a[place][k][ty + DOWN * i];
            for (int j = 0; j < TN; j += 4)
                *(float4 *)&fb[j] = *(float4 *)&b[place][k][tx + ACROSS * j];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    sum[i][j] += fa[i] * fb[j];
        }
        place = (place + 1) % RING;
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4)
            store4<aligned>(C, row + ty + DOWN * (i / 4 * 4) + i % 4, col + tx + ACROSS * j, M, N,
                            *(float4 *)&sum[i][j]);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM));

    if (N % 4 == 0)
        multiply<true><<<grid, THREADS>>>(A, B, C, M, N, K);
    else
        multiply<false><<<grid, THREADS>>>(A, B, C, M, N, K);
}

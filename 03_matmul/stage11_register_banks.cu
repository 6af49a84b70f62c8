// stage11: registers have banks, too. The order in which a thread multiplies, and which registers
// its sums lie in.
//
// A scheduler's registers are in two banks, even and odd, and each gives one operand a cycle; a
// multiplication takes three. It runs at full rate only if one operand is the same as in the
// instruction before, which is then kept (.reuse in the machine code), and the other two lie in
// different banks. Three changes, and no load or multiplication more or less. A thread goes through
// its columns there and back: at the turn it keeps the number of B, elsewhere that of A. It stores
// C float by float: a float4 must lie in four registers in a row, so that sum j would always share
// the bank of number j of B, which came as a float4. And lanes are placed so that neither all
// neighbours (lanes n and n ^ 1) nor all neighbours but one (n and n ^ 2) read the same sixteen
// bytes: such reads are packed into half as many wavefronts, and multiplications beside them go
// slower. Fewer warps should be held back at each issue than in stage 10. Where all this is known
// from: README, "What to ask the profiler".
//
// make stage11 && ./stage11; make diff A=10 B=11; make sass STAGES=stage11
//
// Long: as stage 10.
// Expect (cpu, 256x256x64): ld_sectors == stage10.ld_sectors
// Expect (cpu, 256x256x64): shared_requests == stage10.shared_requests
// Expect (cpu, 256x256x64): shared_wavefronts >= 1.45 * stage10.shared_wavefronts
// Expect (cpu, 256x256x64): st_requests == 4 * stage10.st_requests
// Expect (sm_90, 4096): rate >= 1.01 * stage10.rate
// Expect (sm_90, 8192): rate >= 1.02 * stage10.rate
// Expect (sm_90, 4099x4093x4097): rate >= 1.01 * ref_cublas.rate
#include "matmul.h"

#ifndef BM
#define BM 128   // rows and columns of C that a block makes
#endif
#ifndef BN
#define BN 256
#endif
#ifndef BK
#define BK 8   // and so much of K at a time
#endif
#ifndef TM
#define TM 16   // rows and columns of C that a thread makes
#endif
#ifndef TN
#define TN 8
#endif
#ifndef RING
#define RING 3   // tiles in shared memory
#endif
#define DOWN 4   // lanes of a warp
#define ACROSS 8
#define WM (DOWN * TM)
#define WN (ACROSS * TN)
#define THREADS (BM / WM * (BN / WN) * 32)
static_assert(TM % 4 == 0 && TN % 4 == 0 && BK % 2 == 0,
              "TM and TN must be multiples of 4, and BK of 2");
static_assert(BM % WM == 0 && BN % WN == 0,
              "4 TM must divide BM, and 8 TN must divide BN: the warps' tiles");
static_assert(THREADS <= 1024, "a block has at most 1024 threads");
static_assert(THREADS % BK == 0 && BM * BK % THREADS == 0,
              "the block must copy whole columns of A's tile at a time");
static_assert(THREADS % BN == 0 && BN * BK / 4 % THREADS == 0,
              "the block must copy whole rows of B's tile at a time");
static_assert(RING >= 2 && RING * (BM + 4 + BN) * BK * 4 <= 49152,
              "RING must be 2 or more, and the tiles must fit into 48 KB");

struct tile {
    alignas(16) float a[BK][BM + 4];
    alignas(16) float b[BK][BN];
};

// WIDE: as many floats as can be copied of a row of B at once.
template <int WIDE>
__global__ __launch_bounds__(THREADS, 1) void multiply(const float *A, const float *B, float *C,
                                                       int M, int N, int K)
{
    __shared__ tile ring[RING];
    const int MA = THREADS / BK, KB = THREADS * WIDE / BN;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // neighbours, and neighbours of neighbours, never read the same
    int lx = lane / DOWN ^ lane % DOWN, ly = lane % DOWN;
    int tx = warp % (BN / WN) * WN + lx * 4, ty = warp / (BN / WN) * WM + ly * 4;
    int row = blockIdx.y * BM, col = blockIdx.x * BN;
    alignas(16) float sum[TM][TN] = {}, fa[2][TM], fb[2][TN];

    // What this thread copies: column ka of A's tile, and columns nb on of B's. What sticks out of
    // the matrix below or beside it is taken from its edge, and nobody stores what comes of it.
    // Along K the first tile begins before the matrix, so that all others are whole.
    int ka = threadIdx.x % BK, ma = threadIdx.x / BK, kb = threadIdx.x / (BN / WIDE),
        nb = threadIdx.x % (BN / WIDE) * WIDE;
    int k0 = K - ceil_div(K, BK) * BK, row_a[BM / MA];
    const float *from_a = A + k0 + ka, *from_b = B + (ptrdiff_t)k0 * N + min(col + nb, N - WIDE);
    for (int i = 0; i < BM / MA; i++)
        row_a[i] = min(row + ma + i * MA, M - 1) * K;
    auto copy = [&](tile *to, int zeros) {   // so many k at first are none of the matrix
        for (int i = 0; i < BM / MA; i++)
            __pipeline_memcpy_async(&to->a[ka][ma + i * MA], ka < zeros ? A : &from_a[row_a[i]], 4,
                                    ka < zeros ? 4 : 0);
        for (int i = 0; i < BK; i += KB)
            __pipeline_memcpy_async(&to->b[kb + i][nb], kb + i < zeros ? B : &from_b[(kb + i) * N],
                                    4 * WIDE, kb + i < zeros ? 4 * WIDE : 0);
        from_a += BK;
        from_b += BK * N;
    };
    auto read = [&](int set, tile *from, int k) {
        for (int i = 0; i < TM; i += 4)
            *(float4 *)&fa[set][i] = *(float4 *)&from->a[k][ty + DOWN * i];
        for (int j = 0; j < TN; j += 4)
            *(float4 *)&fb[set][j] = *(float4 *)&from->b[k][tx + ACROSS * j];
    };

    for (int place = 0; place < RING; place++) {
        copy(&ring[place], k0 + place * BK >= K ? BK : place == 0 ? -k0 : 0);
        __pipeline_commit();
    }
    __pipeline_wait_prior(RING - 1);
    __syncthreads();
    read(0, ring, 0);
    for (int place = 0; k0 < K; k0 += BK) {
        tile *now = &ring[place], *next = &ring[place = place < RING - 1 ? place + 1 : 0];
#pragma unroll
        for (int k = 0; k < BK; k++) {
            if (k < BK - 1)
                read((k + 1) % 2, now, k + 1);
            else {
                __pipeline_wait_prior(RING - 2);
                __syncthreads();   // the next tile is there, and of this one all is read
                read(0, next, 0);
                if (k0 + RING * BK < K)
                    copy(now, 0);
                // of nothing at the end, so that the count of groups stays right
                __pipeline_commit();
            }
            for (int i = 0; i < TM; i++)
                for (int jj = 0; jj < TN; jj++) {
                    int j = i % 2 ? TN - 1 - jj : jj;   // there and back
                    sum[i][j] += fa[k % 2][i] * fb[k % 2][j];
                }
        }
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) {
            int m = row + ty + DOWN * (i / 4 * 4) + i % 4,
                n = col + tx + ACROSS * (j / 4 * 4) + j % 4;
            if (m < M && n < N)
                C[(size_t)m * N + n] = sum[i][j];
        }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM));

    if (N % 4 == 0)
        multiply<4><<<grid, THREADS>>>(A, B, C, M, N, K);
    else
        multiply<1><<<grid, THREADS>>>(A, B, C, M, N, K);
}

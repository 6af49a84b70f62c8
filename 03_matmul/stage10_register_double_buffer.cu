// stage10: sixteen by eight elements a thread, and the next k's numbers are read while this k's are
// multiplied.
//
// Stage 9 leaves issue slots empty, and many of the others are no multiplications (README, "What to
// ask the profiler"). A warp reads its numbers for a k, waits for them, multiplies 64 times. Two
// changes that need each other. A thread makes 16 x 8 elements: 6 reads for 128 multiplications,
// not 4 for 64. And it has two sets of registers for what it reads: while one set is multiplied,
// the other is filled for the next k, across tiles too. 128 sums and 48 numbers take most of 255
// registers, so that one block of 256 threads fills an SM; it makes 128 x 256 elements of C. All
// steps of a tile are unrolled, as registers have no index. Copies must cost little now, so their
// addresses are made once, and what they need not test is left out.
//
// make stage10 && ./stage10; make diff A=9 B=10; make regs
//
// Long: copies, reads and multiplications of three tiles overlap, and so stand in one loop.
// Expect (cpu, 256x256x64): ld_sectors == 0.75 * stage9.ld_sectors
// Expect (cpu, 256x256x64): shared_requests <= 0.75 * stage9.shared_requests
// Expect (sm_90, 4096): rate >= 1.6 * stage9.rate
// Expect (sm_90, 4096): rate >= 0.94 * ref_cublas.rate
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
    int tx = warp % (BN / WN) * WN + lane % ACROSS * 4,
        ty = warp / (BN / WN) * WM + lane / ACROSS * 4;
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
                for (int j = 0; j < TN; j++)
                    sum[i][j] += fa[k % 2][i] * fb[k % 2][j];
        }
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4)
            store4<WIDE == 4>(C, row + ty + DOWN * (i / 4 * 4) + i % 4, col + tx + ACROSS * j, M, N,
                              *(float4 *)&sum[i][j]);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM));

    if (N % 4 == 0)
        multiply<4><<<grid, THREADS>>>(A, B, C, M, N, K);
    else
        multiply<1><<<grid, THREADS>>>(A, B, C, M, N, K);
}

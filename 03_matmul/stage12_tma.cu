// stage12: TMA. One thread asks for the next tiles, and no thread copies.
//
// In stage 11 each thread makes six addresses and six copies for a tile. Change: Hopper's copy
// engine brings boxes of A and B, and tells a barrier in shared memory when they are there; one
// thread of the block asks for them. It brings zeros from where there is no matrix. But it copies
// rows as they are, and we want A's columns in rows: a small kernel transposes all of A before, and
// its time counts. Rows must begin on sixteen bytes, so N must be a multiple of four. More of the
// issue slots should be used than in stage 11; try steps of 8 along K too (BK=8). A warp of its own
// for the asking would be the ninth: three warps would share a quarter of the SM's registers, and
// leave 168 to each thread, fewer than the sums and numbers need. (Stage 14 has such a warp, and
// moves its registers to the others: an instruction of sm_90a.)
//
// make stage12 && ./stage12; make diff A=11 B=12; make stage12 BK=8 && ./stage12
//
// Needs: sm_90
// Expect (sm_90, 4096): rate >= 1.04 * stage11.rate
// Expect (sm_90, 4096): rate >= 1.02 * ref_cublas.rate
// Expect (sm_90, 8192): rate >= 1.04 * ref_cublas.rate
// Expect (sm_90, 16384): rate >= 1.02 * ref_cublas.rate
#include "matmul.h"

#ifndef BM
#define BM 128   // rows and columns of C that a block makes
#endif
#ifndef BN
#define BN 256
#endif
#ifndef BK
#define BK 16   // and so much of K at a time
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
static_assert(BM <= 256 && BN <= 256, "a box has at most 256 floats in a row");
static_assert(RING >= 2 && RING * (BM + BN) * BK * 4 <= 232448,
              "RING must be 2 or more, and the tiles must fit into 227 KB");

struct tile {
    alignas(128) float a[BK][BM];
    alignas(128) float b[BK][BN];
};

__global__ __launch_bounds__(THREADS, 1) void multiply(const __grid_constant__ CUtensorMap A,
                                                       const __grid_constant__ CUtensorMap B,
                                                       float *C, int M, int N, int K)
{
    extern __shared__ tile ring[];
    __shared__ uint64_t full[RING];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // neighbours, and neighbours of neighbours, never read the same
    int lx = lane / DOWN ^ lane % DOWN, ly = lane % DOWN;
    int tx = warp % (BN / WN) * WN + lx * 4, ty = warp / (BN / WN) * WM + ly * 4;
    int row = blockIdx.y * BM, col = blockIdx.x * BN;
    alignas(16) float sum[TM][TN] = {}, fa[2][TM], fb[2][TN];

    auto copy = [&](int place, int k0) {
        mbarrier_arrive_expect(&full[place], sizeof(tile));
        tma_load_2d(ring[place].a, &A, row, k0, &full[place]);
        tma_load_2d(ring[place].b, &B, col, k0, &full[place]);
    };
    auto read = [&](int set, tile *from, int k) {
        for (int i = 0; i < TM; i += 4)
            *(float4 *)&fa[set][i] = *(float4 *)&from->a[k][ty + DOWN * i];
        for (int j = 0; j < TN; j += 4)
            *(float4 *)&fb[set][j] = *(float4 *)&from->b[k][tx + ACROSS * j];
    };

    if (threadIdx.x == 0) {
        for (int place = 0; place < RING; place++)
            mbarrier_init(&full[place], 1);
        fence_proxy_async();
        for (int place = 0; place < RING && place * BK < K; place++)
            copy(place, place * BK);
    }
    __syncthreads();   // nobody waits at a barrier before it is one
    mbarrier_wait(&full[0], 0);
    read(0, ring, 0);
    int place = 0, parity = 0;
    for (int k0 = 0; k0 < K; k0 += BK) {
        int done = place;
        if (++place == RING)
            place = 0, parity ^= 1;
        tile *now = &ring[done], *next = &ring[place];
#pragma unroll
        for (int k = 0; k < BK; k++) {
            if (k < BK - 1)
                read((k + 1) % 2, now, k + 1);
            else {
                if (k0 + BK < K)
                    mbarrier_wait(&full[place], parity);
                __syncthreads();   // of this tile all is read
                read(0, next, 0);
                if (threadIdx.x == 0 && k0 + RING * BK < K)
                    copy(done, k0 + RING * BK);
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

// to[x][y] = from[y][x], its rows `pitch` long.
__global__ void transpose(const float *from, float *to, int rows, int cols, int pitch)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;

    for (int i = 0; i < 32; i += 8)
        if (x < cols && y + i < rows)
            tile[threadIdx.y + i][threadIdx.x] = from[(y + i) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (x < rows && y + i < cols)
            to[(size_t)(y + i) * pitch + x] = tile[threadIdx.x][threadIdx.y + i];
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (N % 4)
        return refuse("N in multiples of 4 only");
    int pitch = ceil_div(M, 4) * 4;
    float *AT = (float *)scratch((size_t)K * pitch * sizeof *AT);
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM));

    transpose<<<dim3(ceil_div(K, 32), ceil_div(M, 32)), dim3(32, 8)>>>(A, AT, M, K, pitch);
    CUtensorMap map_a = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, AT, K, pitch, BK, BM,
                                       CU_TENSOR_MAP_SWIZZLE_NONE);
    CUtensorMap map_b = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, B, K, N, BK, BN,
                                       CU_TENSOR_MAP_SWIZZLE_NONE);
    // more than 48 KB must be asked for
    cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         RING * sizeof(tile));
    multiply<<<grid, THREADS, RING * sizeof(tile)>>>(map_a, map_b, C, M, N, K);
}

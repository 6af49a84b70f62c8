// stage21: a tile of 128 x 128: each wgmma and each copy does more
//
// A wgmma of n columns reads 2 KB of A and n / 32 KB of B in n / 2 cycles: 128, 96 and 80 bytes per
// cycle for n = 64, 128 and 256. And a tile twice as wide and twice as high needs half as many
// bytes from L2 per product.
//   warpgroup   rows 0 to 63 and rows 64 to 127: two wgmmas of 64 x 128, 128 sums per thread
// A box of TMA is as wide as the swizzle, 64 elements: B comes in two slabs.
// From: stage20
// Needs: sm_90a
// Type: bf16
// Expect (sm_90, 8192, bf16): rate >= 1.2 * stage20.rate
#include "bf16.h"

using stage20::matrix_map, stage20::store_sums;

constexpr int BM = 128, BN = 128, BK = 64;

struct Tiles {
    bf16 A[BM * BK], B[BN / 64][BK * 64];
};

__global__ __launch_bounds__(128) void multiply(const __grid_constant__ CUtensorMap A,
                                                const __grid_constant__ CUtensorMap B, bf16 *C,
                                                int M, int N, int K)
{
    __shared__ __align__(1024) Tiles tiles;
    __shared__ uint64_t full;
    int row = blockIdx.y * BM, col = blockIdx.x * BN, parity = 0;
    float sum[BM / 64][BN / 2] = {};

    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_proxy_async();
    }
    __syncthreads();   // the mbarrier must be initialized before any thread waits on it
    for (int k = 0; k < K; k += BK, parity ^= 1) {
        if (threadIdx.x == 0) {
            mbarrier_arrive_expect_tx(&full, sizeof tiles);
            tma_load_2d(tiles.A, &A, k, row, &full);
            for (int n = 0; n < BN / 64; n++)
                tma_load_2d(tiles.B[n], &B, col + n * 64, k, &full);
        }
        mbarrier_wait(&full, parity);
        uint64_t b = wgmma_descriptor_n(tiles.B, sizeof tiles.B[0]);
        wgmma_fence();
        for (int i = 0; i < BK / 16; i++)
            for (int m = 0; m < BM / 64; m++) {
                uint64_t a = wgmma_descriptor(tiles.A + m * 64 * BK);
                wgmma_bf16(sum[m], a + 2 * i, b + 128 * i, true);
            }
        wgmma_commit();
        wgmma_wait_groups<0>(sum);
        __syncthreads();   // no warp reads these tiles again
    }
#pragma unroll   // registers cannot be indexed dynamically
    for (int m = 0; m < BM / 64; m++)
        store_sums(C, row + m * 64, col, M, N, sum[m]);
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    dim3 tiles(ceil_div(N, BN), ceil_div(M, BM));

    multiply<<<tiles, 128>>>(matrix_map(A, M, K, BM), matrix_map(B, K, N, BK), C, M, N, K);
}

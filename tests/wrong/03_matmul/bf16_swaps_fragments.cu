// wrong: the two rows of each thread in the fragment of the sums are swapped.
//
// Rejected: elements of 'C' are wrong
// Rejected (gpu): elements of 'C' are wrong
// Needs: sm_90a
// Type: bf16
#include "bf16.h"

using stage13::store_sums;

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
        wgmma_wait_groups<0>();
        __syncthreads();   // no warp reads these tiles again
    }
    for (int m = 0; m < BM / 64; m++)
        for (int i = 0; i < BN / 2; i += 4)
            for (int j = 0; j < 2; j++) {
                float kept = sum[m][i + j];
                sum[m][i + j] = sum[m][i + 2 + j];
                sum[m][i + 2 + j] = kept;
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

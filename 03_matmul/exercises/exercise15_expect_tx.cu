// exercise15: find the bug: right for whole tiles, and not at the edges
//
// Task: do this after stage 13. Where a tile reaches past the matrix, only a part of it exists. At
// such sizes, the threads wait for ever. Find the cause, and fix it. Two copies per step are
// enough, and their boxes stay as they are.
//
// Question: Why does a phase never end at an edge?
// a) It expects the bytes of whole boxes, and fewer arrive.
// b) It expects the bytes inside the matrix, and those of whole boxes arrive.
// c) It expects two arrivals, and only one thread arrives.
// d) A copy whose box is partly outside does not start.
// Answer: b
//
// Hint: Run ./exercise15 -n 200x64x64. Which mbarrier does the report name, and how many bytes does
// it count at the end?
// Hint: Elements of a box outside the tensor become zeros in shared memory. Are these bytes that
// arrive?
// Hint: Each copy reports the bytes of the whole box, also where it writes zeros. So a phase always
// expects sizeof tiles.
//
// Needs: sm_90a
// Type: bf16
// Points 4: correct
// Points 1: answer
// Points 4 (cpu, 200x88x136, bf16): bulk_ld_requests == 2 * 2 * (3 + 3) and ld_requests == 0
// Points 1 (gpu, 2048x2048x2048, bf16): rate >= 0.15 * ref_cublas_bf16.rate
// Check (cpu, 33003x8x8, bf16)
// Check (cpu, 5x33008x8, bf16)
#include "bf16.h"

using stage13::store_sums;

constexpr int BM = 128, BN = 64, BK = 64;

struct Tiles {
    bf16 A[BM * BK], B[BK * BN];
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
#ifdef SOLUTION
            mbarrier_arrive_expect_tx(&full, sizeof tiles);
#else
            int rows = min(BM, M - row), cols = min(BN, N - col), depth = min(BK, K - k);
            mbarrier_arrive_expect_tx(&full, (rows + cols) * depth * sizeof(bf16));
#endif
            tma_load_2d(tiles.A, &A, k, row, &full);
            tma_load_2d(tiles.B, &B, col, k, &full);
        }
        mbarrier_wait(&full, parity);
        uint64_t b = wgmma_descriptor_n(tiles.B, sizeof tiles.B);
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

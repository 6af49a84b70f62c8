// stage13: wgmma reads its factors from shared memory, where TMA puts them
//
// mma.sync needs both factors in registers. wgmma, a product of four warps (a warpgroup), takes a
// descriptor of a tile in shared memory instead: address, layout, swizzle. One thread starts the
// copies of a step (TMA, week 1), which swizzle as in stage 12. An mbarrier counts their bytes.
//   A  128 x 64   rows along K (K-major)      a descriptor + 2 is 16 columns further: 32 bytes
//   B  64 x 128   rows along N (MN-major)     + 128 is 16 rows further: 16 x 128 bytes. A swizzled
//                                             row has 128 bytes: B is two atoms of 64 columns
// Two wgmmas of 64 x 128 use the same tile of B: 96 bytes per cycle from shared memory. It delivers
// 128, which n = 64 would need. Nothing overlaps within a block: copy, wait, multiply, wait.
// Look at: requests: a thread loads nothing.    make stage13 && ./stage13    make diff A=12 B=13
// Needs: sm_90a
// Type: bf16
// Expect (cpu, 512x512x256, bf16): product_bytes == 96 * product_clocks
// Expect (cpu, 512x512x256, bf16): ld_requests + shared_requests == 0
// Expect (sm_90, 8192, bf16): rate >= 1.08 * stage12.rate
#include "bf16.h"

constexpr int BM = 128, BN = 128, BK = 64;

// A tile of A and one of B, as TMA stores them: B in swizzle atoms of 64 columns.
template <int BM, int BN, int BK> struct Tiles {
    bf16 A[BM * BK], B[BN / 64][BK * 64];
};

// Stores the sums of a warpgroup, 64 x 2 COUNT, from C[row][col] on (ptx_bf16.h: which thread holds
// which sums). Outside the matrix, it does nothing.
template <int COUNT>
__device__ void store_sums(bf16 *C, int row, int col, int M, int N, const float (&sum)[COUNT])
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;

    for (int i = 0; i < COUNT; i += 2) {
        int m = row + warp * 16 + lane / 4 + i / 2 % 2 * 8, n = col + i / 4 * 8 + lane % 4 * 2;
        if (m < M && n < N)
            *(unsigned *)(C + (size_t)m * N + n) = pack_bf16(sum[i], sum[i + 1]);
    }
}

// Starts and commits sum += A B, in wgmmas of 64 rows: a warpgroup has all rows of the tile of A.
template <int BM, int BN, int BK>
__device__ void multiply_tiles(float (&sum)[BM / 64][BN / 2], const Tiles<BM, BN, BK> &t)
{
    uint64_t b = wgmma_descriptor_n(t.B, sizeof t.B[0]);

    wgmma_fence();
    for (int i = 0; i < BK / 16; i++)
        for (int m = 0; m < BM / 64; m++) {
            uint64_t a = wgmma_descriptor(t.A + m * 64 * BK);
            wgmma_bf16(sum[m], a + 2 * i, b + 128 * i, true);
        }
    wgmma_commit();
}

__global__ void __launch_bounds__(128)
    multiply(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B, bf16 *C,
             int M, int N, int K)
{
    __shared__ __align__(1024) Tiles<BM, BN, BK> tiles;
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
        multiply_tiles(sum, tiles);
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

// stage20: wgmma reads its factors from shared memory, where TMA puts them
//
// mma.sync needs both factors in registers. wgmma, a product of four warps (a warpgroup), takes a
// descriptor of a tile in shared memory instead, and one thread starts the copies of a step. Both
// agree on a layout: rows of 128 bytes whose chunks are swizzled, as in stage 19.
//   A  64 x 64   rows along K (K-major)     16 columns further: 32 bytes
//   B  64 x 64   rows along N (MN-major)    16 rows further: 16 x 128 bytes
// Copy, wait, multiply, wait: nothing overlaps within a block. Only the other blocks on the SM do.
// n = 64: 4 KB of shared memory in 32 cycles are 128 bytes per cycle, all that an SM can read.
// From: stage19
// Needs: sm_90a
// Type: bf16
#include "bf16.h"

constexpr int BM = 64, BN = 64, BK = 64;

struct Tiles {
    bf16 A[BM * BK], B[BK * BN];
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

// The tensor map of a rows x cols matrix that is copied in boxes of box_rows x 64, with a 128-byte
// swizzle.
inline CUtensorMap matrix_map(const bf16 *matrix, int rows, int cols, int box_rows)
{
    return *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, matrix, rows, cols, box_rows, 64,
                          CU_TENSOR_MAP_SWIZZLE_128B);
}

__global__ __launch_bounds__(128) void multiply(const __grid_constant__ CUtensorMap A,
                                                const __grid_constant__ CUtensorMap B, bf16 *C,
                                                int M, int N, int K)
{
    __shared__ __align__(1024) Tiles tiles;
    __shared__ uint64_t full;
    int row = blockIdx.y * BM, col = blockIdx.x * BN, parity = 0;
    float sum[BN / 2] = {};

    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_proxy_async();
    }
    __syncthreads();   // the mbarrier must be initialized before any thread waits on it
    for (int k = 0; k < K; k += BK, parity ^= 1) {
        if (threadIdx.x == 0) {
            mbarrier_arrive_expect_tx(&full, sizeof tiles);
            tma_load_2d(tiles.A, &A, k, row, &full);
            tma_load_2d(tiles.B, &B, col, k, &full);
        }
        mbarrier_wait(&full, parity);
        uint64_t a = wgmma_descriptor(tiles.A), b = wgmma_descriptor_n(tiles.B, sizeof tiles.B);
        wgmma_fence();
        for (int i = 0; i < BK / 16; i++)
            wgmma_bf16(sum, a + 2 * i, b + 128 * i, true);
        wgmma_wait(sum);
        __syncthreads();   // no warp reads these tiles again
    }
    store_sums(C, row, col, M, N, sum);
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    dim3 tiles(ceil_div(N, BN), ceil_div(M, BM));

    multiply<<<tiles, 128>>>(matrix_map(A, M, K, BM), matrix_map(B, K, N, BK), C, M, N, K);
}

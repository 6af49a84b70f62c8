// exercise11: a wgmma descriptor by hand: tiles with rows of 64 bytes
//
// Task: do this after stage 13. The tiles are half as deep here, 32 along K, so a row of A has 64
// bytes, and TMA stores it with a swizzle of 64 bytes. B comes in slabs of 32 columns. So
// wgmma_descriptor() does not fit. Write descriptor(), and the distances of both tiles, in bytes.
// It is solved if ./exercise11 finds no wrong element, with wgmma.
//
//   bits    0-13  16-29    32-45   62-63
//   field   start leading  stride  swizzle: 1 of 128 bytes, 2 of 64, 3 of 32     lengths / 16
//   A (K-major)   unused   from 8 rows to the next 8 along M
//   B (MN-major)  from a slab to the next            from 8 rows to the next 8 along K
//
// Hint: The start is an offset in shared memory, shared_address(tile), in units of 16 bytes. 14
// bits of it are in the descriptor. How many bytes have 8 rows of 64 bytes?
// Hint: Both strides are 8 * 64 bytes. A slab of B is 32 rows of 64 bytes. Shifts of more than 31
// bits need a uint64_t.
// Hint: Each field is a number of units of 16 bytes at its place: start from bit 0, leading from
// bit 16, stride from bit 32, swizzle from bit 62. What is the distance of two groups of 8 rows?
// What is the distance of two slabs of B, and why is it of no importance for A?
//
// Needs: sm_90a
// Type: bf16
// Points 6: correct
// Points 3 (cpu, 128x128x64, bf16): products == 4 * 2 * 2 and shared_requests + ld_requests == 0
// Points 1 (gpu, 2048x2048x2048, bf16): rate >= 0.1 * ref_cublas_bf16.rate
// Check (cpu, 33003x8x8, bf16)
// Check (cpu, 5x33008x8, bf16)
#include "bf16.h"

using stage13::store_sums;

constexpr int BM = 64, BN = 64, BK = 32;
constexpr int SLAB = 32;   // columns of B in a row of 64 bytes

struct Tiles {
    bf16 A[BM][BK], B[BN / SLAB][BK][SLAB];
};

// The matrix descriptor of a tile that begins at `start`. leading and stride: bytes. swizzle: its
// code.
__device__ uint64_t descriptor(const void *start, uint64_t leading, uint64_t stride,
                               uint64_t swizzle)
{
#ifdef SOLUTION
    uint64_t at = shared_address(start);

    return (at >> 4 & 0x3fff) | leading >> 4 << 16 | stride >> 4 << 32 | swizzle << 62;
#else
    return 0;                                                   // TODO: the four fields
#endif
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
            for (int n = 0; n < BN / SLAB; n++)
                tma_load_2d(tiles.B[n], &B, col + n * SLAB, k, &full);
        }
        mbarrier_wait(&full, parity);
        wgmma_fence();
        for (int i = 0; i < BK; i += 16) {   // 16 further along K
#ifdef SOLUTION
            uint64_t a = descriptor(&tiles.A[0][i], 16, 8 * sizeof tiles.A[0], 2);
            uint64_t b = descriptor(tiles.B[0][i], sizeof tiles.B[0], 8 * sizeof tiles.B[0][0], 2);
#else
            uint64_t a = descriptor(&tiles.A[0][i], 0, 0, 0);   // TODO: leading, stride, swizzle
            uint64_t b = descriptor(tiles.B[0][i], 0, 0, 0);    // TODO
#endif
            wgmma_bf16(sum, a, b, true);
        }
        wgmma_wait(sum);
        __syncthreads();   // no warp reads these tiles again
    }
    store_sums(C, row, col, M, N, sum);
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    CUtensorMap map_a = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, A, M, K, BM, BK,
                                       CU_TENSOR_MAP_SWIZZLE_64B);
    CUtensorMap map_b = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, B, K, N, BK, SLAB,
                                       CU_TENSOR_MAP_SWIZZLE_64B);
    multiply<<<dim3(ceil_div(N, BN), ceil_div(M, BM)), 128>>>(map_a, map_b, C, M, N, K);
}

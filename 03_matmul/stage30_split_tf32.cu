// stage30: fp32 accuracy from tensor cores by three TF32 products; B is split in a step of its own
//
// TF32 keeps 11 of the 24 significant bits of a float. So a and b are split, x = hi + lo, both
// TF32. Three products are enough:
//   a b = lo hi + hi lo + hi hi   (lo lo is at most 2^-22 of a b, and is skipped)
// wgmma reads TF32 only with K along rows: a first kernel splits and transposes B. A is split in
// registers, from which wgmma can read it. Tensor cores truncate sums, an error that grows with K:
// every CHUNK of K is added to fp32 sums. Inf becomes NaN: Inf - Inf. Look at: max_error.
// From: stage13
// Needs: sm_90a
// Arithmetic: tf32x3
// make stage30 && ./stage30        make diff A=13 B=30        make stage30 CHUNK=65536
// Expect (cpu, 256x256x64): products == 3 * flops / 2 / (64 * 128 * 8)
// Expect (cpu, 256x256x64): max_error <= stage1.max_error / 2
// Expect (sm_90, 4096x4096x4096): rate >= 1.8 * ref_cublas.rate
// Expect (sm_90, 4096x4096x4096): max_error <= ref_cublas.max_error / 4
#include "tf32.h"

#ifndef CHUNK
#define CHUNK 32   // depth along K that tensor cores sum before it is added to the fp32 sums
#endif
#if CHUNK < 32 || CHUNK % 32
#error CHUNK must be a multiple of 32
#endif
constexpr int BM = 64, BN = 128;

// The transpose of B, split, in tiles of 32 x 128; blocks of 256 threads, one per tile. B_hi and
// B_lo: N rows of `pitch` words, a multiple of 32, zero beyond K.
__global__ void split_b(const float *B, float *B_hi, float *B_lo, int N, int K, int pitch)
{
    __shared__ __align__(16) float tile[32][128 + 4];
    int n = blockIdx.x % ceil_div(N, 128) * 128, k = blockIdx.x / ceil_div(N, 128) * 32;

    for (int i = 0; i < 4; i++) {
        int row = threadIdx.x / 32 + 8 * i, col = threadIdx.x % 32 * 4;
        *(float4 *)&tile[row][col] =
            k + row < K && n + col < N ? *(float4 *)&B[(size_t)(k + row) * N + n + col] : float4();
    }
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        int col = threadIdx.x / 8 + 32 * i, row = threadIdx.x % 8;
        size_t to = (size_t)(n + col) * pitch + k + 4 * row;
        alignas(16) float hi[4], lo[4];
        for (int j = 0; j < 4; j++)
            split(tile[4 * row + j][col], &hi[j], &lo[j]);
        if (n + col < N) {
            *(float4 *)&B_hi[to] = *(float4 *)hi;
            *(float4 *)&B_lo[to] = *(float4 *)lo;
        }
    }
}

// Starts part = A B of one step, or part += A B if `add`: the three products, those with a lo
// first. A wgmma multiplies 64 x 8 by 8 x 128; a descriptor + 2 * i is where columns 8 i of a tile
// start.
__device__ void multiply_tiles(float (&part)[64], const HiLo &a, const float *B_hi,
                               const float *B_lo, bool add)
{
    wgmma_fence();
    for (int i = 0; i < BK / 8; i++)
        wgmma_tf32(part, a.lo[i], wgmma_descriptor(B_hi) + 2 * i, add || i);
    for (int i = 0; i < BK / 8; i++)
        wgmma_tf32(part, a.hi[i], wgmma_descriptor(B_lo) + 2 * i, true);
    for (int i = 0; i < BK / 8; i++)
        wgmma_tf32(part, a.hi[i], wgmma_descriptor(B_hi) + 2 * i, true);
    wgmma_commit();
}

__global__ __launch_bounds__(128) void multiply(const __grid_constant__ CUtensorMap A,
                                                const __grid_constant__ CUtensorMap B_hi,
                                                const __grid_constant__ CUtensorMap B_lo, float *C,
                                                int M, int N, int K)
{
    __shared__ __align__(1024) float A_tile[BM * BK], hi[BN * BK], lo[BN * BK];
    __shared__ uint64_t full;
    int row = blockIdx.y * BM, col = blockIdx.x * BN, parity = 0;
    float sum[BN / 2] = {}, part[BN / 2];
    HiLo a;

    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_proxy_async();
    }
    __syncthreads();   // the mbarrier must be initialized before any thread waits on it
    for (int k = 0; k < K; k += BK, parity ^= 1) {
        if (threadIdx.x == 0) {
            mbarrier_arrive_expect_tx(&full, sizeof A_tile + sizeof hi + sizeof lo);
            tma_load_2d(A_tile, &A, k, row, &full);
            tma_load_2d(hi, &B_hi, k, col, &full);
            tma_load_2d(lo, &B_lo, k, col, &full);
        }
        mbarrier_wait(&full, parity);
        split_fragments(A_tile, a);
        multiply_tiles(part, a, hi, lo, k % CHUNK);   // each chunk starts at 0
        wgmma_wait_groups<0>(part);
        if ((k + BK) % CHUNK == 0 || k + BK >= K)
            for (int i = 0; i < BN / 2; i++)
                sum[i] += part[i];
        __syncthreads();   // no warp reads these tiles again
    }
    store_sums(C, row, col, M, N, sum);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (N % 4 || K % 4)
        return refuse("N and K in multiples of 4 only");
    int pitch = ceil_div(K, 32) * 32;
    float *B_hi = (float *)scratch(8l * N * pitch), *B_lo = B_hi + (size_t)N * pitch;
    dim3 tiles(ceil_div(N, BN), ceil_div(M, BM));

    split_b<<<ceil_div(N, 128) * (pitch / 32), 256>>>(B, B_hi, B_lo, N, K, pitch);
    multiply<<<tiles, 128>>>(matrix_map(A, M, K, BM), matrix_map(B_hi, N, pitch, BN),
                             matrix_map(B_lo, N, pitch, BN), C, M, N, K);
}

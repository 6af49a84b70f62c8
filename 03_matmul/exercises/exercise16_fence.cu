// exercise16: find the bug: a fence, and yet the TMA may copy what was in the slot before
//
// Task: do this after stage 17. Each warp stores its sums to a slot in shared memory, and the TMA
// copies the slot to C. There is a fence, and on a GPU the result can be right by chance. But
// nothing makes sure that the TMA reads what the lanes have stored. Find the cause, and fix it. One
// copy per slot is enough.
//
// Question: Why may the TMA copy what was in the slot before?
// a) The lanes store after the fence, so it does not order their stores before the copy.
// b) Lane 0 may start the copy before the other lanes have called the fence.
// c) The kernel may end before the copy has read the slot.
// d) Two lanes store to the same words of the slot, in any order.
// Answer: a
//
// Hint: Run ./exercise16. Which lines does the report name: which one writes the slot, which one
// copies it? Which lanes wrote it?
// Hint: A fence orders the accesses before it before those after it. Which accesses to the slot are
// before the fence here?
// Hint: Each lane calls fence_proxy_async() after its stores, and before __syncwarp(). Then lane 0
// starts the copy.
//
// Needs: sm_90a
// Type: bf16
// Points 4: correct
// Points 1: answer
// Points 4 (cpu, 128x128x64, bf16): bulk_st_requests == 4 * 4 and st_requests == 0
// Points 1 (gpu, 2048x2048x2048, bf16): rate >= 0.15 * ref_cublas_bf16.rate
// Check (cpu, 33003x8x8, bf16)
// Check (cpu, 5x33008x8, bf16)
#include "bf16.h"

constexpr int BM = 64, BN = 64, BK = 64;

struct Shared {
    bf16 A[BM * BK], B[BK * BN];
    bf16 slots[4][16 * 64];   // per warp: its part of C
    uint64_t full;
};

// Stores the sums of a warp, 16 x 64, from C[row][col] on, by a copy of the slot.
__device__ void store_tile(const CUtensorMap *C, bf16 (&slot)[16 * 64], int row, int col,
                           const float (&sum)[BN / 2])
{
    int lane = threadIdx.x % 32;

#ifdef SOLUTION
#else
    fence_proxy_async();   // the TMA must see the slot
#endif
    for (int j = 0; j < 64; j += 16) {
        const float *s = &sum[j / 2];
        stmatrix(slot + lane % 16 * 64 + (j + lane / 16 * 8 ^ lane % 8 * 8), pack_bf16(s[0], s[1]),
                 pack_bf16(s[2], s[3]), pack_bf16(s[4], s[5]), pack_bf16(s[6], s[7]));
    }
#ifdef SOLUTION
    fence_proxy_async();   // each lane, after its stores
#else
#endif
    __syncwarp();
    if (lane == 0) {
        tma_store_2d(C, slot, col, row);
        tma_store_wait_read<0>();   // shared memory must exist until the copy has read it
    }
}

__global__ __launch_bounds__(128) void multiply(const __grid_constant__ CUtensorMap A,
                                                const __grid_constant__ CUtensorMap B,
                                                const __grid_constant__ CUtensorMap C, int M, int N,
                                                int K)
{
    __shared__ __align__(1024) Shared smem;
    int row = blockIdx.y * BM, col = blockIdx.x * BN, warp = threadIdx.x / 32, parity = 0;
    float sum[BN / 2] = {};

    if (threadIdx.x == 0) {
        mbarrier_init(&smem.full, 1);
        fence_proxy_async();
    }
    __syncthreads();   // the mbarrier must be initialized before any thread waits on it
    for (int k = 0; k < K; k += BK, parity ^= 1) {
        if (threadIdx.x == 0) {
            mbarrier_arrive_expect_tx(&smem.full, sizeof smem.A + sizeof smem.B);
            tma_load_2d(smem.A, &A, k, row, &smem.full);
            tma_load_2d(smem.B, &B, col, k, &smem.full);
        }
        mbarrier_wait(&smem.full, parity);
        uint64_t a = wgmma_descriptor(smem.A), b = wgmma_descriptor_n(smem.B, sizeof smem.B);
        wgmma_fence();
        for (int i = 0; i < BK / 16; i++)
            wgmma_bf16(sum, a + 2 * i, b + 128 * i, true);
        wgmma_wait(sum);
        __syncthreads();   // no warp reads these tiles again
    }
    store_tile(&C, smem.slots[warp], row + warp * 16, col, sum);
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    dim3 tiles(ceil_div(N, BN), ceil_div(M, BM));

    multiply<<<tiles, 128>>>(matrix_map(A, M, K, BM), matrix_map(B, K, N, BK),
                             matrix_map(C, M, N, 16), M, N, K);
}

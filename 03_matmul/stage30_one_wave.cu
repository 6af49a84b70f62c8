// stage30: one wave: a small tile per SM, without cluster and scheduler
//
// 1024 x 1024 has 128 tiles of 64 x 128: one wave on 132 SMs. A block computes one tile, so it
// needs no scheduler, and its single consumer needs no registers of the producer. It reads 8 KB of
// A and 16 KB of B per step from shared memory, and TMA writes as much: 48 KB, in place of 56 KB of
// a tile of 128 x 64. What limits it is the latency of copies: all eight buffers, 192 KB per SM,
// are in flight when the first bytes arrive. Without multicast no block waits for another one.
// Look at: `./stage30 --sms 132` on the CPU device, which has two SMs; `make stage30 BUFFERS=4`.
// From: stage29
// Needs: sm_90a
// Type: bf16
// Expect (sm_90, 1024, bf16): rate >= 1.15 * stage29.rate
// Expect (sm_90, 1024, bf16): rate >= 1.02 * ref_cublas_bf16.rate
#include "overlap.h"

using stage20::matrix_map, stage22::copy_tiles, stage22::Pipeline, stage22::Place;
using stage24::tile_corner, stage25::store_sums, stage28::best_plan, stage29::launch_overlapping;
using stage29::launch_plan, stage29::multiply_to_end;

#ifndef BUFFERS
#define BUFFERS 8   // of 24 KB
#endif
constexpr int BM = 64, BN = 128, BK = 64, DEPTH = BUFFERS;
constexpr int CONSUMERS = 128;   // threads: a warpgroup; the producer warp follows

struct Shared {
    Pipeline<BM, BN, BK, DEPTH> p;
    alignas(1024) bf16 slots[CONSUMERS / 32][2][16 * 64];
};

__global__ void __launch_bounds__(CONSUMERS + 32, 1)
    multiply(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B,
             const __grid_constant__ CUtensorMap C, int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Shared &smem = *(Shared *)memory;
    auto &p = smem.p;
    auto [row, col] = tile_corner<BM, BN, GROUP>(blockIdx.x, M, N);
    Place<DEPTH> place;

    if (threadIdx.x == 0)
        p.init(1);
    __syncthreads();              // the mbarriers must be initialized before any thread uses them
    launch_dependents();          // blocks of the next call may start where an SM has room
    wait_for_previous_kernel();   // it is complete: A and B may be read, and C written
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x == CONSUMERS)   // one thread starts all copies
            for (int k = 0; k < K; k += BK, place.next())
                copy_tiles(p, place, &A, &B, row, col, k);
    } else {
        int warp = threadIdx.x / 32;   // of the consumers; its rows: 16 from warp * 16 on
        float sum[BN / 2];
        multiply_to_end<1>(sum, p, place, 0, ceil_div(K, BK), 0);   // no step follows the tile
        store_sums(&C, smem.slots[warp], row + warp * 16, col, sum);
        tma_store_wait_read<0>();   // shared memory must exist until the last copy has read it
    }
}

// The number of tiles, and of blocks.
inline int small_tiles(int M, int N) { return ceil_div(M, BM) * ceil_div(N, BN); }

inline void launch_one_wave(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    launch_overlapping(multiply, small_tiles(M, N), CONSUMERS + 32, sizeof(Shared),
                       matrix_map(A, M, K, BM), matrix_map(B, K, N, BK), matrix_map(C, M, N, 16), M,
                       N, K);
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    if (small_tiles(M, N) <= multiprocessors())
        launch_one_wave(A, B, C, M, N, K);
    else
        launch_plan(best_plan(M, N, K), A, B, C, M, N, K);
}

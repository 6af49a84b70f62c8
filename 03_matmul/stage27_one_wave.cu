// stage27: one wave: a small tile per SM, without cluster and scheduler
//
// 1024 x 1024 has 128 tiles of 64 x 128: one wave on 132 SMs. A block computes one tile, so it
// needs no scheduler, and its single consumer needs no registers of the producer. It reads 8 KB of
// A and 16 KB of B per step from shared memory, and TMA writes as much: 48 KB, in place of 56 KB of
// a tile of 128 x 64. What limits it is the latency of copies: all eight buffers, 192 KB per SM,
// are in flight when the first bytes arrive. Without multicast no block waits for another one.
// It is for one wave: at 4096 it is slower than stage 26, and stage 29 chooses between them.
// Look at: ./stage27 -n 1024; BUFFERS=4.
// make stage27 && ./stage27 -n 1024        make diff A=26 B=27
// From: stage26
// Needs: sm_90a
// Type: bf16
// Expect (cpu, 128x128x512, bf16): copies_in_flight >= 1.5 * stage26.copies_in_flight
// Expect (sm_90, 1024, bf16): rate >= 1.15 * stage26.rate
#include "overlap.h"

using stage13::matrix_map, stage14::copy_tiles, stage14::Pipeline, stage14::PipelineState;
using stage16::tile_corner, stage17::store_sums, stage26::launch_overlapping;
using stage26::multiply_to_end;

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
    PipelineState<DEPTH> state;

    if (threadIdx.x == 0)
        p.init(1);
    __syncthreads();   // the mbarriers must be initialized before any thread uses them
    cudaTriggerProgrammaticLaunchCompletion();   // the next call may start where an SM has room
    cudaGridDependencySynchronize();   // the call before is complete: A, B and C may be accessed
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x == CONSUMERS)   // one thread starts all copies
            for (int k = 0; k < K; k += BK, state.advance())
                copy_tiles(p, state, &A, &B, row, col, k);
    } else {
        int warp = threadIdx.x / 32;   // of the consumers; its rows: 16 from warp * 16 on
        float sum[BN / 2];
        multiply_to_end<1>(sum, p, state, 0, ceil_div(K, BK), 0);   // no step follows the tile
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
    launch_one_wave(A, B, C, M, N, K);
}

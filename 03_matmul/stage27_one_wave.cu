// stage27: software pipelining: a step of wgmmas in flight, for a single consumer
//
// 1024 x 1024 has 128 tiles of 64 x 128: one wave on 132 SMs. A block computes one tile, so it
// needs no scheduler, no cluster, and no second consumer. The consumer is alone: it starts the
// wgmmas of a step before those of the last one are complete (multiply_ahead). All eight buffers,
// 192 KB per SM, are in flight when the first bytes arrive. At 1024 it takes 5.66 us; without the
// step in flight 6.64 us (AHEAD=0), as stage 26 with 6.60 us. At 4096 stage 26 is faster.
// Look at: the time at 1024, also with BUFFERS=4.        make stage27 AHEAD=0 && ./stage27 -n 1024
// make stage27 && ./stage27 -n 1024        make diff A=26 B=27
// From: stage26
// Needs: sm_90a
// Type: bf16
// Expect (cpu, 128x128x512, bf16): copies_in_flight >= 1.5 * stage26.copies_in_flight
// Expect (cpu, 128x128x512, bf16): groups_in_flight >= 0.8
// Expect (sm_90, 1024, bf16): rate >= 1.15 * stage26.rate
#include "overlap.h"

using stage13::Tiles, stage14::copy_tiles, stage14::Ring, stage15::multiply_tiles;
using stage16::multiply_steps, stage16::tile_corner, stage17::Shared, stage17::store_sums;
using stage26::launch_overlapping;

#ifndef BUFFERS
#define BUFFERS 8   // of 24 KB
#endif
#ifndef AHEAD
#define AHEAD 1   // 0: the wgmmas of a step are complete before the next ones start
#endif
constexpr int BM = 64, BN = 128, BK = 64, DEPTH = BUFFERS;
constexpr int CONSUMERS = 128;   // threads: a warpgroup; the producer warp follows

using Pipeline = Ring<Tiles<BM, BN, BK>, DEPTH>;
using Block = Shared<Pipeline, CONSUMERS / 32>;

// As in stage 16, but the wgmmas of a step are in flight when those of the next one start, because
// no other warpgroup multiplies meanwhile. So a buffer is released one step late.
template <class Ring, int COUNT>
__device__ void multiply_ahead(float (&sum)[COUNT], Ring &ring, int row, int steps)
{
    Ring last = ring;   // one step behind

    for (int step = 0; step < steps; step++, ring.advance()) {
        multiply_tiles(sum, ring.wait(), row, step > 0);
        wgmma_wait_groups<1>();   // the wgmmas of the step before are complete
        if (step > 0) {
            last.release();
            last.advance();
        }
    }
    wgmma_wait_groups<0>(sum);
    last.release();
}

__global__ void __launch_bounds__(CONSUMERS + 32, 1)
    multiply(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B,
             const __grid_constant__ CUtensorMap C, int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Block &smem = *(Block *)memory;
    Pipeline ring = { smem.buffers };
    auto [row, col] = tile_corner<BM, BN, GROUP>(blockIdx.x, M, N);

    if (threadIdx.x == 0)
        init_ring(ring, CONSUMERS / 128);
    __syncthreads();   // the mbarriers must be initialized before any thread uses them
    cudaTriggerProgrammaticLaunchCompletion();   // the next call may start where an SM has room
    cudaGridDependencySynchronize();   // the call before is complete: A, B and C may be accessed
    if (threadIdx.x >= CONSUMERS) {
        if (threadIdx.x == CONSUMERS)   // one thread starts all copies
            for (int k = 0; k < K; k += BK, ring.advance())
                copy_tiles(ring, &A, &B, row, col, k);
    } else {
        int warp = threadIdx.x / 32;   // of the consumers; its rows: 16 from warp * 16 on
        float sum[BN / 2];
        AHEAD ? multiply_ahead(sum, ring, 0, ceil_div(K, BK))
              : multiply_steps(sum, ring, 0, ceil_div(K, BK));   // as in stage 16
        store_sums(&C, smem.slots[warp], row + warp * 16, col, sum);
        tma_store_wait_read<0>();   // shared memory must exist until the last copy has read it
    }
}

// The number of tiles, and of blocks.
inline int small_tiles(int M, int N) { return ceil_div(M, BM) * ceil_div(N, BN); }

inline void launch_one_wave(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    launch_overlapping(multiply, small_tiles(M, N), CONSUMERS + 32, sizeof(Block),
                       matrix_map(A, M, K, BM), matrix_map(B, K, N, BK), matrix_map(C, M, N, 16), M,
                       N, K);
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    launch_one_wave(A, B, C, M, N, K);
}

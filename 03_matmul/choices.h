// The kernels among which stage 29 chooses, beside those of stage 26, and its choice. Each
// namespace is named after the stage that shows its contents, and has the same text.
#ifndef CHOICES_H
#define CHOICES_H

#include "overlap.h"

#ifndef BUFFERS
#define BUFFERS 8   // of 24 KB
#endif
#ifndef AHEAD
#define AHEAD 1   // 0: the wgmmas of a step are complete before the next ones start
#endif

namespace stage27 {
using stage13::Tiles, stage14::copy_tiles, stage14::Ring, stage15::multiply_tiles;
using stage16::multiply_steps, stage16::tile_corner, stage17::Shared, stage17::store_sums;
using stage26::launch_overlapping;

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
}   // namespace stage27

namespace stage28 {
using stage15::multiply_tiles, stage16::tile_corner, stage17::store_sums;
using stage24::ClusterRing, stage24::copy_to_cluster, stage26::launch_clusters;

// CONSUMERS: threads, of two warpgroups; the producer's follows
constexpr int BM = 128, BN = 192, BK = 64, DEPTH = 4, CLUSTER = 2, CONSUMERS = 256;

using Pipeline = ClusterRing<BN, CLUSTER, DEPTH>;

// Two slots per warp and half of its tile: three boxes, in slots 0, 1 and 0; the next half starts
// with 0.
using Shared = stage17::Shared<Pipeline, CONSUMERS / 16>;

// Moves past the steps of a tile of the other warpgroup.
__device__ inline void skip(Pipeline &ring, int steps)
{
    ring.left -= steps;
    ring.phase ^= (ring.index + steps) / DEPTH & 1;
    ring.index = (ring.index + steps) % DEPTH;
}

// As multiply_ahead() in stage 27, for the two halves of a tile, of 64 rows each. The turn of the
// other warpgroup begins when warp 0 has started the last wgmma: an order of work, as the two use
// different sums and buffers.
__device__ inline void multiply_halves(float (&sum)[2][BN / 2], Pipeline &ring, int steps,
                                       uint64_t *order_of_other)
{
    Pipeline last = ring;   // one step behind

    for (int step = 0; step < steps; step++, ring.advance()) {
        for (int half = 0; half < 2; half++)
            multiply_tiles(sum[half], ring.wait(), half * 64, step > 0);
        wgmma_wait_groups<2 * AHEAD>();   // both groups of the step before are complete
        if (step > 0) {
            last.release();
            last.advance();
        }
    }
    if (threadIdx.x % 128 == 0)
        mbarrier_arrive(order_of_other);
    wgmma_wait_groups<0>(sum);
    last.release();
    ring.left = last.left;
}

__global__ void __cluster_dims__(CLUSTER) __launch_bounds__(CONSUMERS + 128, 1)
    multiply(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B,
             const __grid_constant__ CUtensorMap C, int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    __shared__ uint64_t order[2];   // order barrier: a phase ends when this warpgroup may multiply
    Shared &smem = *(Shared *)memory;
    // a tile here is that of a cluster: those of its blocks, one above the other
    int tiles = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN), steps = ceil_div(K, BK);
    int first = blockIdx.x / CLUSTER, stride = gridDim.x / CLUSTER;
    Pipeline ring = { { smem.buffers }, ceil_div(tiles - first, stride) * steps };

    if (threadIdx.x == 0) {
        init_ring(ring, CLUSTER);   // one warpgroup per block reads a buffer
        for (uint64_t &turn : order)
            mbarrier_init(&turn, 1);
        fence_mbarrier_init();
    }
    cg::this_cluster().sync();   // the mbarriers must be initialized before any block uses them
    cudaTriggerProgrammaticLaunchCompletion();   // the next call may start where an SM has room
    cudaGridDependencySynchronize();   // the call before is complete: A, B and C may be accessed
    if (threadIdx.x >= CONSUMERS) {
        setmaxnreg_dec<24>();           // to the consumers
        if (threadIdx.x == CONSUMERS)   // the producer: one thread starts all copies
            for (int tile = first; tile < tiles; tile += stride) {
                auto [row, col] = tile_corner<CLUSTER * BM, BN, GROUP / CLUSTER>(tile, M, N);
                for (int k = 0; k < K; k += BK, ring.advance())
                    copy_to_cluster(ring, &A, &B, row, col, k);
            }
    } else {   // the consumers
        setmaxnreg_inc<240>();
        int warp = threadIdx.x / 32, me = warp / 4, parity = 1 - me;   // 0 need not wait at first
        int warp_row = cg::this_cluster().block_rank() * BM + warp % 4 * 16;
        skip(ring, me * steps);   // the first tile is warpgroup 0's
        for (int tile = first + me * stride; tile < tiles; tile += 2 * stride, parity ^= 1) {
            auto [row, col] = tile_corner<CLUSTER * BM, BN, GROUP / CLUSTER>(tile, M, N);
            float sum[2][BN / 2];
            mbarrier_wait(&order[me], parity);
            multiply_halves(sum, ring, steps, &order[1 - me]);
            skip(ring, steps);   // the tile of the other warpgroup
            for (int i = 0; i < 2; i++)
                store_sums(&C, smem.slots[2 * warp + i], row + warp_row + i * 64, col, sum[i]);
        }
        tma_store_wait_read<0>();   // shared memory must exist until the last copy has read it
    }
}
}   // namespace stage28

namespace stage29 {
using stage25::best_plan, stage25::make_plan, stage25::Plan, stage26::launch_clusters;
using stage26::launch_plan, stage27::launch_one_wave, stage27::small_tiles;

inline void launch_best(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    Plan plan = best_plan(M, N, K), ping_pong = make_plan(M, N, K, stage28::BN, stage28::CLUSTER);
    if (small_tiles(M, N) <= multiprocessors())
        launch_one_wave(A, B, C, M, N, K);
    else if (0.95 * ping_pong.products < plan.products + plan.epilogues)
        launch_clusters<stage28::BN, stage28::CLUSTER>(stage28::multiply, sizeof(stage28::Shared),
                                                       A, B, C, M, N, K);
    else
        launch_plan(plan, A, B, C, M, N, K);
}
}   // namespace stage29
#endif

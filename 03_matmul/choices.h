// The kernels among which stage 29 chooses, beside those of stage 26. Each namespace is named after
// the stage that shows its contents, and has the same text.
#ifndef CHOICES_H
#define CHOICES_H

#include "overlap.h"

#ifndef BUFFERS
#define BUFFERS 8   // of 24 KB
#endif

namespace stage27 {
using stage13::matrix_map, stage14::copy_tiles, stage14::Pipeline, stage14::PipelineState;
using stage16::tile_corner, stage17::store_sums, stage26::launch_overlapping;
using stage26::multiply_to_end;

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
}   // namespace stage27

namespace stage28 {
using stage13::matrix_map, stage14::Pipeline, stage14::PipelineState, stage15::multiply_tiles;
using stage16::tile_corner, stage17::store_sums, stage24::copy_to_cluster;
using stage26::launch_overlapping;

constexpr int BM = 128, BN = 192, BK = 64, DEPTH = 4, CLUSTER = 2;
constexpr int CONSUMERS = 256;   // threads: two warpgroups; the producer's follows

struct Shared {
    Pipeline<BM, BN, BK, DEPTH> p;
    // Per warp and half of its tile: three boxes, in slots 0, 1 and 0; the next half starts with 0.
    alignas(1024) bf16 slots[CONSUMERS / 32][2][2][16 * 64];
    uint64_t order[2];   // order barrier: a phase ends when this warpgroup may multiply
};

// Moves `state` by the steps of a tile of the other warpgroup.
__device__ void skip(PipelineState<DEPTH> &state, int steps)
{
    state.phase ^= (state.index + steps) / DEPTH & 1;
    state.index = (state.index + steps) % DEPTH;
}

// sum = the product of `steps` steps, of the two halves of a tile with 64 rows each. As in stage
// 26, `after` steps follow. The other warpgroup's turn begins when warp 0 has started the last
// wgmma: an order of work, as the two use different sums and buffers.
__device__ void multiply_tile(float (&sum)[2][BN / 2], Pipeline<BM, BN, BK, DEPTH> &p,
                              PipelineState<DEPTH> &state, int steps, int after,
                              uint64_t *order_of_other)
{
    int thread = threadIdx.x % 128, before = 0;   // the buffer of the step before

    for (int step = 0; step < steps; step++, state.advance()) {
        mbarrier_wait(&p.full[state.index], state.phase);
        multiply_tiles(sum[0], p.tiles[state.index], 0, step > 0);
        multiply_tiles(sum[1], p.tiles[state.index], 64, step > 0);
        wgmma_wait_groups<2>();   // both groups of the step before are complete
        // step - 1 + DEPTH is the step that fills the buffer again, if there is one
        if (step > 0 && step - 1 + DEPTH < steps + after && thread < CLUSTER)
            mbarrier_arrive_cluster(&p.empty[before], thread);
        before = state.index;
    }
    if (thread == 0)
        mbarrier_arrive(order_of_other);
    wgmma_wait_groups<0>(sum);
    if (DEPTH <= after && thread < CLUSTER)   // the last step's buffer is filled again
        mbarrier_arrive_cluster(&p.empty[before], thread);
}

__global__ __cluster_dims__(CLUSTER)
    __launch_bounds__(CONSUMERS + 128, 1) void multiply(const __grid_constant__ CUtensorMap A,
                                                        const __grid_constant__ CUtensorMap B,
                                                        const __grid_constant__ CUtensorMap C,
                                                        int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    auto &[p, slots, order] = *(Shared *)memory;
    cg::cluster_group cluster = cg::this_cluster();
    // a tile here is that of a cluster: those of its blocks, one above the other
    int tiles = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN), rank = cluster.block_rank();
    int first = blockIdx.x / CLUSTER, stride = gridDim.x / CLUSTER, steps = ceil_div(K, BK);
    PipelineState<DEPTH> state;

    if (threadIdx.x == 0) {
        p.init(CLUSTER);   // one warpgroup per block reads a buffer
        mbarrier_init(&order[0], 1);
        mbarrier_init(&order[1], 1);
        fence_mbarrier_init();
    }
    cluster.sync();   // the mbarriers must be initialized before any block of the cluster uses them
    cudaTriggerProgrammaticLaunchCompletion();   // the next call may start where an SM has room
    cudaGridDependencySynchronize();   // the call before is complete: A, B and C may be accessed
    if (threadIdx.x >= CONSUMERS) {
        setmaxnreg_dec<24>();   // to the consumers; one thread starts all copies
        for (int tile = first; threadIdx.x == CONSUMERS && tile < tiles; tile += stride) {
            auto [row, col] = tile_corner<CLUSTER * BM, BN, GROUP / CLUSTER>(tile, M, N);
            for (int k = 0; k < K; k += BK, state.advance())
                copy_to_cluster<CLUSTER>(p, state, &A, &B, row + rank * BM, col, k);
        }
    } else {   // the consumers
        setmaxnreg_inc<240>();
        int warp = threadIdx.x / 32, me = warp / 4, parity = 1 - me;   // 0 need not wait at first
        if (me == 1)
            skip(state, steps);   // the first tile is warpgroup 0's
        for (int tile = first + me * stride; tile < tiles; tile += 2 * stride, parity ^= 1) {
            auto [row, col] = tile_corner<CLUSTER * BM, BN, GROUP / CLUSTER>(tile, M, N);
            float sum[2][BN / 2];
            mbarrier_wait(&order[me], parity);
            multiply_tile(sum, p, state, steps, (tiles - 1 - tile) / stride * steps,
                          &order[1 - me]);
            skip(state, steps);   // the tile of the other warpgroup
            for (int i = 0; i < 2; i++)
                store_sums(&C, slots[warp][i], row + rank * BM + i * 64 + warp % 4 * 16, col,
                           sum[i]);
        }
        tma_store_wait_read<0>();   // shared memory must exist until the last copy has read it
    }
}

inline void launch_ping_pong(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    int blocks = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN) * CLUSTER;

    launch_overlapping(multiply, min(blocks, multiprocessors() / CLUSTER * CLUSTER),
                       CONSUMERS + 128, sizeof(Shared), matrix_map(A, M, K, BM),
                       matrix_map(B, K, N, BK), matrix_map(C, M, N, 16), M, N, K);
}
}   // namespace stage28
#endif

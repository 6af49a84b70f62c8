// stage27: one group of wgmmas in flight
//
// In stage 26 the tensor cores are idle while a warpgroup waits for its wgmmas, arrives, waits for
// the next tiles and starts the next wgmmas, unless the other warpgroup has work for them. Here the
// wait is one step behind.
//   stage 26   wgmmas 0 | wait, arrive | wgmmas 1 | wait, arrive |
//   stage 27   wgmmas 0 | wgmmas 1 | wgmmas 2 |         after starting group s: wait for group s -
//   1
// wgmma_wait_groups<1>: at most one group is not complete. Groups are complete in order, so the
// buffer of the step before is free.
// From: stage26
// Needs: sm_90a
// Type: bf16
#include "bf16.h"

using stage18::allow_shared, stage20::matrix_map, stage22::Pipeline, stage22::Place;
using stage23::multiply_tiles, stage24::tile_corner, stage25::store_sums, stage26::copy_to_cluster;

#ifndef GROUP
#define GROUP 16   // rasterization: rows of tiles per group, for L2 reuse
#endif
constexpr int BM = 128, BN = 256, BK = 64, DEPTH = 4, CLUSTER = 2;
constexpr int CONSUMERS =
    BM / 64 * 128;   // threads: a warpgroup per 64 rows; the producer's follows

struct Shared {
    Pipeline<BM, BN, BK, DEPTH> p;
    alignas(1024) bf16 slots[CONSUMERS / 32][2][16 * 64];   // per warp: for its part of C
};

// sum = the product of `steps` steps for 64 rows of the tile, from row `row` of it on; `place`
// moves on. Thread i of the warpgroup arrives at block i of the cluster.
template <int CLUSTER, int BM, int BN, int BK, int DEPTH>
__device__ void multiply_in_cluster(float (&sum)[BN / 2], Pipeline<BM, BN, BK, DEPTH> &p,
                                    Place<DEPTH> &place, int row, int steps)
{
    int thread = threadIdx.x % 128, before = 0;   // the buffer of the step before

    for (int step = 0; step < steps; step++, place.next()) {
        mbarrier_wait(&p.full[place.at], place.parity);
        multiply_tiles(sum, p.tiles[place.at], row, step > 0);
        wgmma_wait_groups<1>();   // the wgmmas of the step before are complete
        if (step > 0 && thread < CLUSTER)
            mbarrier_arrive_cluster(&p.empty[before], thread);
        before = place.at;
    }
    wgmma_wait_groups<0>(sum);
    if (thread < CLUSTER)
        mbarrier_arrive_cluster(&p.empty[before], thread);
}

__global__ __cluster_dims__(CLUSTER)
    __launch_bounds__(CONSUMERS + 128, 1) void multiply(const __grid_constant__ CUtensorMap A,
                                                        const __grid_constant__ CUtensorMap B,
                                                        const __grid_constant__ CUtensorMap C,
                                                        int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Shared &smem = *(Shared *)memory;
    auto &p = smem.p;
    // a unit: the tiles of a cluster, one above the other
    int units = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN), rank = cluster_rank();
    Place<DEPTH> place;

    if (threadIdx.x == 0) {
        p.init(CLUSTER * CONSUMERS / 128);   // full: one arrival; empty: one per warpgroup
        fence_mbarrier_init();
    }
    cluster_sync();   // the mbarriers must be initialized before any block of the cluster uses them
    if (threadIdx.x >= CONSUMERS) {
        setmaxnreg_dec<24>();                       // to the consumers
        bool producer = threadIdx.x == CONSUMERS;   // one thread starts all copies
        for (int unit = blockIdx.x / CLUSTER; producer && unit < units;
             unit += gridDim.x / CLUSTER) {
            auto [row, col] = tile_corner<CLUSTER * BM, BN, GROUP / CLUSTER>(unit, M, N);
            for (int k = 0; k < K; k += BK, place.next())
                copy_to_cluster<CLUSTER>(p, place, &A, &B, row + rank * BM, col, k);
        }
    } else {   // the consumers
        setmaxnreg_inc<240>();
        int warp = threadIdx.x / 32;   // its rows: 16 from warp * 16 on
        for (int unit = blockIdx.x / CLUSTER; unit < units; unit += gridDim.x / CLUSTER) {
            auto [row, col] = tile_corner<CLUSTER * BM, BN, GROUP / CLUSTER>(unit, M, N);
            float sum[BN / 2];
            multiply_in_cluster<CLUSTER>(sum, p, place, warp / 4 * 64, ceil_div(K, BK));
            store_sums(&C, smem.slots[warp], row + rank * BM + warp * 16, col, sum);
        }
        tma_store_wait_read<0>();   // shared memory must exist until the last copy has read it
    }
    cluster_sync();   // no block ends while another one copies to it or arrives at its mbarriers
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    int blocks = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN) * CLUSTER;

    if (allow_shared(multiply, sizeof(Shared)))
        multiply<<<min(blocks, multiprocessors() / CLUSTER * CLUSTER), CONSUMERS + 128,
                   sizeof(Shared)>>>(matrix_map(A, M, K, BM), matrix_map(B, K, N, BK),
                                     matrix_map(C, M, N, 16), M, N, K);
}

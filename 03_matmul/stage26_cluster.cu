// stage26: clusters of two blocks, which share their tiles of B (multicast)
//
// A step of 1024 cycles copies 48 KB to each SM: 48 bytes per cycle. L2 gives loads 34 per SM
// (demo_roofs). Two blocks of a cluster compute tiles one above the other, with the same columns of
// B: each copies half of them to both, 32 bytes per cycle from L2.
//   block 0   A 0 to itself; B slabs 0 and 2 to both      tile 0 | 64 x 256 | 64 x 256 |
//   block 1   A 1 to itself; B slabs 1 and 3 to both      tile 1 | 64 x 256 | 64 x 256 |
// full[s] counts the bytes of both. A buffer is empty when the warpgroups of both have read it: 4
// arrivals at empty[s] in each block, where thread i of a warpgroup arrives at block i.
// From: stage25
// Needs: sm_90a
// Type: bf16
#include "bf16.h"

using stage18::allow_shared, stage20::matrix_map, stage22::Pipeline, stage22::Place, stage22::Tiles;
using stage23::multiply_tiles, stage24::tile_corner, stage25::store_sums;

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

// As in stage 22, but the copies of B go to all blocks of the cluster, and each block starts its
// share of these copies.
template <int CLUSTER, int BM, int BN, int BK, int DEPTH>
__device__ void copy_to_cluster(Pipeline<BM, BN, BK, DEPTH> &p, Place<DEPTH> to,
                                const CUtensorMap *A, const CUtensorMap *B, int row, int col, int k)
{
    Tiles<BM, BN, BK> &t = p.tiles[to.at];
    uint64_t *full = &p.full[to.at];

    mbarrier_wait(&p.empty[to.at], to.parity ^ 1);
    mbarrier_arrive_expect_tx(full, sizeof t);
    tma_load_2d(t.A, A, k, row, full);
    for (int n = cluster_rank(); n < BN / 64; n += CLUSTER)
        tma_load_2d_multicast(t.B[n], B, col + n * 64, k, full, (1 << CLUSTER) - 1);
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
            for (int k = 0; k < K; k += BK, place.next()) {
                mbarrier_wait(&p.full[place.at], place.parity);
                multiply_tiles(sum, p.tiles[place.at], warp / 4 * 64, k > 0);
                wgmma_wait_groups<0>(sum);
                if (threadIdx.x % 128 < CLUSTER)
                    mbarrier_arrive_cluster(&p.empty[place.at], threadIdx.x % 128);
            }
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

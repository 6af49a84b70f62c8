// stage24: clusters of two blocks, which share their tiles of B (multicast)
//
// A step of 1024 cycles copies 48 KB to each SM. Two blocks of a cluster compute tiles one above
// the other, with the same columns of B: each copies half of them to both, 32 KB per SM from L2.
//   block 0   A 0 to itself; atoms 0 and 2 of B to both    tile 0 | 64 x 256 | 64 x 256 |
//   block 1   A 1 to itself; atoms 1 and 3 of B to both    tile 1 | 64 x 256 | 64 x 256 |
// full[s] counts the bytes of both. A buffer is empty when the warpgroups of both have read it: 4
// arrivals at empty[s] in each block, where thread i of a warpgroup arrives at block i. The arrival
// is one step late: a group of wgmmas is still in flight when the next one starts.
// The gain is none: 1.00 at 4096 and 8192. L2 is not the limit of stage 17. Stage 25 can choose it.
// Look at: bytes of bulk copies, a third less.
// make stage24 && ./stage24        make diff A=17 B=24
// From: stage17
// Needs: sm_90a
// Type: bf16
// Expect (cpu, 512x512x256, bf16): bulk_ld_bytes == 2 / 3 * stage17.bulk_ld_bytes
#include "bf16.h"

using stage13::matrix_map, stage14::Pipeline, stage14::PipelineState, stage14::Tiles;
using stage15::multiply_tiles, stage16::tile_corner, stage17::store_sums;

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

// As in stage 14, but the copies of B go to all blocks of the cluster, and each block starts its
// share of these copies.
template <int CLUSTER, int BM, int BN, int BK, int DEPTH>
__device__ void copy_to_cluster(Pipeline<BM, BN, BK, DEPTH> &p, PipelineState<DEPTH> to,
                                const CUtensorMap *A, const CUtensorMap *B, int row, int col, int k)
{
    Tiles<BM, BN, BK> &t = p.tiles[to.index];
    uint64_t *full = &p.full[to.index];

    mbarrier_wait(&p.empty[to.index], to.phase ^ 1);
    mbarrier_arrive_expect_tx(full, sizeof t);
    tma_load_2d(t.A, A, k, row, full);
    for (int n = cg::this_cluster().block_rank(); n < BN / 64; n += CLUSTER)
        tma_load_2d_multicast(t.B[n], B, col + n * 64, k, full, (1 << CLUSTER) - 1);
}

// sum = the product of `steps` steps for 64 rows of the tile, from row `row` of it on; `state`
// moves on. Thread i of the warpgroup arrives at block i of the cluster.
template <int CLUSTER, int BM, int BN, int BK, int DEPTH>
__device__ void multiply_in_cluster(float (&sum)[BN / 2], Pipeline<BM, BN, BK, DEPTH> &p,
                                    PipelineState<DEPTH> &state, int row, int steps)
{
    int thread = threadIdx.x % 128, before = 0;   // the buffer of the step before

    for (int step = 0; step < steps; step++, state.advance()) {
        mbarrier_wait(&p.full[state.index], state.phase);
        multiply_tiles(sum, p.tiles[state.index], row, step > 0);
        wgmma_wait_groups<1>();   // the wgmmas of the step before are complete
        if (step > 0 && thread < CLUSTER)
            mbarrier_arrive_cluster(&p.empty[before], thread);
        before = state.index;
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
    cg::cluster_group cluster = cg::this_cluster();
    // a tile here is that of a cluster: those of its blocks, one above the other
    int tiles = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN), rank = cluster.block_rank();
    PipelineState<DEPTH> state;

    if (threadIdx.x == 0) {
        p.init(CLUSTER * CONSUMERS / 128);   // full: one arrival; empty: one per warpgroup
        fence_mbarrier_init();
    }
    cluster.sync();   // the mbarriers must be initialized before any block of the cluster uses them
    if (threadIdx.x >= CONSUMERS) {
        setmaxnreg_dec<24>();                       // to the consumers
        bool producer = threadIdx.x == CONSUMERS;   // one thread starts all copies
        for (int tile = blockIdx.x / CLUSTER; producer && tile < tiles;
             tile += gridDim.x / CLUSTER) {
            auto [row, col] = tile_corner<CLUSTER * BM, BN, GROUP / CLUSTER>(tile, M, N);
            for (int k = 0; k < K; k += BK, state.advance())
                copy_to_cluster<CLUSTER>(p, state, &A, &B, row + rank * BM, col, k);
        }
    } else {   // the consumers
        setmaxnreg_inc<240>();
        int warp = threadIdx.x / 32;   // its rows: 16 from warp * 16 on
        for (int tile = blockIdx.x / CLUSTER; tile < tiles; tile += gridDim.x / CLUSTER) {
            auto [row, col] = tile_corner<CLUSTER * BM, BN, GROUP / CLUSTER>(tile, M, N);
            float sum[BN / 2];
            multiply_in_cluster<CLUSTER>(sum, p, state, warp / 4 * 64, ceil_div(K, BK));
            store_sums(&C, smem.slots[warp], row + rank * BM + warp * 16, col, sum);
        }
        tma_store_wait_read<0>();   // shared memory must exist until the last copy has read it
    }
    cluster.sync();   // no block ends while another one copies to it or arrives at its mbarriers
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

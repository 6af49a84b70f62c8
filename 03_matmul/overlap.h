// The product of stage 30, for stages that use it beside their own. The namespace is named after
// the stage that shows its contents, and has the same text.
#ifndef OVERLAP_H
#define OVERLAP_H

#include "plans.h"

#ifndef GROUP
#define GROUP 16   // rasterization: rows of tiles per group, for L2 reuse
#endif

namespace stage30 {
using stage18::allow_shared, stage21::matrix_map, stage23::Pipeline, stage23::Place;
using stage25::tile_corner, stage26::store_sums, stage27::copy_to_cluster;
using stage28::multiply_in_cluster, stage29::Plan;

constexpr int BM = 128, BK = 64;
constexpr int CONSUMERS =
    BM / 64 * 128;   // threads: a warpgroup per 64 rows; the producer's follows

// What a block has in shared memory: 192 KB of tiles, and slots for half a tile of C.
template <int BN> struct Shared {
    static const int DEPTH = 4 * 384 / (128 + BN);
    Pipeline<BM, BN, BK, DEPTH> p;
    alignas(1024) bf16 slots[CONSUMERS / 32][2][16 * 64];
};

template <int BN, int CLUSTER>
__global__ __cluster_dims__(CLUSTER)
    __launch_bounds__(CONSUMERS + 128, 1) void multiply(const __grid_constant__ CUtensorMap A,
                                                        const __grid_constant__ CUtensorMap B,
                                                        const __grid_constant__ CUtensorMap C,
                                                        int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Shared<BN> &smem = *(Shared<BN> *)memory;
    auto &p = smem.p;
    int units = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN), rank = cluster_rank();
    Place<Shared<BN>::DEPTH> place;

    if (threadIdx.x == 0) {
        p.init(CLUSTER * CONSUMERS / 128);
        fence_mbarrier_init();
    }
    cluster_sync();   // the mbarriers must be initialized before any block of the cluster uses them
    launch_dependents();
    wait_for_previous_kernel();
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

// Launches a kernel; the start of its blocks may overlap the end of the kernel before.
template <class Kernel, class... Arguments>
void launch_overlapping(Kernel *kernel, int blocks, size_t shared, Arguments... arguments)
{
    cudaLaunchAttribute overlap = { cudaLaunchAttributeProgrammaticStreamSerialization };
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {
        blocks, CONSUMERS + 128, shared, cudaStreamPerThread, &overlap, 1
    };

    if (allow_shared(kernel, shared))
        cudaLaunchKernelEx(&config, kernel, arguments...);
}

template <int BN, int CLUSTER>
void launch(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    int blocks = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN) * CLUSTER;

    launch_overlapping(multiply<BN, CLUSTER>, min(blocks, multiprocessors() / CLUSTER * CLUSTER),
                       sizeof(Shared<BN>), matrix_map(A, M, K, BM), matrix_map(B, K, N, BK),
                       matrix_map(C, M, N, 16), M, N, K);
}

// Launches the kernel of a plan.
inline void launch_plan(Plan plan, const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    bool pair = plan.cluster == 2;
    auto *run = plan.BN == 256 ? (pair ? launch<256, 2> : launch<256, 1>)
              : plan.BN == 128 ? (pair ? launch<128, 2> : launch<128, 1>)
                               : (pair ? launch<64, 2> : launch<64, 1>);
    run(A, B, C, M, N, K);
}
}   // namespace stage30
#endif

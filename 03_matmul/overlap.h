// The products of stages 29 and 30, for stages that use them beside their own. Each namespace is
// named after the stage that shows its contents, and has the same text.
#ifndef OVERLAP_H
#define OVERLAP_H

#include "plans.h"

#ifndef GROUP
#define GROUP 16   // rasterization: rows of tiles per group, for L2 reuse
#endif

namespace stage29 {
using stage18::allow_shared, stage20::matrix_map, stage22::Pipeline, stage22::Place;
using stage23::multiply_tiles, stage28::Plan;
using stage24::tile_corner, stage25::store_sums, stage26::copy_to_cluster;

constexpr int BM = 128, BK = 64;
constexpr int CONSUMERS = BM / 64 * 128;   // threads; those of the producer follow

// What a block has in shared memory: 192 KB of tiles, and slots for half a tile of C.
template <int BN> struct Shared {
    static const int DEPTH = 4 * 384 / (128 + BN);
    Pipeline<BM, BN, BK, DEPTH> p;
    alignas(1024) bf16 slots[CONSUMERS / 32][2][16 * 64];
};

// As in stage 27, but a buffer is released only if it is filled again: `after` steps of this block
// follow the tile. So no block of the cluster arrives at one that may have ended.
template <int CLUSTER, int BM, int BN, int BK, int DEPTH>
__device__ void multiply_to_end(float (&sum)[BN / 2], Pipeline<BM, BN, BK, DEPTH> &p,
                                Place<DEPTH> &place, int row, int steps, int after)
{
    int thread = threadIdx.x % 128, before = 0;   // the buffer of the step before

    for (int step = 0; step < steps; step++, place.next()) {
        mbarrier_wait(&p.full[place.at], place.parity);
        multiply_tiles(sum, p.tiles[place.at], row, step > 0);
        wgmma_wait_groups<1>();   // the wgmmas of the step before are complete
        // step - 1 + DEPTH is the step that fills the buffer again, if there is one
        if (step > 0 && step - 1 + DEPTH < steps + after && thread < CLUSTER)
            mbarrier_arrive_cluster(&p.empty[before], thread);
        before = place.at;
    }
    wgmma_wait_groups<0>(sum);
    if (DEPTH <= after && thread < CLUSTER)   // the last step's buffer is filled again
        mbarrier_arrive_cluster(&p.empty[before], thread);
}

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
    int first = blockIdx.x / CLUSTER, stride = gridDim.x / CLUSTER, rank = cluster_rank();
    // a unit: the tiles of a cluster, one above the other
    int units = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN), steps = ceil_div(K, BK);
    Place<Shared<BN>::DEPTH> place;

    if (threadIdx.x == 0) {
        p.init(CLUSTER * CONSUMERS / 128);
        fence_mbarrier_init();
    }
    cluster_sync();   // the mbarriers must be initialized before any block of the cluster uses them
    launch_dependents();          // blocks of the next call may start where an SM has room
    wait_for_previous_kernel();   // it is complete: A and B may be read, and C written
    if (threadIdx.x >= CONSUMERS) {
        setmaxnreg_dec<24>();                       // to the consumers
        bool producer = threadIdx.x == CONSUMERS;   // one thread starts all copies
        for (int unit = first; producer && unit < units; unit += stride) {
            auto [row, col] = tile_corner<CLUSTER * BM, BN, GROUP / CLUSTER>(unit, M, N);
            for (int k = 0; k < K; k += BK, place.next())
                copy_to_cluster<CLUSTER>(p, place, &A, &B, row + rank * BM, col, k);
        }
    } else {   // the consumers
        setmaxnreg_inc<240>();
        int warp = threadIdx.x / 32;   // its rows: 16 from warp * 16 on
        for (int unit = first; unit < units; unit += stride) {
            auto [row, col] = tile_corner<CLUSTER * BM, BN, GROUP / CLUSTER>(unit, M, N);
            float sum[BN / 2];
            int after = (units - 1 - unit) / stride * steps;   // in the tiles that follow
            multiply_to_end<CLUSTER>(sum, p, place, warp / 4 * 64, steps, after);
            store_sums(&C, smem.slots[warp], row + rank * BM + warp * 16, col, sum);
        }
        tma_store_wait_read<0>();   // shared memory must exist until the last copy has read it
    }
}

// Launches a kernel; the start of its blocks may overlap the end of the kernel before.
template <class Kernel, class... Arguments>
void launch_overlapping(Kernel *kernel, int blocks, int threads, size_t shared,
                        Arguments... arguments)
{
    cudaLaunchAttribute overlap = { cudaLaunchAttributeProgrammaticStreamSerialization };
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = { blocks, threads, shared, cudaStreamPerThread, &overlap, 1 };

    if (allow_shared(kernel, shared))
        cudaLaunchKernelEx(&config, kernel, arguments...);
}

template <int BN, int CLUSTER>
void launch(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    int blocks = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN) * CLUSTER;

    launch_overlapping(multiply<BN, CLUSTER>, min(blocks, multiprocessors() / CLUSTER * CLUSTER),
                       CONSUMERS + 128, sizeof(Shared<BN>), matrix_map(A, M, K, BM),
                       matrix_map(B, K, N, BK), matrix_map(C, M, N, 16), M, N, K);
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
}   // namespace stage29

#ifndef BUFFERS
#define BUFFERS 8   // of 24 KB
#endif

namespace stage30 {
using stage20::matrix_map, stage22::copy_tiles, stage22::Pipeline, stage22::Place;
using stage24::tile_corner, stage25::store_sums, stage29::launch_overlapping;
using stage29::multiply_to_end;

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
}   // namespace stage30
#endif

// stage26: overlapped launches: programmatic dependent launch, and blocks that end early
//
// A product of 1024 takes some microseconds, and a good part of them are the launch, the
// initialization of the mbarriers, and the wait for the slowest block of the call before. With an
// attribute of the launch, blocks start once all blocks of the kernel before have allowed it, where
// an SM has room. They must not access global memory before that kernel is complete.
//   call 1   launch | init | copy, multiply, store |
//   call 2                   launch | init | wait  | copy, multiply, store |
// An SM has room when a block ends. So a block does not wait for its cluster at the end: it does
// not arrive at a buffer that is not filled again, and all copies to it have completed before.
// That is most of the gain (part 8). Calls in sequence gain, as in the layers of a network.
// Look at: ./stage26 -n 1024.
// make stage26 && ./stage26 -n 1024        make diff A=25 B=26
// Needs: sm_90a
// Type: bf16
// Expect (sm_90, 1024, bf16): rate >= 1.15 * stage25.rate
#include "plans.h"

using stage13::matrix_map, stage14::Pipeline, stage14::PipelineState, stage15::multiply_tiles;
using stage16::tile_corner, stage17::store_sums, stage24::copy_to_cluster, stage25::best_plan;

#ifndef GROUP
#define GROUP 16   // rasterization: rows of tiles per group, for L2 reuse
#endif
constexpr int BM = 128, BK = 64;
constexpr int CONSUMERS = BM / 64 * 128;   // threads; those of the producer follow

// What a block has in shared memory: 192 KB of tiles, and slots for half a tile of C.
template <int BN> struct Shared {
    static const int DEPTH = 4 * 384 / (128 + BN);
    Pipeline<BM, BN, BK, DEPTH> p;
    alignas(1024) bf16 slots[CONSUMERS / 32][2][16 * 64];
};

// As in stage 24, but a buffer is released only if it is filled again: `after` steps of this block
// follow the tile. So no block of the cluster arrives at one that may have ended.
template <int CLUSTER, int BM, int BN, int BK, int DEPTH>
__device__ void multiply_to_end(float (&sum)[BN / 2], Pipeline<BM, BN, BK, DEPTH> &p,
                                PipelineState<DEPTH> &state, int row, int steps, int after)
{
    int thread = threadIdx.x % 128, before = 0;   // the buffer of the step before

    for (int step = 0; step < steps; step++, state.advance()) {
        mbarrier_wait(&p.full[state.index], state.phase);
        multiply_tiles(sum, p.tiles[state.index], row, step > 0);
        wgmma_wait_groups<1>();   // the wgmmas of the step before are complete
        // step - 1 + DEPTH is the step that fills the buffer again, if there is one
        if (step > 0 && step - 1 + DEPTH < steps + after && thread < CLUSTER)
            mbarrier_arrive_cluster(&p.empty[before], thread);
        before = state.index;
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
    auto &[p, slots] = *(Shared<BN> *)memory;
    cg::cluster_group cluster = cg::this_cluster();
    int first = blockIdx.x / CLUSTER, stride = gridDim.x / CLUSTER, rank = cluster.block_rank();
    // a tile here is that of a cluster: those of its blocks, one above the other
    int tiles = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN), steps = ceil_div(K, BK);
    PipelineState<Shared<BN>::DEPTH> state;

    if (threadIdx.x == 0) {
        p.init(CLUSTER * CONSUMERS / 128);
        fence_mbarrier_init();
    }
    cluster.sync();   // the mbarriers must be initialized before any block of the cluster uses them
    cudaTriggerProgrammaticLaunchCompletion();   // the next call may start where an SM has room
    cudaGridDependencySynchronize();   // the call before is complete: A, B and C may be accessed
    if (threadIdx.x >= CONSUMERS) {
        setmaxnreg_dec<24>();                       // to the consumers
        bool producer = threadIdx.x == CONSUMERS;   // one thread starts all copies
        for (int tile = first; producer && tile < tiles; tile += stride) {
            auto [row, col] = tile_corner<CLUSTER * BM, BN, GROUP / CLUSTER>(tile, M, N);
            for (int k = 0; k < K; k += BK, state.advance())
                copy_to_cluster<CLUSTER>(p, state, &A, &B, row + rank * BM, col, k);
        }
    } else {   // the consumers
        setmaxnreg_inc<240>();
        int warp = threadIdx.x / 32;   // its rows: 16 from warp * 16 on
        for (int tile = first; tile < tiles; tile += stride) {
            auto [row, col] = tile_corner<CLUSTER * BM, BN, GROUP / CLUSTER>(tile, M, N);
            float sum[BN / 2];
            int after = (tiles - 1 - tile) / stride * steps;   // in the tiles that follow
            multiply_to_end<CLUSTER>(sum, p, state, warp / 4 * 64, steps, after);
            store_sums(&C, slots[warp], row + rank * BM + warp * 16, col, sum);
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
inline void launch_plan(stage25::Plan plan, const bf16 *A, const bf16 *B, bf16 *C, int M, int N,
                        int K)
{
    bool pair = plan.cluster == 2;
    auto *run = plan.BN == 256 ? (pair ? launch<256, 2> : launch<256, 1>)
              : plan.BN == 128 ? (pair ? launch<128, 2> : launch<128, 1>)
                               : (pair ? launch<64, 2> : launch<64, 1>);
    run(A, B, C, M, N, K);
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    launch_plan(best_plan(M, N, K), A, B, C, M, N, K);
}

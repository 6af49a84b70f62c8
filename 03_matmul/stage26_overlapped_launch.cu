// stage26: a call overlaps the call before (programmatic dependent launch)
//
// A product of 1024 takes some microseconds, and a good part of them are the launch, the
// initialization of the mbarriers, and the wait for the slowest block of the call before. With an
// attribute of the launch, blocks start once all blocks of the kernel before have allowed it, where
// an SM has room. They must not access global memory before that kernel is complete.
//   call 1   launch | init | copy, multiply, store |
//   call 2                   launch | init | wait  | copy, multiply, store |
// An SM has room when a block ends: in stages 24 to 26 no block waits for its cluster at the end.
// Calls in sequence gain, as in the layers of a network. A single call gains nothing.
// Look at: the time at 1024.        make stage26 && ./stage26 -n 1024        make diff A=24 B=26
// From: stage24
// Needs: sm_90a
// Type: bf16
// Expect (cpu, 256x256x64, bf16): dependent_kernels == 1
// Expect (sm_90, 1024, bf16): rate >= 1.08 * stage25.rate
#include "plans.h"

using stage16::multiply_steps, stage16::tile_corner, stage17::store_sums;
using stage24::BK, stage24::Block, stage24::BM, stage24::ClusterRing, stage24::CONSUMERS;
using stage24::copy_to_cluster, stage25::best_plan, stage25::Plan;

template <int BN, int CLUSTER>
__global__ void __cluster_dims__(CLUSTER) __launch_bounds__(CONSUMERS + 128, 1)
    multiply(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B,
             const __grid_constant__ CUtensorMap C, int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    auto &smem = *(Block<BN, CLUSTER> *)memory;
    // a tile here is that of a cluster: those of its blocks, one above the other
    int tiles = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN), steps = ceil_div(K, BK);
    int first = blockIdx.x / CLUSTER, stride = gridDim.x / CLUSTER;
    ClusterRing<BN, CLUSTER> ring = { { smem.buffers }, ceil_div(tiles - first, stride) * steps };

    if (threadIdx.x == 0) {
        init_ring(ring, CLUSTER * CONSUMERS / 128);   // empty: an arrival per warpgroup
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
        int warp = threadIdx.x / 32, rank = cg::this_cluster().block_rank();
        for (int tile = first; tile < tiles; tile += stride) {
            auto [row, col] = tile_corner<CLUSTER * BM, BN, GROUP / CLUSTER>(tile, M, N);
            float sum[BN / 2];
            multiply_steps(sum, ring, warp / 4 * 64, steps);
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

// Launches a kernel of clusters, with tiles of BM x BN and at most one block per SM.
template <int BN, int CLUSTER, class Kernel>
void launch_clusters(Kernel *kernel, size_t shared, const bf16 *A, const bf16 *B, bf16 *C, int M,
                     int N, int K)
{
    int blocks = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN) * CLUSTER;

    launch_overlapping(kernel, min(blocks, multiprocessors() / CLUSTER * CLUSTER), CONSUMERS + 128,
                       shared, matrix_map(A, M, K, BM), matrix_map(B, K, N, BK),
                       matrix_map(C, M, N, 16), M, N, K);
}

template <int BN, int CLUSTER>
void launch(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    launch_clusters<BN, CLUSTER>(multiply<BN, CLUSTER>, sizeof(Block<BN, CLUSTER>), A, B, C, M, N,
                                 K);
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

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    launch_plan(best_plan(M, N, K), A, B, C, M, N, K);
}

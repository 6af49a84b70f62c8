// stage28: ping-pong: a tile for each warpgroup, and one stores while the other multiplies
//
// In stage 26 both warpgroups store their tile at the same time, and meanwhile no product runs.
// Here each has its own tile of 128 x 192. Mbarriers pass the tensor cores to the other one.
//   stage 28   warpgroup 0     multiply | store | wait     | multiply | store
//              warpgroup 1     wait     | multiply         | store    | wait
// At 8192 tensor cores are busy 98 % of the time instead of 94 (ncu). The price: registers limit a
// tile to 192 columns, and tensor cores work 3 % longer. With K = 1024 it is 1.00 to 1.07 times as
// fast. A step is in flight, as in stage 27: without it (AHEAD=0) it is slower than stage 26.
// Look at: K = 1024.    make stage28 && ./stage28 -n 8192x4096x1024    make diff A=26 B=28
// From: stage26
// Needs: sm_90a
// Type: bf16
// Expect (cpu, 512x768x256, bf16): groups_in_flight >= 1.9
// Expect (cpu, 512x1024x256, bf16): product_clocks == 9 / 8 * stage26.product_clocks
// Expect (sm_90, 8192x4096x1024, bf16): rate >= 0.98 * stage26.rate
#include "overlap.h"

using stage15::multiply_tiles, stage16::tile_corner, stage17::store_sums;
using stage24::ClusterRing, stage24::copy_to_cluster, stage26::launch_clusters;

#ifndef AHEAD
#define AHEAD 1   // 0: the wgmmas of a step are complete before the next ones start
#endif
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

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    launch_clusters<BN, CLUSTER>(multiply, sizeof(Shared), A, B, C, M, N, K);
}

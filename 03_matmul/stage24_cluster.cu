// stage24: clusters of two blocks, which share their tiles of B (multicast)
//
// A step of 1024 cycles copies 48 KB to each SM. Two blocks of a cluster compute tiles one above
// the other, with the same columns of B: each copies half of them to both, 32 KB per SM from L2.
//   block 0   A 0 to itself; atoms 0 and 2 of B to both    tile 0 | 64 x 256 | 64 x 256 |
//   block 1   A 1 to itself; atoms 1 and 3 of B to both    tile 1 | 64 x 256 | 64 x 256 |
// full[s] counts the bytes of both. A buffer is empty when the warpgroups of both have read it: 4
// arrivals at empty[s] in each block, where thread i of a warpgroup arrives at block i. It does not
// if the buffer is not filled again. So no block has to wait for the other one at the end.
// The gain is none, at 4096 and 8192: L2 is not the limit of stage 17. Stage 25 can choose it.
// Look at: bytes of bulk copies.        make stage24 && ./stage24        make diff A=17 B=24
// From: stage17
// Needs: sm_90a
// Type: bf16
// Expect (cpu, 512x512x256, bf16): bulk_ld_bytes == 2 / 3 * stage17.bulk_ld_bytes
// Expect (cpu, 512x512x256, bf16): multicast_bytes == bulk_ld_bytes / 2
#include "bf16.h"

using stage13::Tiles, stage14::Ring, stage16::multiply_steps, stage16::tile_corner;
using stage17::Shared, stage17::store_sums;

#ifndef GROUP
#define GROUP 16   // rasterization: rows of tiles per group, for L2 reuse
#endif
constexpr int BM = 128, BK = 64;
constexpr int CONSUMERS = BM / 64 * 128;   // threads; those of the producer follow

// 192 KB of buffers, which the warpgroups of all CLUSTER blocks read.
template <int BN, int CLUSTER, int DEPTH = 4 * 384 / (128 + BN)>
struct ClusterRing : Ring<Tiles<BM, BN, BK>, DEPTH> {
    int left;   // steps of this block whose buffer is not released yet

    // Thread i of a warpgroup arrives at block i. Not if the buffer is not filled again: that block
    // may have ended.
    __device__ void release()
    {
        int block = threadIdx.x % 128;

        if (left-- > DEPTH && block < CLUSTER)
            mbarrier_arrive_cluster(&this->smem.empty[this->index], block);
    }
};

// As in stage 14, but the copies of B go to all blocks of the cluster, and each block starts its
// share of these copies.
template <int BN, int CLUSTER>
__device__ void copy_to_cluster(ClusterRing<BN, CLUSTER> &ring, const CUtensorMap *A,
                                const CUtensorMap *B, int row, int col, int k)
{
    Tiles<BM, BN, BK> &t = ring.acquire();
    uint64_t *full = &ring.smem.full[ring.index];
    int rank = cg::this_cluster().block_rank();

    tma_load_2d(t.A, A, k, row + rank * BM, full);
    for (int n = rank; n < BN / 64; n += CLUSTER)
        tma_load_2d_multicast(t.B[n], B, col + n * 64, k, full, (1 << CLUSTER) - 1);
}

template <int BN, int CLUSTER> using Block = Shared<ClusterRing<BN, CLUSTER>, CONSUMERS / 32>;

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

template <int BN, int CLUSTER>
void launch(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    int blocks = ceil_div(M, CLUSTER * BM) * ceil_div(N, BN) * CLUSTER;
    int bytes = sizeof(Block<BN, CLUSTER>);

    if (allow_shared(multiply<BN, CLUSTER>, bytes))
        multiply<BN, CLUSTER>
            <<<min(blocks, multiprocessors() / CLUSTER * CLUSTER), CONSUMERS + 128, bytes>>>(
                matrix_map(A, M, K, BM), matrix_map(B, K, N, BK), matrix_map(C, M, N, 16), M, N, K);
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    launch<256, 2>(A, B, C, M, N, K);
}

// stage31: three TF32 products in a persistent pipeline
//
// In stage 30, copies wait for products and products for copies. Here is the pipeline of the stages
// in bf16: a producer thread fills the buffers, two warpgroups multiply, and a block computes tile
// after tile, in an order in which L2 serves most copies.
//   producer    wait(empty[s]); copy A, B hi, B lo to tiles[s], counted at full[s]
//   consumers   wait(full[s]); split A in registers; 3 x wgmma; add to sum; arrive at empty[s]
// Products of fp32 accuracy take three times as long, so this pipeline hides copies more easily.
// Look at: copies in flight.        make stage31 && ./stage31        make diff A=30 B=31
// Needs: sm_90a
// Arithmetic: tf32x3
// Expect (cpu, 256x512x512): copies_in_flight >= 4 * stage30.copies_in_flight
// Expect (sm_90, 4096x4096x4096): rate >= 1.25 * stage30.rate
#include "tf32.h"

using stage14::Ring, stage16::tile_corner;
using stage30::multiply_tiles, stage30::split_b;

#ifndef GROUP
#define GROUP 16   // rasterization: rows of tiles per group, for L2 reuse
#endif
constexpr int BM = 128, BN = 128, DEPTH = 4;
constexpr int CONSUMERS =
    BM / 64 * 128;   // threads: a warpgroup per 64 rows; the producer's follows

// The tile of A and the halves of that of B, transposed.
template <int BM, int BN> struct Tiles {
    float A[BM * BK], B_hi[BN * BK], B_lo[BN * BK];
};

// Starts the copies of a step: the tile of A from [row][k] on, those of B from [col][k] on.
template <int BM, int BN, int DEPTH>
__device__ void copy_tiles(Ring<Tiles<BM, BN>, DEPTH> &ring, const CUtensorMap *A,
                           const CUtensorMap *B_hi, const CUtensorMap *B_lo, int row, int col,
                           int k)
{
    Tiles<BM, BN> &t = ring.acquire();
    uint64_t *full = &ring.smem.full[ring.index];

    tma_load_2d(t.A, A, k, row, full);
    tma_load_2d(t.B_hi, B_hi, k, col, full);
    tma_load_2d(t.B_lo, B_lo, k, col, full);
}

using Pipeline = Ring<Tiles<BM, BN>, DEPTH>;

__global__ void __launch_bounds__(CONSUMERS + 128, 1)
    multiply(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B_hi,
             const __grid_constant__ CUtensorMap B_lo, float *C, int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Pipeline ring = { *(Pipeline::Buffers *)memory };
    int tiles = ceil_div(M, BM) * ceil_div(N, BN);

    if (threadIdx.x == 0)
        init_ring(ring, CONSUMERS / 32);
    __syncthreads();   // the mbarriers must be initialized before any thread waits on them
    if (threadIdx.x >= CONSUMERS) {
        setmaxnreg_dec<24>();           // to the consumers
        if (threadIdx.x == CONSUMERS)   // the producer: one thread starts all copies
            for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
                auto [row, col] = tile_corner<BM, BN, GROUP>(tile, M, N);
                for (int k = 0; k < K; k += BK, ring.advance())
                    copy_tiles(ring, &A, &B_hi, &B_lo, row, col, k);
            }
    } else {   // the consumers
        setmaxnreg_inc<240>();
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            auto [row, col] = tile_corner<BM, BN, GROUP>(tile, M, N);
            float sum[BN / 2] = {}, part[BN / 2];
            HiLo a;
            for (int k = 0; k < K; k += BK, ring.advance()) {
                auto &t = ring.wait();
                split_fragments(t.A, a);
                multiply_tiles(part, a, t.B_hi, t.B_lo, false);
                wgmma_wait_groups<0>(part);
                warp_arrive(&ring.smem.empty[ring.index]);
                for (int i = 0; i < BN / 2; i++)
                    sum[i] += part[i];
            }
            store_sums(C, row + threadIdx.x / 128 * 64, col, M, N, sum);
        }
    }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (N % 4 || K % 4)
        return refuse("N and K in multiples of 4 only");
    int pitch = ceil_div(K, 32) * 32, tiles = ceil_div(M, BM) * ceil_div(N, BN);
    float *B_hi = (float *)scratch(8l * N * pitch), *B_lo = B_hi + (size_t)N * pitch;

    split_b<<<ceil_div(N, 128) * (pitch / 32), 256>>>(B, B_hi, B_lo, N, K, pitch);
    if (allow_shared(multiply, sizeof(Pipeline::Buffers)))
        multiply<<<min(tiles, multiprocessors()), CONSUMERS + 128, sizeof(Pipeline::Buffers)>>>(
            matrix_map(A, M, K, BM), matrix_map(B_hi, N, pitch, BN), matrix_map(B_lo, N, pitch, BN),
            C, M, N, K);
}

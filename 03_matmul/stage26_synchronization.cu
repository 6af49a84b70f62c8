// stage26: one arrival per warpgroup, and one group of wgmmas in flight
//
// In stage 25, all 256 consumers arrive at an mbarrier in each step, one after the other, and the
// tensor cores wait while a warpgroup waits for its wgmmas, arrives, and starts the next ones.
//   stage 25   wgmmas 0 | wait, arrive | wgmmas 1 | wait, arrive |
//   stage 26   wgmmas 0 | wgmmas 1 | wgmmas 2 |              after starting group s: wait for s - 1
// A group of wgmmas belongs to the warpgroup: when it is complete, one thread can say so for all.
// The first wgmma of a tile overwrites the sums: they need no zeros.
// From: stage25
// Needs: sm_90a
// Type: bf16
#include "bf16.h"

using stage18::allow_shared, stage21::matrix_map, stage21::store_sums, stage23::copy_tiles,
    stage23::Pipeline, stage23::Place;
using stage24::multiply_tiles, stage25::tile_corner;

#ifndef GROUP
#define GROUP 16   // rasterization: rows of tiles per group, for L2 reuse
#endif
constexpr int BM = 128, BN = 256, BK = 64, DEPTH = 4;
constexpr int CONSUMERS =
    BM / 64 * 128;   // threads: a warpgroup per 64 rows; the producer's follows

using Ring = Pipeline<BM, BN, BK, DEPTH>;

// sum = the product of `steps` steps for 64 rows of the tile, from row `row` of it on; `place`
// moves on.
template <int BM, int BN, int BK, int DEPTH>
__device__ void multiply_tile(float (&sum)[BN / 2], Pipeline<BM, BN, BK, DEPTH> &p,
                              Place<DEPTH> &place, int row, int steps)
{
    bool leader = threadIdx.x % 128 == 0;
    int before = 0;   // the buffer of the step before

    for (int step = 0; step < steps; step++, place.next()) {
        mbarrier_wait(&p.full[place.at], place.parity);
        multiply_tiles(sum, p.tiles[place.at], row, step > 0);   // the first overwrites the sums
        wgmma_wait_groups<1>();   // the wgmmas of the step before are complete
        if (step > 0 && leader)
            mbarrier_arrive(&p.empty[before]);
        before = place.at;
    }
    wgmma_wait_groups<0>();
    if (leader)
        mbarrier_arrive(&p.empty[before]);
}

__global__ __launch_bounds__(CONSUMERS + 128,
                             1) void multiply(const __grid_constant__ CUtensorMap A,
                                              const __grid_constant__ CUtensorMap B, bf16 *C, int M,
                                              int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Ring &p = *(Ring *)memory;
    int tiles = ceil_div(M, BM) * ceil_div(N, BN);
    Place<DEPTH> place;

    if (threadIdx.x == 0)
        p.init(CONSUMERS / 128);
    __syncthreads();   // the mbarriers must be initialized before any thread waits on them
    if (threadIdx.x >= CONSUMERS) {
        setmaxnreg_dec<24>();          // to the consumers
        if (threadIdx.x > CONSUMERS)   // the producer: one thread starts all copies
            return;
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            auto [row, col] = tile_corner<BM, BN, GROUP>(tile, M, N);
            for (int k = 0; k < K; k += BK, place.next())
                copy_tiles(p, place, &A, &B, row, col, k);
        }
    } else {   // the consumers
        setmaxnreg_inc<240>();
        int group_row = threadIdx.x / 128 * 64;   // of this warpgroup in the tile
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            auto [row, col] = tile_corner<BM, BN, GROUP>(tile, M, N);
            float sum[BN / 2];
            multiply_tile(sum, p, place, group_row, ceil_div(K, BK));
            store_sums(C, row + group_row, col, M, N, sum);
        }
    }
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    int tiles = ceil_div(M, BM) * ceil_div(N, BN);

    if (allow_shared(multiply, sizeof(Ring)))
        multiply<<<min(tiles, multiprocessors()), CONSUMERS + 128, sizeof(Ring)>>>(
            matrix_map(A, M, K, BM), matrix_map(B, K, N, BK), C, M, N, K);
}

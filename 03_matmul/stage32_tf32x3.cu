// stage32: software pipelining of the split: the next step is split during the products of this one
//
// In stage 31, a warpgroup waits for its products, adds them, waits for the next tiles and splits
// A. If both do so at once, the tensor cores are idle: they are busy for 88 % of the time, here for
// 94 %. Here a warpgroup splits A of the next step while the products of this one run. Two steps
// are a chunk, which is added once. That gains 1 % (CHUNK=1), and costs accuracy.
//   stage 31   split 0 | wgmmas 0 | add, split 1 | wgmmas 1 | add, split 2 | wgmmas 2 | add ...
//   stage 32   split 0 | wgmmas 0 | wgmmas 1 | add | wgmmas 2 | wgmmas 3 | add ...
//                      | split 1  | split 2        | split 3  | split 4
// Look at: max_error beside the rate.        make stage32 && ./stage32        make diff A=31 B=32
// Needs: sm_90a
// Arithmetic: tf32x3
// Expect (cpu, 256x512x512): groups_in_flight >= 0.45
// Expect (sm_90, 4096x4096x4096): rate >= 1.03 * stage31.rate
// Expect (sm_90, 4096x4096x4096): rate >= 2.3 * ref_cublas.rate
// Expect (sm_90, 4096x4096x4096): max_error <= ref_cublas.max_error / 4
#include "tf32.h"

using stage14::Ring, stage16::tile_corner;
using stage30::multiply_tiles, stage30::split_b, stage31::copy_tiles, stage31::Tiles;

#ifndef GROUP
#define GROUP 16   // rasterization: rows of tiles per group, for L2 reuse
#endif
#ifndef CHUNK
#define CHUNK 2   // steps that tensor cores sum before they are added to the fp32 sums: 1 or 2
#endif
constexpr int BM = 128, BN = 128, DEPTH = 4;
constexpr int CONSUMERS =
    BM / 64 * 128;   // threads: a warpgroup per 64 rows; the producer's follows

using Pipeline = Ring<Tiles<BM, BN>, DEPTH>;

// sum += the product of `steps` steps, an even number, for the 64 rows of this warpgroup. Two steps
// form a chunk, which is added to the sums in fp32.
__device__ void multiply_tile(float (&sum)[BN / 2], Pipeline &ring, int steps)
{
    float part[BN / 2];
    HiLo a[2];   // of the two steps of a chunk
    auto &smem = ring.smem;
    auto add = [&] {
        for (int i = 0; i < BN / 2; i++)
            sum[i] += part[i];
    };

    split_fragments(ring.wait().A, a[0]);
    for (int step = 0; step < steps; step += 2) {
        int first = ring.index;
        multiply_tiles(part, a[0], smem.tiles[first].B_hi, smem.tiles[first].B_lo, false);
        ring.advance();
        split_fragments(ring.wait().A, a[1]);   // while those of the first step run
        if (CHUNK == 1) {
            wgmma_wait_groups<0>(part);
            add();
        }

        int second = ring.index;
        multiply_tiles(part, a[1], smem.tiles[second].B_hi, smem.tiles[second].B_lo, CHUNK == 2);
        wgmma_wait_groups<1>();   // those of the first step are complete
        warp_arrive(&smem.empty[first]);
        ring.advance();
        if (step + 2 < steps)
            split_fragments(ring.wait().A, a[0]);
        wgmma_wait_groups<0>(part);
        warp_arrive(&smem.empty[second]);
        add();
    }
}

__global__ void __launch_bounds__(CONSUMERS + 128, 1)
    multiply(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B_hi,
             const __grid_constant__ CUtensorMap B_lo, float *C, int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Pipeline ring = { *(Pipeline::Buffers *)memory };
    int tiles = ceil_div(M, BM) * ceil_div(N, BN);
    int steps = ceil_div(K, 2 * BK) * 2;   // an even number; beyond K are zeros

    if (threadIdx.x == 0)
        init_ring(ring, CONSUMERS / 32);
    __syncthreads();   // the mbarriers must be initialized before any thread waits on them
    if (threadIdx.x >= CONSUMERS) {
        setmaxnreg_dec<24>();           // to the consumers
        if (threadIdx.x == CONSUMERS)   // the producer: one thread starts all copies
            for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
                auto [row, col] = tile_corner<BM, BN, GROUP>(tile, M, N);
                for (int step = 0; step < steps; step++, ring.advance())
                    copy_tiles(ring, &A, &B_hi, &B_lo, row, col, step * BK);
            }
    } else {   // the consumers
        setmaxnreg_inc<240>();
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            auto [row, col] = tile_corner<BM, BN, GROUP>(tile, M, N);
            float sum[BN / 2] = {};
            multiply_tile(sum, ring, steps);
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

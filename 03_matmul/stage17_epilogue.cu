// stage17: the epilogue by stmatrix and TMA: stores of whole lines
//
// Each store instruction of stage 16 writes 8 rows of 16 bytes: half sectors. A thread has 64 such
// stores. Here a warp stores its sums to shared memory as bf16, 16 x 16 of them per stmatrix, and
// TMA copies whole lines of 128 bytes to C, in the background. It is as fast if a warp waits for
// each copy: the gain is that of the lines.
//   shared memory   4 stages x 48 KB + 8 warps x 2 slots x 2 KB = 224 KB: half of a tile fits
// Slots are swizzled, so that the 8 rows that stmatrix stores at once are in different banks.
// Before TMA reads what threads stored, each of them needs a fence between the two proxies.
// Look at: no thread stores to global memory.
// make stage17 && ./stage17        make diff A=16 B=17
// Needs: sm_90a
// Type: bf16
// Expect (cpu, 512x512x256, bf16): st_sectors == 0
// Expect (sm_90, 4096, bf16): rate >= 1.05 * stage16.rate
#include "bf16.h"

using stage13::Tiles, stage14::copy_tiles, stage14::Ring, stage16::multiply_steps;
using stage16::tile_corner;

#ifndef GROUP
#define GROUP 16   // rasterization: rows of tiles per group, for L2 reuse
#endif
constexpr int BM = 128, BN = 256, BK = 64, DEPTH = 4;
constexpr int CONSUMERS =
    BM / 64 * 128;   // threads: a warpgroup per 64 rows; the producer's follows

// What a block has in shared memory: buffers, and two slots for its part of C per warp.
template <class Ring, int WARPS> struct Shared {
    typename Ring::Buffers buffers;
    alignas(1024) bf16 slots[WARPS][2][16 * 64];
};

// Stores the sums of a warp, 16 x 2 COUNT, from C[row][col] on, in boxes of 16 x 64: converted and
// stored to a slot in shared memory, swizzled as by TMA, and from there copied by TMA, while the
// warp fills the other slot; a single box is always in the first slot. Outside the matrix, TMA
// stores nothing.
template <int COUNT>
__device__ void store_sums(const CUtensorMap *C, bf16 (&slots)[2][16 * 64], int row, int col,
                           const float (&sum)[COUNT])
{
    // with more than one box, the copy from the other slot may still read it
    const int PENDING = COUNT > 32, lane = threadIdx.x % 32;

#pragma unroll   // registers cannot be indexed dynamically
    for (int n = 0; n < 2 * COUNT; n += 64) {
        bf16 *slot = slots[n / 64 % 2];
        tma_store_wait_read<PENDING>();   // lane 0: the last copy from this slot has read it
        __syncwarp();
        for (int j = 0; j < 64; j += 16) {
            const float *s = &sum[(n + j) / 2];
            stmatrix(slot + lane % 16 * 64 + ((j + lane / 16 * 8) ^ (lane % 8 * 8)),
                     pack_bf16(s[0], s[1]), pack_bf16(s[2], s[3]), pack_bf16(s[4], s[5]),
                     pack_bf16(s[6], s[7]));
        }
        fence_proxy_async();
        __syncwarp();
        if (lane == 0)
            tma_store_2d(C, slot, col + n, row);
    }
}

using Pipeline = Ring<Tiles<BM, BN, BK>, DEPTH>;
using Block = Shared<Pipeline, CONSUMERS / 32>;

__global__ void __launch_bounds__(CONSUMERS + 128, 1)
    multiply(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B,
             const __grid_constant__ CUtensorMap C, int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    auto &smem = *(Block *)memory;
    Pipeline ring = { smem.buffers };
    int tiles = ceil_div(M, BM) * ceil_div(N, BN);

    if (threadIdx.x == 0)
        init_ring(ring, CONSUMERS / 128);
    __syncthreads();   // the mbarriers must be initialized before any thread waits on them
    if (threadIdx.x >= CONSUMERS) {
        setmaxnreg_dec<24>();           // to the consumers
        if (threadIdx.x == CONSUMERS)   // the producer: one thread starts all copies
            for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
                auto [row, col] = tile_corner<BM, BN, GROUP>(tile, M, N);
                for (int k = 0; k < K; k += BK, ring.advance())
                    copy_tiles(ring, &A, &B, row, col, k);
            }
    } else {   // the consumers
        setmaxnreg_inc<240>();
        int warp = threadIdx.x / 32;   // its rows: 16 from warp * 16 on
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            auto [row, col] = tile_corner<BM, BN, GROUP>(tile, M, N);
            float sum[BN / 2];
            multiply_steps(sum, ring, warp / 4 * 64, ceil_div(K, BK));
            store_sums(&C, smem.slots[warp], row + warp * 16, col, sum);
        }
        tma_store_wait_read<0>();   // shared memory must exist until the last copy has read it
    }
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    int tiles = ceil_div(M, BM) * ceil_div(N, BN);

    if (allow_shared(multiply, sizeof(Block)))
        multiply<<<min(tiles, multiprocessors()), CONSUMERS + 128, sizeof(Block)>>>(
            matrix_map(A, M, K, BM), matrix_map(B, K, N, BK), matrix_map(C, M, N, 16), M, N, K);
}

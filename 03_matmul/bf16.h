// Types and functions that stages with bf16 show and later ones use. Each namespace is named after
// the stage that shows its contents, and has the same text.
#ifndef BF16_H
#define BF16_H

#include "bf16_mma.h"
#include "ring.h"

// The tensor map of a rows x cols matrix that is copied in boxes of box_rows x 64, with a 128-byte
// swizzle.
inline CUtensorMap matrix_map(const bf16 *matrix, int rows, int cols, int box_rows)
{
    return *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, matrix, rows, cols, box_rows, 64,
                          CU_TENSOR_MAP_SWIZZLE_128B);
}

namespace stage13 {
// A tile of A and one of B, as TMA stores them: B in swizzle atoms of 64 columns.
template <int BM, int BN, int BK> struct Tiles {
    bf16 A[BM * BK], B[BN / 64][BK * 64];
};

// Stores the sums of a warpgroup, 64 x 2 COUNT, from C[row][col] on (ptx_bf16.h: which thread holds
// which sums). Outside the matrix, it does nothing.
template <int COUNT>
__device__ void store_sums(bf16 *C, int row, int col, int M, int N, const float (&sum)[COUNT])
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;

    for (int i = 0; i < COUNT; i += 2) {
        int m = row + warp * 16 + lane / 4 + i / 2 % 2 * 8, n = col + i / 4 * 8 + lane % 4 * 2;
        if (m < M && n < N)
            *(unsigned *)(C + (size_t)m * N + n) = pack_bf16(sum[i], sum[i + 1]);
    }
}

// Starts and commits sum += A B, in wgmmas of 64 rows: a warpgroup has all rows of the tile of A.
template <int BM, int BN, int BK>
__device__ void multiply_tiles(float (&sum)[BM / 64][BN / 2], const Tiles<BM, BN, BK> &t)
{
    uint64_t b = wgmma_descriptor_n(t.B, sizeof t.B[0]);

    wgmma_fence();
    for (int i = 0; i < BK / 16; i++)
        for (int m = 0; m < BM / 64; m++) {
            uint64_t a = wgmma_descriptor(t.A + m * 64 * BK);
            wgmma_bf16(sum[m], a + 2 * i, b + 128 * i, true);
        }
    wgmma_commit();
}
}   // namespace stage13

namespace stage14 {
using stage13::Tiles;

// Starts the copies of a step: the tile of A from [row][k] on, the tile of B from [k][col] on.
template <int BM, int BN, int BK, int DEPTH>
__device__ void copy_tiles(Ring<Tiles<BM, BN, BK>, DEPTH> &ring, const CUtensorMap *A,
                           const CUtensorMap *B, int row, int col, int k)
{
    Tiles<BM, BN, BK> &t = ring.acquire();
    uint64_t *full = &ring.smem.full[ring.index];

    tma_load_2d(t.A, A, k, row, full);
    for (int n = 0; n < BN / 64; n++)
        tma_load_2d(t.B[n], B, col + n * 64, k, full);
}
}   // namespace stage14

namespace stage15 {
using stage13::Tiles;

// Starts and commits sum = A B or, with `add`, sum += A B, for 64 rows of the tile of A.
template <int BM, int BN, int BK>
__device__ void multiply_tiles(float (&sum)[BN / 2], const Tiles<BM, BN, BK> &t, int row, bool add)
{
    uint64_t a = wgmma_descriptor(t.A + row * BK), b = wgmma_descriptor_n(t.B, sizeof t.B[0]);

    wgmma_fence();
    for (int i = 0; i < BK / 16; i++)
        wgmma_bf16(sum, a + 2 * i, b + 128 * i, add || i);
    wgmma_commit();
}
}   // namespace stage15

namespace stage16 {
using stage15::multiply_tiles;

// sum = the product of `steps` steps for 64 rows of a tile of C, from row `row` of the tile on.
template <class Ring, int COUNT>
__device__ void multiply_steps(float (&sum)[COUNT], Ring &ring, int row, int steps)
{
    for (int step = 0; step < steps; step++, ring.advance()) {
        multiply_tiles(sum, ring.wait(), row, step > 0);   // the first overwrites
        wgmma_wait_groups<0>(sum);
        ring.release();
    }
}
}   // namespace stage16

namespace stage17 {
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
}   // namespace stage17
#endif

// Types and functions that stages with bf16 show and later ones use. Each namespace is named after
// the stage that shows its contents, and has the same text.
#ifndef BF16_H
#define BF16_H

#include "bf16_mma.h"
#include "ring.h"

namespace stage13 {
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

// The tensor map of a rows x cols matrix that is copied in boxes of box_rows x 64, with a 128-byte
// swizzle.
inline CUtensorMap matrix_map(const bf16 *matrix, int rows, int cols, int box_rows)
{
    return *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, matrix, rows, cols, box_rows, 64,
                          CU_TENSOR_MAP_SWIZZLE_128B);
}
}   // namespace stage13

namespace stage14 {
// A tile of A and one of B, as TMA stores them: B in swizzle atoms of 64 columns.
template <int BM, int BN, int BK> struct Tiles {
    bf16 A[BM * BK], B[BN / 64][BK * 64];
};

// A multistage pipeline: buffers and their mbarriers. full: the copies are complete. empty: all
// consumers have read the tiles.
template <int BM, int BN, int BK, int DEPTH> struct Pipeline {
    Tiles<BM, BN, BK> tiles[DEPTH];
    uint64_t full[DEPTH], empty[DEPTH];

    // One thread calls it.
    __device__ void init(int empty_arrivals)
    {
        for (int i = 0; i < DEPTH; i++) {
            mbarrier_init(&full[i], 1);
            mbarrier_init(&empty[i], empty_arrivals);
        }
        fence_proxy_async();
    }
};

// Waits until the buffer is empty, and starts the copies of a step into it: the tile of A from
// [row][k] on, the tile of B from [k][col] on.
template <int BM, int BN, int BK, int DEPTH>
__device__ void copy_tiles(Pipeline<BM, BN, BK, DEPTH> &p, PipelineState<DEPTH> to,
                           const CUtensorMap *A, const CUtensorMap *B, int row, int col, int k)
{
    Tiles<BM, BN, BK> &t = p.tiles[to.index];
    uint64_t *full = &p.full[to.index];

    mbarrier_wait(&p.empty[to.index], to.phase ^ 1);
    mbarrier_arrive_expect_tx(full, sizeof t);
    tma_load_2d(t.A, A, k, row, full);
    for (int n = 0; n < BN / 64; n++)
        tma_load_2d(t.B[n], B, col + n * 64, k, full);
}
}   // namespace stage14

namespace stage15 {
using stage14::Tiles;

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

namespace stage17 {
// Stores the sums of a warp, 16 x 2 COUNT, from C[row][col] on, in boxes of 16 x 64: converted and
// stored to a slot in shared memory, swizzled as in stage 12, and from there copied by TMA, while
// the warp fills the other slot; a single box is always in the first slot. Outside the matrix, TMA
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

namespace stage24 {
using stage14::Pipeline, stage14::PipelineState, stage14::Tiles, stage15::multiply_tiles;

// As in stage 14, but the copies of B go to all blocks of the cluster, and each block starts its
// share of these copies.
template <int CLUSTER, int BM, int BN, int BK, int DEPTH>
__device__ void copy_to_cluster(Pipeline<BM, BN, BK, DEPTH> &p, PipelineState<DEPTH> to,
                                const CUtensorMap *A, const CUtensorMap *B, int row, int col, int k)
{
    Tiles<BM, BN, BK> &t = p.tiles[to.index];
    uint64_t *full = &p.full[to.index];

    mbarrier_wait(&p.empty[to.index], to.phase ^ 1);
    mbarrier_arrive_expect_tx(full, sizeof t);
    tma_load_2d(t.A, A, k, row, full);
    for (int n = cg::this_cluster().block_rank(); n < BN / 64; n += CLUSTER)
        tma_load_2d_multicast(t.B[n], B, col + n * 64, k, full, (1 << CLUSTER) - 1);
}

// sum = the product of `steps` steps for 64 rows of the tile, from row `row` of it on; `state`
// moves on. Thread i of the warpgroup arrives at block i of the cluster.
template <int CLUSTER, int BM, int BN, int BK, int DEPTH>
__device__ void multiply_in_cluster(float (&sum)[BN / 2], Pipeline<BM, BN, BK, DEPTH> &p,
                                    PipelineState<DEPTH> &state, int row, int steps)
{
    int thread = threadIdx.x % 128, before = 0;   // the buffer of the step before

    for (int step = 0; step < steps; step++, state.advance()) {
        mbarrier_wait(&p.full[state.index], state.phase);
        multiply_tiles(sum, p.tiles[state.index], row, step > 0);
        wgmma_wait_groups<1>();   // the wgmmas of the step before are complete
        if (step > 0 && thread < CLUSTER)
            mbarrier_arrive_cluster(&p.empty[before], thread);
        before = state.index;
    }
    wgmma_wait_groups<0>(sum);
    if (thread < CLUSTER)
        mbarrier_arrive_cluster(&p.empty[before], thread);
}
}   // namespace stage24
#endif

// What the stages with three TF32 products need beside them. Namespaces are named after the stage
// that shows their contents, and have the same text.
#ifndef TF32_H
#define TF32_H

#include "matmul.h"
#include "ring.h"

// The nearest number whose last 13 bits are zero. A carry into the exponent is correct as well.
__device__ inline float round_to_tf32(float x)
{
    return __uint_as_float((__float_as_uint(x) + 0x1000) & 0xffffe000);
}

// x = hi + lo, and what is lost is at most 2^-22 of x.
__device__ inline void split(float x, float *hi, float *lo)
{
    *hi = round_to_tf32(x);
    *lo = round_to_tf32(x - *hi);
}

// The depth of the tiles along K: 128 bytes, the width of the swizzle.
constexpr int BK = 32;

// The words of a tile of A that a thread holds for the wgmmas of a step (ptx_wgmma.h), split.
struct HiLo {
    float hi[BK / 8][4], lo[BK / 8][4];
};

// Loads this thread's words of a tile of A, and splits them. Wgmma i takes columns 8 i + lane % 4
// (j < 2) and 4 further right, of the warp's rows lane / 4 (even j) and lane / 4 + 8 (odd j). TMA
// swizzles: it stores piece c of row r, of 16 bytes, at place c ^ r % 8. So reads have no bank
// conflicts.
__device__ inline void split_fragments(const float *A, HiLo &a)
{
    int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane / 4;

    for (int i = 0; i < BK / 8; i++)
        for (int j = 0; j < 4; j++) {
            int piece = (2 * i + j / 2) ^ row % 8;
            split(A[(row + j % 2 * 8) * BK + piece * 4 + lane % 4], &a.hi[i][j], &a.lo[i][j]);
        }
}

// Stores the sums of a warpgroup, 64 x 2 COUNT, from C[row][col] on (ptx_wgmma.h: which thread
// holds which sums). Outside the matrix, it does nothing.
template <int COUNT>
__device__ void store_sums(float *C, int row, int col, int M, int N, const float (&sum)[COUNT])
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;

    for (int i = 0; i < COUNT; i += 2) {
        int m = row + warp * 16 + lane / 4 + i / 2 % 2 * 8, n = col + i / 4 * 8 + lane % 4 * 2;
        if (m < M && n < N)
            *(float2 *)(C + (size_t)m * N + n) = make_float2(sum[i], sum[i + 1]);
    }
}

// The tensor map of a rows x cols matrix that is copied in boxes of box_rows x 32, with a 128-byte
// swizzle.
inline CUtensorMap matrix_map(const float *matrix, int rows, int cols, int box_rows)
{
    return *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, matrix, rows, cols, box_rows, 32,
                          CU_TENSOR_MAP_SWIZZLE_128B);
}

// One arrival for all lanes of a warp.
__device__ inline void warp_arrive(uint64_t *barrier)
{
    __syncwarp();   // all lanes have read what the barrier guards
    if (threadIdx.x % 32 == 0)
        mbarrier_arrive(barrier);
}

namespace stage30 {
// The transpose of B, split, in tiles of 32 x 128; blocks of 256 threads, one per tile. B_hi and
// B_lo: N rows of `pitch` words, a multiple of 32, zero beyond K.
__global__ void split_b(const float *B, float *B_hi, float *B_lo, int N, int K, int pitch)
{
    __shared__ __align__(16) float tile[32][128 + 4];
    int n = blockIdx.x % ceil_div(N, 128) * 128, k = blockIdx.x / ceil_div(N, 128) * 32;

    for (int i = 0; i < 4; i++) {
        int row = threadIdx.x / 32 + 8 * i, col = threadIdx.x % 32 * 4;
        *(float4 *)&tile[row][col] =
            k + row < K && n + col < N ? *(float4 *)&B[(size_t)(k + row) * N + n + col] : float4();
    }
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        int col = threadIdx.x / 8 + 32 * i, row = threadIdx.x % 8;
        size_t to = (size_t)(n + col) * pitch + k + 4 * row;
        alignas(16) float hi[4], lo[4];
        for (int j = 0; j < 4; j++)
            split(tile[4 * row + j][col], &hi[j], &lo[j]);
        if (n + col < N) {
            *(float4 *)&B_hi[to] = *(float4 *)hi;
            *(float4 *)&B_lo[to] = *(float4 *)lo;
        }
    }
}

// Starts part = A B of one step, or part += A B if `add`: the three products, those with a lo
// first. A wgmma multiplies 64 x 8 by 8 x 128; a descriptor + 2 * i is where columns 8 i of a tile
// start.
__device__ void multiply_tiles(float (&part)[64], const HiLo &a, const float *B_hi,
                               const float *B_lo, bool add)
{
    wgmma_fence();
    for (int i = 0; i < BK / 8; i++)
        wgmma_tf32(part, a.lo[i], wgmma_descriptor(B_hi) + 2 * i, add || i);
    for (int i = 0; i < BK / 8; i++)
        wgmma_tf32(part, a.hi[i], wgmma_descriptor(B_lo) + 2 * i, true);
    for (int i = 0; i < BK / 8; i++)
        wgmma_tf32(part, a.hi[i], wgmma_descriptor(B_hi) + 2 * i, true);
    wgmma_commit();
}
}   // namespace stage30

namespace stage31 {
using stage14::Ring;

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
}   // namespace stage31
#endif

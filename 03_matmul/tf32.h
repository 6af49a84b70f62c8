// Week 3: what stage 19 needs beside its product: the order of tiles, and matrices in the form that
// its bulk copies and wgmma read. `split`, in namespace stage19, is shown there, with the same
// text.
#ifndef TF32_H
#define TF32_H

#include "pipeline.h"

// The first element of a tile of C. The tiles run down the columns of a supertile of SUPERTILE rows
// of tiles, then of the next supertile, whose first row of tiles is `top` (rasterization).
template <int BM, int BN, int SUPERTILE>
__device__ stage10::position tile_corner(int tile, int M, int N)
{
    int tile_rows = ceil_div(M, BM), tile_cols = ceil_div(N, BN);
    int top = tile / (SUPERTILE * tile_cols) * SUPERTILE, height = min(SUPERTILE, tile_rows - top);
    int in_supertile = tile % (SUPERTILE * tile_cols);

    return { (top + in_supertile % height) * BM, in_supertile / height * BN };
}

namespace stage19 {
// The nearest number whose last 13 bits are zero. A carry into the exponent is correct as well.
__device__ inline float round_to_tf32(float x)
{
    return __uint_as_float((__float_as_uint(x) + 0x1000) & 0xffffe000);
}

// x = big + small, and what is lost is at most 2^-22 of x.
__device__ inline void split(float x, float *big, float *small)
{
    *big = round_to_tf32(x);
    *small = round_to_tf32(x - *big);
}
}   // namespace stage19

// The transpose of B, split, in tiles of TILE x TILE; blocks of (TILE, TILE / 4) threads, one per
// tile. B_big and B_small: N rows of `pitch` words, a multiple of TILE, zero beyond K.
template <int TILE>
__global__ void split_transposed(const float *B, float *B_big, float *B_small, int N, int K,
                                 int pitch)
{
    __shared__ float tile[TILE][TILE + 1];
    int tile_cols = ceil_div(N, TILE);
    int n = blockIdx.x % tile_cols * TILE, k = blockIdx.x / tile_cols * TILE;   // corner in B

    for (int i = threadIdx.y; i < TILE; i += blockDim.y)
        tile[i][threadIdx.x] =
            k + i < K && n + threadIdx.x < N ? B[(k + i) * N + n + threadIdx.x] : 0;
    __syncthreads();

    // this thread splits four words of the tile: column i, rows j to j + 3
    int i = threadIdx.y * TILE + threadIdx.x, j = i % (TILE / 4) * 4;
    i /= TILE / 4;
    float4 big, small;
    stage19::split(tile[j + 0][i], &big.x, &small.x);
    stage19::split(tile[j + 1][i], &big.y, &small.y);
    stage19::split(tile[j + 2][i], &big.z, &small.z);
    stage19::split(tile[j + 3][i], &big.w, &small.w);
    if (n + i < N) {
        size_t to = (size_t)(n + i) * pitch + k + j;
        *(float4 *)(B_big + to) = big;
        *(float4 *)(B_small + to) = small;
    }
}

// A with rows of `pitch` words, zero beyond K; a block per row.
template <int THREADS> __global__ void pad_rows(const float *A, float *padded, int K, int pitch)
{
    for (int k = threadIdx.x; k < pitch; k += THREADS)
        padded[(size_t)blockIdx.x * pitch + k] = k < K ? A[blockIdx.x * K + k] : 0;
}

// The tensor map of a rows x cols matrix of floats that is copied in boxes, with a 128-byte
// swizzle.
inline CUtensorMap matrix_map(const float *matrix, int rows, int cols, int box_rows, int box_cols)
{
    return *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, matrix, rows, cols, box_rows, box_cols,
                          CU_TENSOR_MAP_SWIZZLE_128B);
}

// Stores two floats from C[row][col] on; col is even. Outside the matrix, it does nothing.
__device__ inline void store2(float *C, int row, int col, int M, int N, float x, float y)
{
    float *p = C + (size_t)row * N + col;

    if (row >= M || col >= N)
        return;
    if (N % 2 == 0)
        *(float2 *)p = make_float2(x, y);
    else
        p[0] = x;
    if (N % 2 && col + 1 < N)
        p[1] = y;
}
#endif

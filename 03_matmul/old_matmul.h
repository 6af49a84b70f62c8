// Week 3. The contract of a stage: C = A B, row-major.
//
//   A  M x K floats in device memory, 256-byte aligned, rows without gaps: A[m * K + k]
//   B  K x N, likewise: B[k * N + n]
//   C  M x N, likewise: C[m * N + n]; does not overlap A or B; the stage overwrites it
//
// M is 1 to 1048560, N 1 to 2^26 - 1, K 1 to 2^30, and each matrix has fewer than 2^31 elements. A
// stage may refuse a size. It launches on cudaStreamPerThread, the default stream here.
#ifndef MATMUL_H
#define MATMUL_H

#include "../common/stage/stage.h"
#ifdef __cplusplus
#include <cuda_pipeline_primitives.h>
#endif

EXTERN_C void matmul(const float *A, const float *B, float *C, int M, int N, int K);

// For stage 7 and later: a thread loads or stores four floats of a rows x cols matrix, from
// [row][col] on. col is a multiple of 4. Outside the matrix, a load returns 0 and a store does
// nothing. `aligned`: cols is a multiple of 4 too. Then the four floats are 16 aligned bytes, all
// inside the matrix or all outside, and one instruction moves them. Otherwise each float needs its
// own.
#ifdef __cplusplus
template <bool aligned>
__device__ inline float4 load4(const float *from, int row, int col, int rows, int cols)
{
    const float *p = from + (size_t)row * cols + col;
    int n = row < rows ? cols - col : 0;

    if (aligned)
        return n > 0 ? *(const float4 *)p : make_float4(0, 0, 0, 0);
    return make_float4(n > 0 ? p[0] : 0, n > 1 ? p[1] : 0, n > 2 ? p[2] : 0, n > 3 ? p[3] : 0);
}

template <bool aligned>
__device__ inline void store4(float *to, int row, int col, int rows, int cols, float4 v)
{
    float *p = to + (size_t)row * cols + col;
    int n = row < rows ? cols - col : 0;

    if (aligned && n > 0)
        *(float4 *)p = v;
    if (!aligned && n > 0)
        p[0] = v.x;
    if (!aligned && n > 1)
        p[1] = v.y;
    if (!aligned && n > 2)
        p[2] = v.z;
    if (!aligned && n > 3)
        p[3] = v.w;
}

// The same as asynchronous copies (cp.async) into shared memory, of one float and of four: stage 9.
__device__ inline void copy1(float *to, const float *from, int row, int col, int rows, int cols)
{
    bool inside = row < rows && col < cols;

    // the last argument: how many of the bytes become zeros instead of being copied
    __pipeline_memcpy_async(to, inside ? from + (size_t)row * cols + col : from, 4, inside ? 0 : 4);
}

template <bool aligned>
__device__ inline void copy4(float *to, const float *from, int row, int col, int rows, int cols)
{
    bool inside = row < rows && col < cols;

    if (aligned)
        __pipeline_memcpy_async(to, inside ? from + (size_t)row * cols + col : from, 16,
                                inside ? 0 : 16);
    else
        for (int i = 0; i < 4; i++)
            copy1(to + i, from, row, col + i, rows, cols);
}

// Stage 15. Rasterization: the tiles run down the columns of a supertile of GROUP rows of tiles,
// then of the next supertile, which starts at row `group` of tiles. Returns the row (x) and column
// (y) of C where a tile starts.
template <int BM, int BN, int GROUP> __device__ int2 tile_corner(int tile, int M, int N)
{
    int tile_rows = ceil_div(M, BM), tile_cols = ceil_div(N, BN);
    int group = tile / (GROUP * tile_cols) * GROUP, height = min(GROUP, tile_rows - group);
    int in_group = tile % (GROUP * tile_cols);

    return make_int2((group + in_group % height) * BM, in_group / height * BN);
}

// Adds `count` to *finished. True in the block that makes it `all`: it may read what the others
// stored, and *finished is 0 again. The last-block pattern of week 2, single-pass reduction.
__device__ inline bool is_last_part(int *finished, int count, int all)
{
    __threadfence();   // the part is visible before it is counted
    __syncthreads();
    bool last = threadIdx.x == 0 && atomicAdd(finished, count) == all - count;
    if (last)
        *finished = 0;
    last = __syncthreads_or(last);
    __threadfence();   // no part is read before it was counted
    return last;
}

#ifndef EMU_CPU_DEVICE
// The tensor map of a rows x cols matrix of floats that is copied in boxes.
inline CUtensorMap matrix_map(const float *matrix, int rows, int cols, int box_rows, int box_cols,
                              CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE)
{
    return *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, matrix, rows, cols, box_rows, box_cols,
                          swizzle);
}
#endif
#endif

#endif

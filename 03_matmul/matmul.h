// Week 3. The contract of a stage: C = A B, row-major.
//
//   A  M x K floats in device memory, 256-byte aligned, rows without gaps: A[m * K + k]
//   B  K x N, likewise: B[k * N + n]
//   C  M x N, likewise: C[m * N + n]; it does not overlap A or B; it is overwritten
//
// Any M from 1 to 1048560, N from 1 to 2^26 - 1, K from 1 to 2^30, no matrix with 2^31 elements or
// more, unless the stage refuses the size. Work goes to cudaStreamPerThread, which is what <<<grid,
// block>>> uses here.
#ifndef MATMUL_H
#define MATMUL_H

#include "../common/stage/stage.h"
#ifdef __cplusplus
#include <cuda_pipeline_primitives.h>
#endif

EXTERN_C void matmul(const float *A, const float *B, float *C, int M, int N, int K);

// For stages from the seventh on: a thread loads or stores four floats of a matrix of rows x cols,
// from [row][col] on. col is a multiple of 4. Outside the matrix, a load or copy gives 0 and a
// store does nothing. `aligned` says that cols is a multiple of 4 too: then the four are 16 aligned
// bytes, all inside the matrix or all outside, and need one instruction. Otherwise each float needs
// its own.
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

// The same as asynchronous copies into shared memory, of one float and of four: see stage 9.
__device__ inline void copy1(float *to, const float *from, int row, int col, int rows, int cols)
{
    bool inside = row < rows && col < cols;

    // the last argument is how many of the bytes are filled with zeros
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
#endif

#endif

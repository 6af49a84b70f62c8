// For stage 14: the transpose of A, by the kernel of week 1, stage 3.
#ifndef TRANSPOSE_H
#define TRANSPOSE_H

#include "matmul.h"

// to = the transpose of a rows x cols matrix, with rows of `pitch` words. Blocks of (32, 8)
// threads, one per tile of 32 x 32.
__global__ void transpose(const float *from, float *to, int rows, int cols, int pitch)
{
    __shared__ float tile[32][33];
    int row = blockIdx.y * 32, col = blockIdx.x * 32;   // of the tile in `from`

    for (int i = threadIdx.y; i < 32; i += blockDim.y)
        if (row + i < rows && col + threadIdx.x < cols)
            tile[i][threadIdx.x] = from[(size_t)(row + i) * cols + col + threadIdx.x];
    __syncthreads();
    for (int i = threadIdx.y; i < 32; i += blockDim.y)
        if (col + i < cols && row + threadIdx.x < rows)
            to[(size_t)(col + i) * pitch + row + threadIdx.x] = tile[threadIdx.x][i];
}

// The same, in scratch memory: launches the kernel, and returns where its result will be.
inline const float *transposed(const float *from, int rows, int cols, int pitch)
{
    float *to = (float *)scratch((size_t)cols * pitch * sizeof *to);

    transpose<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(from, to, rows, cols,
                                                                             pitch);
    return to;
}
#endif

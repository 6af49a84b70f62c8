// The first kernel of stage 35, for stage 37. The namespace is named after the stage that shows its
// contents, and has the same text.
#ifndef COPY_ALIGNED_H
#define COPY_ALIGNED_H

#include "aligned.h"

namespace stage35 {
// Transposes A (M x K) to K rows of `lda` words, and copies B (K x N) to K rows of `ldb` words,
// with zeros at their ends. The first a_tiles blocks transpose 32 x 32 words of A each, through
// shared memory as in week 1. Each of the others copies a row of B.
__global__ void copy_aligned(const float *A, const float *B, float *a, float *b, int M, int N,
                             int K, int lda, int ldb, int a_tiles)
{
    __shared__ float smem[32][32 + 1];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tile_cols = ceil_div(K, 32);
    int m = blockIdx.x / tile_cols * 32, k = blockIdx.x % tile_cols * 32;   // of A
    size_t row = blockIdx.x - a_tiles;                                      // of B

    cudaTriggerProgrammaticLaunchCompletion();   // the next kernel may start where an SM has room
    cudaGridDependencySynchronize();   // the kernel before is complete: its scratch may be written
    if (blockIdx.x >= a_tiles) {
        for (int col = threadIdx.x; col < ldb; col += 256)
            b[row * ldb + col] = col < N ? B[row * N + col] : 0;
        return;
    }
    for (int i = warp; i < 32; i += 8)
        smem[i][lane] = m + i < M && k + lane < K ? A[(size_t)(m + i) * K + k + lane] : 0;
    __syncthreads();
    for (int i = warp; i < 32; i += 8)
        if (k + i < K && m + lane < lda)
            a[(size_t)(k + i) * lda + m + lane] = smem[lane][i];
}
}   // namespace stage35

#endif

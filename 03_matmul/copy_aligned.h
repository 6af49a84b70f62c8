// The first kernel of stage 35, for stage 37. The namespace is named after the stage that shows its
// contents, and has the same text.
#ifndef COPY_ALIGNED_H
#define COPY_ALIGNED_H

#include "aligned.h"

namespace stage35 {
// Transposes A (M x K) to K rows of `lda` words, and copies B (K x N) to K rows of `ldb` words,
// with zeros at their ends. The first a_tiles blocks transpose 64 x 32 words of A each, through
// shared memory as in week 1. Each of the others copies 2048 words of B.
__global__ void __launch_bounds__(256)
    copy_aligned(const float *A, const float *B, float *a, float *b, int M, int N, int K, int lda,
                 int ldb, int a_tiles)
{
    __shared__ float smem[32][64 + 1];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tile_cols = ceil_div(K, 32);
    int m = blockIdx.x / tile_cols * 64, k = blockIdx.x % tile_cols * 32;
    unsigned first = (blockIdx.x - a_tiles) * 2048 + threadIdx.x, end = (unsigned)K * ldb;   // in b
    float word[8];   // all loads are in flight before the first store

    cudaTriggerProgrammaticLaunchCompletion();   // the next kernel may start where an SM has room
    cudaGridDependencySynchronize();   // the kernel before is complete: its scratch may be written
    if (blockIdx.x < a_tiles) {
        for (int i = 0; i < 64; i += 8)
            smem[lane][warp + i] =
                m + warp + i < M && k + lane < K ? A[(size_t)(m + warp + i) * K + k + lane] : 0;
        __syncthreads();
        for (int i = threadIdx.x / 64; i < 32; i += 4)
            if (k + i < K && m + threadIdx.x % 64 < lda)
                a[(size_t)(k + i) * lda + m + threadIdx.x % 64] = smem[i][threadIdx.x % 64];
        return;
    }
    for (int i = 0; i < 8; i++) {
        unsigned at = first + i * 256, row = at / ldb, col = at % ldb;
        word[i] = at < end && col < N ? B[(size_t)row * N + col] : 0;
    }
    for (int i = 0; i < 8; i++)
        if (first + i * 256 < end)
            b[first + i * 256] = word[i];
}
}   // namespace stage35

#endif

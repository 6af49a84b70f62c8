// The first kernel of stage 37, which makes all rows aligned, and the copies of 16 bytes of its
// second.
#ifndef ALIGNED_H
#define ALIGNED_H

#include "programmatic_launch.h"
#include "tiles.h"

// As stage 19's Copies, for an A that is transposed: a step copies BK rows of each matrix, in
// groups of 4 words. The pitches lda and ldb are multiples of 4.
template <int THREADS, int BM, int BN, int BK> struct AlignedCopies {
    // rows of each tile that all threads together copy at once
    static const int ROWS_A = 4 * THREADS / BM, ROWS_B = 4 * THREADS / BN;
    const float *A, *B;
    int lda, ldb;
    const float *next_a, *next_b;   // row k of each; k: the first of the step, or 0 if it is before
    int a_row, a_col, b_row, b_col;   // of each tile: 4 columns, rows a_row, a_row + ROWS_A, ...
    int a_offset, b_offset;           // where the first group is, counted from next_a and next_b
    int first_zeros;                  // how many k of the first step are before 0

    // The first step starts at k = k0, which is negative if it is incomplete.
    __device__ void prepare(position block, int k0)
    {
        a_row = threadIdx.x / (BM / 4);
        a_col = threadIdx.x % (BM / 4) * 4;
        b_row = threadIdx.x / (BN / 4);
        b_col = threadIdx.x % (BN / 4) * 4;
        next_a = A + (size_t)max(k0, 0) * lda;
        next_b = B + (size_t)max(k0, 0) * ldb;
        a_offset = a_row * lda + min(block.row + a_col, lda - 4);   // clamped to the edge
        b_offset = b_row * ldb + min(block.col + b_col, ldb - 4);
        first_zeros = max(-k0, 0);
    }

    // Starts the copies of a step, of which the first `zero_fill` k become zeros.
    __device__ void start(Tiles<BM, BN, BK> &to, int zero_fill)
    {
        for (int i = 0; i < BK; i += ROWS_A)
            __pipeline_memcpy_async(
                &to.a[a_row + i][a_col],
                a_row + i < zero_fill ? A : &next_a[a_offset + (i - zero_fill) * lda], 16,
                a_row + i < zero_fill ? 16 : 0);
        for (int i = 0; i < BK; i += ROWS_B)
            __pipeline_memcpy_async(
                &to.b[b_row + i][b_col],
                b_row + i < zero_fill ? B : &next_b[b_offset + (i - zero_fill) * ldb], 16,
                b_row + i < zero_fill ? 16 : 0);
        next_a += (ptrdiff_t)(BK - zero_fill) * lda;
        next_b += (ptrdiff_t)(BK - zero_fill) * ldb;
    }
};

// Transposes A (M x K) to K rows of `lda` words, and copies B (K x N) to K rows of `ldb` words,
// with zeros at their ends. The first a_tiles blocks transpose 32 x 32 words of A each, through
// shared memory as in week 1. Each of the others copies 1024 words of a row of B. OVERLAP: blocks
// of the next kernel may start while these run.
template <bool OVERLAP>
__global__ void __launch_bounds__(256)
    copy_aligned(const float *A, const float *B, float *a, float *b, int M, int N, int K, int lda,
                 int ldb, int a_tiles)
{
    __shared__ float smem[32][32 + 1];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tile_cols = ceil_div(K, 32);
    int m = blockIdx.x / tile_cols * 32, k = blockIdx.x % tile_cols * 32;   // of its tile of A
    int row_blocks = ceil_div(ldb, 1024), block = blockIdx.x - a_tiles;
    int row = block / row_blocks, col = block % row_blocks * 1024 + threadIdx.x;   // of B
    float word[4];   // all loads are in flight before the first store

    if (OVERLAP)
        cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();   // the kernel before is complete: its scratch may be written
    if (blockIdx.x < a_tiles) {
        for (int i = 0; i < 4; i++)
            word[i] = m + warp + 8 * i < M && k + lane < K
                        ? A[(size_t)(m + warp + 8 * i) * K + k + lane]
                        : 0;
        for (int i = 0; i < 4; i++)
            smem[warp + 8 * i][lane] = word[i];
        __syncthreads();
        for (int i = warp; i < 32; i += 8)
            if (k + i < K && m + lane < lda)
                a[(size_t)(k + i) * lda + m + lane] = smem[lane][i];
        return;
    }
    for (int i = 0; i < 4; i++)
        word[i] = col + 256 * i < N ? B[(size_t)row * N + col + 256 * i] : 0;
    for (int i = 0; i < 4; i++)
        if (col + 256 * i < ldb)
            b[(size_t)row * ldb + col + 256 * i] = word[i];
}

#endif

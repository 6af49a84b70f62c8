// exercise6: find the bug: only the first tile of each block is right
//
// Task: do this after stage 3. Here a block computes a row panel of C: 16 rows and all columns,
// tile after tile. `./exercise6 --check -n 64x16x64` is right, `./exercise6 --check -n 64x32x64` is
// wrong. Explain what the wrong elements contain, and fix the kernel.
//
// Question: What does a wrong element contain?
// a) The element of the block's first tile alone.
// b) Its own sum, and those of the same thread's elements in the tiles before.
// c) Its own sum without the last step over K.
// d) Products of its row of A with columns of the tile before.
// Answer: b
//
// Hint: In which column is the first wrong element? Does it belong to the first tile of its block?
// Hint: Which variables must start again with each tile of C? What does `sum` contain when the
// block starts its second tile?
// Hint: It still contains the element of the first tile, 16 columns to the left, and adds to it.
// Set it to 0 at the start of each tile, before the loop over k0.
//
// Points 3: correct
// Points 1: answer
// Points 3 (cpu, 64x96x64): ld_requests <= 4 * 6 * 4 * 16 and warp_ld_requests >= 24
// Points 2 (cpu, 64x96x64): barriers <= 4 * 6 * 4 * 16 and warp_ld_requests >= 24
// Points 1 (gpu, 2048x2048x2048): rate >= 0.015 * ref_cublas.rate
// Check (cpu, 33003x5x3)
// Check (cpu, 5x33003x3)
#include "matmul.h"

#define TILE 16   // rows and columns of a tile of C

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.x * TILE + ty;   // this thread's row of C
#ifdef SOLUTION
#else
    float sum = 0;
#endif

    for (int col = tx; col < ceil_div(N, TILE) * TILE; col += TILE) {   // its element of each tile
#ifdef SOLUTION
        float sum = 0;
#else
#endif
        for (int k0 = 0; k0 < K; k0 += TILE) {
            tile_a[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0;
            tile_b[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0;
            __syncthreads();   // both tiles are complete
            for (int k = 0; k < TILE; k++)
                sum += tile_a[ty][k] * tile_b[k][tx];
            __syncthreads();   // no thread still reads the tiles
        }
        if (row < M && col < N)
            C[row * N + col] = sum;
    }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 block(TILE, TILE);

    multiply<<<ceil_div(M, TILE), block>>>(A, B, C, M, N, K);
}

// exercise5: find the bug: right for cubes, wrong for most other sizes
//
// Task: do this after stage 3. One function loads both tiles. `./exercise5 --check -n 64` is right:
// one number makes a cube. `./exercise5 --check -n 64x32x64` is wrong, without any message about an
// access out of bounds. Explain why, and fix it. It is solved if ./exercise5 finds no wrong
// element.
//
// Question: Why are the elements wrong?
// a) The loads of B take it for a matrix of N rows and K columns.
// b) The loads of A take it for a matrix of K rows and M columns.
// c) The test of the store to C swaps its rows and columns.
// d) Tiles at the edge contain words of the step before.
// Answer: a
//
// Hint: Try --check -n 32x64x64, 64x32x64 and 64x64x32. Which two of M, N and K must be equal, so
// that the result is right?
// Hint: How many rows and columns does B have? Compare with matmul.h.
// Hint: load_tile needs the rows and columns of the matrix, in this order. B has K rows of N
// elements. (The wrong index, row * K + col with row < N and col < K, never exceeds the array.)
//
// Points 3: correct
// Points 1: answer
// Points 5 (cpu, 64x96x128): ld_requests <= 4 * 6 * 8 * 16 and shared_bytes >= 2048
// Points 1 (gpu, 2048x2048x2048): rate >= 0.08 * ref_cublas.rate
// Check (cpu, 33003x5x3)
// Check (cpu, 5x33003x3)
#include "matmul.h"

#define TILE 16   // rows and columns of C per block

// Loads the tile that starts at (row, col) of a rows x cols matrix. Words outside are 0.
__device__ void load_tile(float (&tile)[TILE][TILE], const float *from, int row, int col, int rows,
                          int cols)
{
    row += threadIdx.y;
    col += threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = row < rows && col < cols ? from[row * cols + col] : 0;
}

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE, col = blockIdx.x * TILE;   // of the block's tile of C

    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        load_tile(tile_a, A, row, k0, M, K);
#ifdef SOLUTION
        load_tile(tile_b, B, k0, col, K, N);
#else
        load_tile(tile_b, B, k0, col, N, K);
#endif
        __syncthreads();   // both tiles are complete
        for (int k = 0; k < TILE; k++)
            sum += tile_a[ty][k] * tile_b[k][tx];
        __syncthreads();   // no thread still reads the tiles
    }
    if (row + ty < M && col + tx < N)
        C[(row + ty) * N + col + tx] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, TILE), ceil_div(M, TILE)), block(TILE, TILE);

    multiply<<<grid, block>>>(A, B, C, M, N, K);
}

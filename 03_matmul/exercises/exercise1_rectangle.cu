// exercise1: rectangular tiles: the tile of A has 8 rows, the tile of B has 32
//
// Task: do this after stage 3. There, all tiles are square, and each thread loads one word of each.
// Here a block of 32 x 8 threads computes 8 rows and 32 columns of C, in steps of 32 along K. The
// tiles have different sizes. Write the loads of both tiles, for any M, N and K. Adjacent threads
// load adjacent words. It is solved if ./exercise1 finds no wrong element and no uninitialized
// read. Then compare the load requests with those of ./stage3 -n 128x128x64: why are there more?
//
// Hint: How many words does each tile have? How many of them must each of the 256 threads load?
// Hint: Thread (tx, ty) can load column tx of both tiles. In the tile of A that is one word, in row
// ty. Which rows of the tile of B are missing, if it loads only row ty there, too?
// Hint: Load the tile of B in a loop, ty, ty + 8 and so on. Which row of B is row k of this
// tile, and what stands for a word outside the matrix? (A word of B is used for 8 rows of C
// instead of 16. That costs more requests than the wider tile of A saves.)
//
// Points 3: correct
// Points 4 (cpu, 128x128x64): ld_sectors == 4 * 5120 and shared_bytes >= 5120
// Points 2 (cpu, 128x128x64): ld_requests <= 5120 and shared_bytes >= 5120
// Points 1 (gpu, 2048x2048x2048): rate >= 0.08 * ref_cublas.rate
// Check (cpu, 5x33003x3)
// Check (cpu, 3x5x33003)
#include "matmul.h"

#define BM 8   // block tile: rows and columns of C per block
#define BN 32
#define BK 32   // depth of the tiles along K

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile_a[BM][BK];
    __shared__ float tile_b[BK][BN];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * BM + ty;   // this thread's element of C
    int col = blockIdx.x * BN + tx;

    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += BK) {
#ifdef SOLUTION
        tile_a[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0;
        for (int k = ty; k < BK; k += BM)
            tile_b[k][tx] = k0 + k < K && col < N ? B[(k0 + k) * N + col] : 0;
#else
        // TODO: load columns k0 to k0 + 31 of the block's rows of A, and rows k0 to k0 + 31 of the
        // block's columns of B
#endif
        __syncthreads();   // both tiles are complete
        for (int k = 0; k < BK; k++)
            sum += tile_a[ty][k] * tile_b[k][tx];
        __syncthreads();   // no thread still reads the tiles
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM)), block(BN, BM);

    multiply<<<grid, block>>>(A, B, C, M, N, K);
}

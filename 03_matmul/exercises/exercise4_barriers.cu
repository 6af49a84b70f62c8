// exercise4: find the bug: two barriers per step, and yet a race
//
// Task: do this after stage 4. This kernel has the same tiles, and also two barriers per step. But
// the CPU device reports a race. Explain which accesses race, and fix the kernel. Two barriers per
// step are enough.
//
// Question: Which accesses race?
// a) Stores to tile_a, and its reads in the same step.
// b) Reads of tile_a, and the stores to it in the next step.
// c) Stores to tile_b, and its reads in the same step.
// d) Reads of tile_b, and the stores to it in the next step.
// Answer: c
//
// Hint: Run ./exercise4. Which two lines race, and which of the two tiles do they access?
// Hint: Which barrier is between the last store to tile_b and the first read of it? What does the
// barrier between the two calls of load_tile protect?
// Hint: Remove the barrier from load_tile. A step needs one barrier after both tiles are stored,
// and one after they were read, before the next step overwrites them.
//
// Points 3: correct
// Points 1: answer
// Points 5 (cpu, 128x128x64): barriers >= 512 and barriers <= 1024 and ld_requests <= 1024
// Points 1 (gpu, 2048x2048x2048): rate >= 0.1 * ref_cublas.rate
// Check (cpu, 3x6003x5)
#include "matmul.h"

#define BM 64   // block tile: rows and columns of C per block
#define BN 64
#define BK 8   // depth of the tiles along K
#define TM 8   // rows of C per thread
#define THREADS (BM / TM * BN)

// Loads a tile, which starts at (row, col) of a rows x cols matrix.
template <int height, int width>
__device__ void load_tile(float (&tile)[height][width], const float *from, int row, int col,
                          int rows, int cols)
{
#ifdef SOLUTION
#else
    __syncthreads();   // no thread still reads the tile
#endif
    for (int i = threadIdx.x; i < height * width; i += THREADS) {
        int m = row + i / width, n = col + i % width;
        tile[i / width][i % width] = m < rows && n < cols ? from[m * cols + n] : 0;
    }
}

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile_a[BM][BK];
    __shared__ float tile_b[BK][BN];
    int thread_col = threadIdx.x % BN, thread_row = threadIdx.x / BN * TM;   // in the block tile
    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;            // in C

    float sum[TM] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        load_tile(tile_a, A, block_row, k0, M, K);
        load_tile(tile_b, B, k0, block_col, K, N);
#ifdef SOLUTION
        __syncthreads();   // both tiles are complete
#else
#endif
        for (int k = 0; k < BK; k++)
            for (int i = 0; i < TM; i++)
                sum[i] += tile_a[thread_row + i][k] * tile_b[k][thread_col];
#ifdef SOLUTION
        __syncthreads();   // no thread still reads the tiles
#else
#endif
    }
    for (int i = 0; i < TM; i++)
        if (block_row + thread_row + i < M && block_col + thread_col < N)
            C[(block_row + thread_row + i) * N + block_col + thread_col] = sum[i];
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM));

    multiply<<<grid, THREADS>>>(A, B, C, M, N, K);
}

// exercise2: interleaved thread tile: register tiling without bank conflicts
//
// Task: do this after stage 5. There, a thread computes 8 x 8 adjacent elements of C: adjacent
// lanes read words of B that are 8 words apart, which conflict. Here a block of 16 x 16 threads
// computes 64 x 64 elements, and a thread 4 x 4, which are 16 rows and 16 columns apart. Write the
// loop over k and the stores. It is solved if ./exercise2 finds no wrong element, and at 128x128x64
// reports at most 17408 requests to shared memory, 4 sectors per store request, and 1 wavefront per
// request in each line of the source.
//
//   columns of the block tile    0  1 ... 15 | 16 17 ... 31 | 32 ...
//   thread_col                   0  1 ... 15 |  0  1 ... 15 |  0 ...      the same for rows
//
// Hint: Which columns of the block tile does the thread with thread_col = 3 compute?
// Hint: They are 3, 19, 35 and 51. For one k, which four words of row k of tile_b does it need, and
// which four of column k of tile_a? Read these eight into registers first, as in stage 5. (Where
// nvcc unrolls the loop over k, it does so by itself: the machine code has the same loads.)
// Hint: A thread's four words of a row of tile_b are 16 apart. So are its rows of tile_a. Which
// index of frag_b has the word at distance 16 * j, and in which row and column of C does
// sum[i][j] belong?
//
// Points 3: correct
// Points 2 (cpu, 128x128x64): shared_requests >= 8192 and shared_requests <= 17408
// Points 2 (cpu, 128x128x64): shared_wavefronts_source / shared_requests_source == 1
// Points 2 (cpu, 128x128x64): ld_requests <= 1024 and st_sectors <= 2048 and kernels == 1
// Points 1 (gpu, 2048x2048x2048): rate >= 0.15 * ref_cublas.rate
// Check (cpu, 33003x5x3)
// Check (cpu, 5x33003x3)
#include "matmul.h"

#define BM 64   // block tile: rows and columns of C per block
#define BN 64
#define BK 8   // depth of the tiles along K
#define TM 4   // thread tile: rows and columns of C per thread
#define TN 4
#define THREADS (BM / TM * (BN / TN))

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile_a[BM][BK];
    __shared__ float tile_b[BK][BN];
    int thread_col = threadIdx.x % (BN / TN);   // the first column and row of the thread tile
    int thread_row = threadIdx.x / (BN / TN);
    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;   // in C

    float sum[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = threadIdx.x; i < BM * BK; i += THREADS) {
            int m = block_row + i / BK, k = k0 + i % BK;
            tile_a[i / BK][i % BK] = m < M && k < K ? A[m * K + k] : 0;
        }
        for (int i = threadIdx.x; i < BK * BN; i += THREADS) {
            int k = k0 + i / BN, n = block_col + i % BN;
            tile_b[i / BN][i % BN] = k < K && n < N ? B[k * N + n] : 0;
        }
        __syncthreads();
#ifdef SOLUTION
        for (int k = 0; k < BK; k++) {
            float frag_a[TM], frag_b[TN];
            for (int i = 0; i < TM; i++)
                frag_a[i] = tile_a[thread_row + BM / TM * i][k];
            for (int j = 0; j < TN; j++)
                frag_b[j] = tile_b[k][thread_col + BN / TN * j];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    sum[i][j] += frag_a[i] * frag_b[j];
        }
#else
        // TODO: add the products of these tiles to the sums
#endif
        __syncthreads();
    }
#ifdef SOLUTION
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++) {
            int row = block_row + thread_row + BM / TM * i;
            int col = block_col + thread_col + BN / TN * j;
            if (row < M && col < N)
                C[row * N + col] = sum[i][j];
        }
#else
    // TODO: store the sums
#endif
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM));

    multiply<<<grid, THREADS>>>(A, B, C, M, N, K);
}

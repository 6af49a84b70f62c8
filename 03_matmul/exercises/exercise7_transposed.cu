// exercise7: find the bug: right, but too many wavefronts of shared memory
//
// Task: do this after stage 6. As there, the tile of A is transposed, so that a thread reads four
// words of it at once. The result is right, but one line has 8 wavefronts per request. Find the
// cause, and fix it: 1 wavefront for each store to the tiles. Loads from global memory must stay
// coalesced (4 sectors per request), and reads of the tiles must stay 16 bytes wide.
//
// Question: Which lanes of a store to tile_a share a bank?
// a) All 32 lanes.
// b) Lanes l and l + 16.
// c) The 4 lanes with the same l % 8.
// d) The 8 lanes with the same l / 8.
// Answer: d
//
// Hint: Which line has 8 wavefronts in the report of ./exercise7? Lane 0 stores to bank 0. Which
// other lanes do?
// Hint: Lane l stores to row k = l % 8, column m = l / 8 of the tile. With rows of 64 words its
// bank is (64 * k + m) % 32 = m. How long must a row be, so that the 8 x 4 pairs (k, m) have 32
// banks?
// Hint: Rows k and k + 1 should start 4 banks apart, because m takes 4 values. With rows of 65
// words they would be 1 bank apart, and a float4 would not be aligned to 16 bytes.
//
// Points 2: correct
// Points 1: answer
// Points 4 (cpu, 128x128x64): shared_wavefronts >= 8192 and shared_wavefronts <= 13312
// Points 2 (cpu, 128x128x64): ld_sectors <= 4 * 1024 and shared_requests <= 5120
// Points 1 (gpu, 2048x2048x2048): rate >= 0.2 * ref_cublas.rate
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
#ifdef SOLUTION
    __shared__ alignas(16) float tile_a[BK][BM + 4];   // transposed
#else
    __shared__ alignas(16) float tile_a[BK][BM];   // transposed
#endif
    __shared__ alignas(16) float tile_b[BK][BN];
    int thread_col = threadIdx.x % (BN / TN) * TN;   // in the block tile
    int thread_row = threadIdx.x / (BN / TN) * TM;
    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;   // in C

    alignas(16) float sum[TM][TN] = {}, frag_a[TM], frag_b[TN];
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = threadIdx.x; i < BM * BK; i += THREADS) {
            int m = block_row + i / BK, k = k0 + i % BK;
            tile_a[i % BK][i / BK] = m < M && k < K ? A[m * K + k] : 0;
        }
        for (int i = threadIdx.x; i < BK * BN; i += THREADS) {
            int k = k0 + i / BN, n = block_col + i % BN;
            tile_b[i / BN][i % BN] = k < K && n < N ? B[k * N + n] : 0;
        }
        __syncthreads();
        for (int k = 0; k < BK; k++) {
            *(float4 *)frag_a = *(float4 *)&tile_a[k][thread_row];
            *(float4 *)frag_b = *(float4 *)&tile_b[k][thread_col];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    sum[i][j] += frag_a[i] * frag_b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++)
            if (block_row + thread_row + i < M && block_col + thread_col + j < N)
                C[(block_row + thread_row + i) * N + block_col + thread_col + j] = sum[i][j];
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, BN), ceil_div(M, BM));

    multiply<<<grid, THREADS>>>(A, B, C, M, N, K);
}

// stage4: thread coarsening, 8 elements of C per thread (1D register tiling)
//
// Stage 3 reads two words of shared memory per multiply-add, and shared memory is the limit. Here
// a thread computes TM elements of a column of C. For each k it reads one word of B into a register
// and uses it TM times: 9 reads per 8 multiply-adds instead of 16. A block has 64 x 64 elements of
// C, and steps of 8 along K: each loaded word is used 64 times, not 16.
//
//                         b = tile_b[k][thread_col]       adjacent lanes: adjacent words
//   tile_a[thread_row    ][k] * b -> sum[0]
//   tile_a[thread_row + 1][k] * b -> sum[1]               all lanes: one word (broadcast)
//   ...                              ... sum[TM - 1]
// Look at: the requests, global and shared.
// make stage4 && ./stage4        make diff A=3 B=4        make stage4 TM=4 && ./stage4
// Expect (cpu, 256x256x64): ld_requests == stage3.ld_requests / 4
// Expect (cpu, 256x256x64): shared_requests_source <= 0.55 * stage3.shared_requests_source
// Expect (sm_90, 4096): rate >= 1.36 * stage3.rate
#include "matmul.h"

#ifndef BM
#define BM 64   // block tile: rows of C per block
#endif
#define BN 64   // and columns
#define BK 8    // depth of the tiles along K
#ifndef TM
#define TM 8   // rows of C per thread
#endif
#define THREADS (BM / TM * BN)
static_assert(BM % TM == 0, "TM must divide BM");
static_assert(THREADS % 32 == 0 && THREADS <= 1024,
              "BM / TM x BN threads must be whole warps, at most 1024 threads");

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile_a[BM][BK];
    __shared__ float tile_b[BK][BN];
    int thread_col = threadIdx.x % BN, thread_row = threadIdx.x / BN * TM;   // in the block tile
    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;            // in C

    // registers: nvcc unrolls the loops over i, so that every index is a constant
    float sum[TM] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        // adjacent threads load adjacent words of a row of A or B
        for (int i = threadIdx.x; i < BM * BK; i += THREADS) {
            int m = block_row + i / BK, k = k0 + i % BK;
            tile_a[i / BK][i % BK] = m < M && k < K ? A[m * K + k] : 0;
        }
        for (int i = threadIdx.x; i < BK * BN; i += THREADS) {
            int k = k0 + i / BN, n = block_col + i % BN;
            tile_b[i / BN][i % BN] = k < K && n < N ? B[k * N + n] : 0;
        }
        __syncthreads();
        for (int k = 0; k < BK; k++) {
            float b = tile_b[k][thread_col];
            for (int i = 0; i < TM; i++)
                sum[i] += tile_a[thread_row + i][k] * b;
        }
        __syncthreads();
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

// stage6: vectorized loads (float4)
//
// In stage 5 nvcc merges the loads of B, 2 for 8 words, but not those of A, whose words are a row
// apart: 10 loads per 64 multiply-adds. Here a load moves 16 bytes, four adjacent floats: 4 loads.
// The words of A that a thread needs for one k must be adjacent, so the tile of A is stored
// transposed.
//   row m of A:   k0 k1 k2 k3   one float4, stored to tile_a[k0][m], ... tile_a[k3][m]
//   tile_a[k]:    m = 0 ... BM - 1, then PAD words: rows k and k + 4 start 16 banks apart, so that
//                 the stores of a warp have no bank conflicts
// Rows whose length is not a multiple of 4 are not 16-byte aligned: load4 then loads single words.
// Look at: requests. Reads of B have 2-way bank conflicts, which stage 7 removes.
// make stage6 && ./stage6        make diff A=5 B=6        make stage6 PAD=0 && ./stage6
// Expect (cpu, 256x256x64): ld_requests == stage5.ld_requests / 4
// Expect (cpu, 256x256x64): shared_requests <= 0.43 * stage5.shared_requests
// Expect (cpu, 256x256x64): stage6[PAD=0].shared_wavefronts == shared_wavefronts + 1024
// Expect (sm_90, 4096): rate >= 1.2 * stage5.rate
#include "matmul.h"

#define BM 128   // block tile: rows and columns of C per block
#define BN 128
#define BK 8   // depth of the tiles along K
#define TM 8   // thread tile: rows and columns of C per thread
#define TN 8
#define THREADS (BM / TM * (BN / TN))
#ifndef PAD
#define PAD 4   // words of padding per row of the transposed tile: a multiple of 4
#endif

// Four floats of a rows x cols matrix, from [row][col] on. col is a multiple of 4. Zeros outside
// the matrix. `aligned`: cols is a multiple of 4 too. Then the four are 16 aligned bytes, all
// inside the matrix or all outside, and one instruction loads them.
template <bool aligned>   // a constant for nvcc: two functions, no test at run time
__device__ float4 load4(const float *from, int row, int col, int rows, int cols)
{
    const float *p = from + (size_t)row * cols + col;
    int n = row < rows ? cols - col : 0;   // words up to the end of the row; 0 or less: outside

    if (aligned)
        return n > 0 ? *(const float4 *)p : make_float4(0, 0, 0, 0);
    return make_float4(n > 0 ? p[0] : 0, n > 1 ? p[1] : 0, n > 2 ? p[2] : 0, n > 3 ? p[3] : 0);
}

template <bool aligned>   // rows of A and B are 16-byte aligned
__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ alignas(16) float tile_a[BK][BM + PAD];   // transposed
    __shared__ alignas(16) float tile_b[BK][BN];
    int thread_col = threadIdx.x % (BN / TN) * TN;   // in the block tile
    int thread_row = threadIdx.x / (BN / TN) * TM;
    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;   // in C

    alignas(16) float sum[TM][TN] = {}, frag_a[TM], frag_b[TN];
    for (int k0 = 0; k0 < K; k0 += BK) {
        // adjacent threads load adjacent float4 of a row of A or B
        for (int i = threadIdx.x; i < BM * BK / 4; i += THREADS) {
            int m = i / (BK / 4), k = i % (BK / 4) * 4;
            float4 v = load4<aligned>(A, block_row + m, k0 + k, M, K);
            tile_a[k + 0][m] = v.x;
            tile_a[k + 1][m] = v.y;
            tile_a[k + 2][m] = v.z;
            tile_a[k + 3][m] = v.w;
        }
        for (int i = threadIdx.x; i < BK * BN / 4; i += THREADS) {
            int k = i / (BN / 4), n = i % (BN / 4) * 4;
            // one 16-byte store, at an address that alignas(16) makes a multiple of 16
            *(float4 *)&tile_b[k][n] = load4<aligned>(B, k0 + k, block_col + n, K, N);
        }
        __syncthreads();
        for (int k = 0; k < BK; k++) {
            for (int i = 0; i < TM; i += 4)
                *(float4 *)&frag_a[i] = *(float4 *)&tile_a[k][thread_row + i];
            for (int j = 0; j < TN; j += 4)
                *(float4 *)&frag_b[j] = *(float4 *)&tile_b[k][thread_col + j];
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
    // which of the two kernels to launch: a pointer to it
    auto kernel = N % 4 == 0 && K % 4 == 0 ? multiply<true> : multiply<false>;

    kernel<<<dim3(ceil_div(N, BN), ceil_div(M, BM)), THREADS>>>(A, B, C, M, N, K);
}

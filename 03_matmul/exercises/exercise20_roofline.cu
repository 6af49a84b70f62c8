// exercise20: reading a roofline: a point on the slope of L2
//
// Task: do this after stage 5. The kernel below is the point x of this roofline of L2. Choose the
// block tile and the thread tile so that L2 is no longer its limit: at least twice the FLOPs per
// byte of the ridge point. It is solved if ./exercise20 finds no wrong element, a block still has
// 256 threads, and the kernel has at least 16 FLOPs per byte that it loads.
//
//   TFLOP/s
//   64 |           __________    fp32
//   32 |        x                the kernel below
//   16 |     /
//    8 |  /                      8 TB/s from L2
//      +--+--+--+--+--+-------   FLOPs per byte from L2
//         1  2  4  8  16
//
// Question: Which change moves the point x up?
// a) Fewer instructions per FLOP.
// b) More blocks per SM.
// c) Fewer bytes from L2 per FLOP.
// d) Loads of 16 bytes, in place of 4.
// Answer: c
//
// Hint: For each k, a block loads BM + BN words, and computes 2 BM BN FLOPs. How many FLOPs per
// byte has a tile of 16 x 16? The ridge point is where the slope meets the roof.
// Hint: BM BN / (2 (BM + BN)) FLOPs per byte: 4 with 16 x 16, and as many as the ridge point has
// with 32 x 32.
// Hint: A tile of 64 x 64 has 16. It has 4096 sums, for 256 threads.
//
// Points 4: correct
// Points 1: answer
// Points 2 (cpu, 256x256x64): flops >= 8 * ld_bytes
// Points 2 (cpu, 256x256x64): flops >= 16 * ld_bytes and barriers <= 2 * 8 * 16 * 8
// Points 1 (gpu, 2048x2048x2048): rate >= 0.2 * ref_cublas.rate
// Check (cpu, 33003x5x3)
// Check (cpu, 5x33003x3)
#include "matmul.h"

#ifdef SOLUTION
#define BM 64   // block tile: rows and columns of C per block
#define BN 64
#define TM 4   // thread tile: rows and columns of C per thread
#define TN 4
#else
#define BM 16   // TODO: the block tile
#define BN 16
#define TM 1   // TODO: the thread tile
#define TN 1
#endif
#define BK 8   // depth of the tiles along K
#define THREADS (BM / TM * (BN / TN))

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile_a[BM][BK];
    __shared__ float tile_b[BK][BN];
    int thread_col = threadIdx.x % (BN / TN) * TN;   // in the block tile
    int thread_row = threadIdx.x / (BN / TN) * TM;
    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN;   // in C

    float sum[TM][TN] = {}, frag_a[TM], frag_b[TN];
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
        for (int k = 0; k < BK; k++) {
            for (int i = 0; i < TM; i++)
                frag_a[i] = tile_a[thread_row + i][k];
            for (int j = 0; j < TN; j++)
                frag_b[j] = tile_b[k][thread_col + j];
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

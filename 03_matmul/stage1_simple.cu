// stage1: one thread per element of C (naive kernel)
//
// A thread reads a row of A and a column of B from global memory: two loads, 8 bytes, per
// multiply-add. Without caches, the slides' memory of 150 GB/s would feed only 37.5 GFLOP/s.
//
//   a warp of a 16 x 16 block computes two rows of 16 elements of C; in step k it reads
//     A[row][k]   one word per row of the block: 2 sectors, 4 bytes used of each (broadcast)
//     B[k][col]   16 adjacent words, the same for both rows: 2 sectors, fully used (coalesced)
//
// Look at: one load per floating-point operation; caches lift the rate above the memory bound.
// make stage1 && ./stage1
// Expect (cpu, 256x256x64): ld_requests == flops / 32
// Expect (cpu, 256x256x64): ld_sectors == 2 * ld_requests
// Expect (sm_90, 4096x4096x4096): rate >= 4.2 * (peak_gbs / 4)
#include "matmul.h"

#ifndef TILE
#define TILE 16   // rows and columns of C per block
#endif
static_assert(TILE >= 1 && TILE <= 32, "TILE must be 1 to 32: a block has at most 1024 threads");

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * TILE + threadIdx.y;   // this thread's element of C
    int col = blockIdx.x * TILE + threadIdx.x;

    if (row < M && col < N) {
        float sum = 0;
        for (int k = 0; k < K; k++)
            sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, TILE), ceil_div(M, TILE)), block(TILE, TILE);

    multiply<<<grid, block>>>(A, B, C, M, N, K);
}

// stage1: one thread an element. The slides' first kernel: a thread walks along a row of A and down
// a column of B.
//
// Each product takes two loads, 8 bytes for 2 operations: memory of 150 GB/s feeds 37.5 GFLOP/s, a
// quarter of the number, were there no cache. Today's caches carry it further: see the last claim.
// A warp of a 16 x 16 block is two rows of sixteen threads. On B neighbours read neighbours, both
// rows the same ones: two sectors of 32 bytes, used whole. On A all threads of a row read one
// float: two sectors again, and 4 bytes of each are used.
//
// make stage1 && ./stage1
//
// Expect (cpu, 256x256x64): ld_requests == flops / 32
// Expect (cpu, 256x256x64): ld_sectors == 2 * ld_requests
// Expect (cpu, 256x256x64): st_sectors == 4 * st_requests
// Expect (sm_90, 4096x4096x4096): rate >= 4.4 * (peak_gbs / 4)
#include "matmul.h"

#ifndef TILE
#define TILE 16
#endif
static_assert(TILE >= 1 && TILE <= 32, "TILE must be 1 to 32: a block has at most 1024 threads");

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * TILE + threadIdx.y;
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

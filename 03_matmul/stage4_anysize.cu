// stage4: any M, N and K. "You need to extend the code to handle rectangular matrix by yourself":
// here it is.
//
// Stages 2 and 3 refuse what is no multiple of their tile. Change: the grid covers M and N with
// tiles that may stick out, and so do the steps along K. A thread whose element lies outside puts a
// zero into the tile: a zero adds nothing, so the inner loop needs no test. Only the store does. No
// thread may leave early: it still loads for the others, and all must come to the barriers. The
// tests at each step cost a little, and where tiles divide the sizes they gain nothing: there this
// stage is slower than stage 3.
//
// make stage4 && ./stage4; make diff A=3 B=4;
// ./stage4 -n 257x257x65, where one row, column and k more take nearly twice the steps
//
// Expect (cpu, 256x256x64): ld_requests == stage3.ld_requests
// Expect (cpu, 256x256x64): shared_requests == stage3.shared_requests
// Expect (cpu, 257x257x65): barriers == 9 * 9 * 3 * 2 * 32
// Expect (sm_90, 4096x4096x4096): rate >= 0.95 * stage3.rate
// Expect (sm_90, 4096x4096x4096): rate <= 0.99 * stage3.rate
#include "matmul.h"

#ifndef TILE
#define TILE 32
#endif
static_assert(TILE >= 1 && TILE <= 32, "TILE must be 1 to 32: a block has at most 1024 threads");

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        a[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0;
        b[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0;
        __syncthreads();   // the tiles are there
        for (int k = 0; k < TILE; k++)
            sum += a[ty][k] * b[k][tx];
        __syncthreads();   // and nobody needs them any more
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, TILE), ceil_div(M, TILE)), block(TILE, TILE);

    multiply<<<grid, block>>>(A, B, C, M, N, K);
}

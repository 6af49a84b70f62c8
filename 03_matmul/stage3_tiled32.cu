// stage3: tiles of 32 x 32. The same kernel; each element that is fetched is now used by 32
// threads.
//
// Only the number changes. Loads from memory halve again: by the slides' sum, memory of 150 GB/s
// would feed 1200 GFLOP/s, so it should no longer be the limit. Shared memory is read as often as
// before, two loads for each product. A block now has 1024 threads, two fill an SM, and at a
// barrier half of the SM may stand still.
//
// make stage3 && ./stage3; make diff A=2 B=3; make stage3 TILE=8 && ./stage3
//
// Expect (cpu, 256x256x64): ld_requests == stage1.ld_requests / 32
// Expect (cpu, 256x256x64): shared_requests == stage1.ld_requests + ld_requests
// Expect (cpu, 256x256x64): shared_wavefronts == shared_requests
// Expect (sm_90, 4096x4096x4096): rate >= 1.09 * stage2.rate
#include "matmul.h"

#ifndef TILE
#define TILE 32
#endif
static_assert(TILE >= 1 && TILE <= 32, "TILE must be 1 to 32: a block has at most 1024 threads");

__global__ void multiply(const float *A, const float *B, float *C, int N, int K)
{
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        a[ty][tx] = A[row * K + k0 + tx];
        b[ty][tx] = B[(k0 + ty) * N + col];
        __syncthreads();   // the tiles are there
        for (int k = 0; k < TILE; k++)
            sum += a[ty][k] * b[k][tx];
        __syncthreads();   // and nobody needs them any more
    }
    C[row * N + col] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (M % TILE || N % TILE || K % TILE)
        return refuse("M, N and K must be multiples of TILE");
    dim3 grid(N / TILE, M / TILE), block(TILE, TILE);

    multiply<<<grid, block>>>(A, B, C, N, K);
}

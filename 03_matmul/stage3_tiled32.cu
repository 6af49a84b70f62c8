// stage3: shared memory tiling with 32 x 32 tiles
//
// Only TILE changes. Each loaded word is used 32 times, so global loads halve: at 150 GB/s, memory
// would feed 1200 GFLOP/s. Each multiply-add still reads two words from shared memory, which is
// the limit. A block has 1024 threads and an SM holds two blocks: while one waits at a
// barrier, half of the SM may be idle.
//
// Look at: half the global loads, and as many reads of shared memory as before.
// make stage3 && ./stage3        make diff A=2 B=3        make stage3 TILE=8 && ./stage3
// Expect (cpu, 256x256x64): ld_requests == stage1.ld_requests / 32
// Expect (cpu, 256x256x64): shared_requests == 5 / 8 * stage1.ld_requests + ld_requests
// Expect (sm_90, 4096x4096x4096): rate >= 1.09 * stage2.rate
#include "matmul.h"

#ifndef TILE
#define TILE 32   // rows and columns of C per block
#endif
static_assert(TILE >= 1 && TILE <= 32, "TILE must be 1 to 32: a block has at most 1024 threads");

__global__ void multiply(const float *A, const float *B, float *C, int N, int K)
{
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;   // this thread's element of C
    int col = blockIdx.x * TILE + tx;

    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        tile_a[ty][tx] = A[row * K + k0 + tx];     // columns k0... of the block's rows of A
        tile_b[ty][tx] = B[(k0 + ty) * N + col];   // rows k0... of the block's columns of B
        __syncthreads();                           // both tiles are complete
        for (int k = 0; k < TILE; k++)
            sum += tile_a[ty][k] * tile_b[k][tx];
        __syncthreads();   // no thread still reads the tiles
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

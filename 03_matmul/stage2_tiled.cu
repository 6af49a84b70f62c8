// stage2: tiles of 16 x 16 in shared memory. What a block needs is fetched once and used by sixteen
// threads.
//
// In stage 1 every thread fetches its own row and column, though the 256 threads of a block have
// only sixteen rows and sixteen columns between them. Change: the block goes along K in steps of a
// tile. Each thread loads one element of A and one of B, all wait, all multiply out of shared
// memory, and all wait again before the tiles are overwritten. Loads from memory fall to a
// sixteenth, and both are coalesced. As in the slides, sizes must be multiples of the tile.
//
// make stage2 && ./stage2; make diff A=1 B=2
//
// Expect (cpu, 256x256x64): ld_requests == stage1.ld_requests / 16
// Expect (cpu, 256x256x64): ld_sectors == 4 * ld_requests
// Expect (cpu, 256x256x64): shared_requests == stage1.ld_requests + ld_requests
// Expect (cpu, 256x256x64): shared_wavefronts == shared_requests
// Expect (sm_90, 4096x4096x4096): rate >= 1.48 * stage1.rate
#include "matmul.h"

#ifndef TILE
#define TILE 16
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

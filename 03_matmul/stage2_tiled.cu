// stage2: shared memory tiling
//
// The 256 threads of a block of stage 1 load 512 words per k, of which only 32 differ. Here the
// block goes along K in steps of TILE and loads each word once, into shared memory: each loaded
// word is used TILE times. Sizes must be multiples of TILE, as in the slides.
//                  B: [tile k0]     per step of TILE: each thread loads a word of each tile;
//   A: [tile k0]   C: [ tile  ]     barrier; TILE multiply-adds from shared memory; barrier
//
// Look at: global loads fall to 1 / TILE. Every multiply-add still reads two words, now from shared
// memory: all reads of stage 1, and a store per global load. A larger TILE does not change that.
// make stage2 && ./stage2        make diff A=1 B=2        make stage2 TILE=32 && ./stage2
// Expect (cpu, 256x256x64): ld_requests == stage1.ld_requests / 16
// Expect (cpu, 256x256x64): ld_sectors == 4 * ld_requests
// Expect (cpu, 256x256x64): shared_requests_source == stage1.ld_requests + ld_requests
// Expect (sm_90, 4096x4096x4096): rate >= 1.48 * stage1.rate
#include "matmul.h"

#ifndef TILE
#define TILE 16   // rows and columns of C per block
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

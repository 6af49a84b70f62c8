// Graded: 4 partial: no: is 8, must be (at (most|least) )?24$
// The bug is avoided: a block computes one tile.
// Answer: b
#include "matmul.h"

#define TILE 16

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty,
        col = blockIdx.x * TILE + tx;
    float sum = 0;

    for (int k0 = 0; k0 < K; k0 += TILE) {
        tile_a[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0;
        tile_b[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += tile_a[ty][k] * tile_b[k][tx];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    multiply<<<dim3(ceil_div(N, TILE), ceil_div(M, TILE)), dim3(TILE, TILE)>>>(A, B, C, M, N, K);
}

// Graded: 6 partial: no: is 0, must be (at (most|least) )?3072$
// The words are stored before the multiplication: each warp waits for its loads.
#include "matmul.h"

#define TILE 16

__device__ float word_of_a(const float *A, int row, int k, int M, int K)
{
    return row < M && k < K ? A[row * K + k] : 0;
}

__device__ float word_of_b(const float *B, int k, int col, int N, int K)
{
    return k < K && col < N ? B[k * N + col] : 0;
}

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile_a[2][TILE][TILE], tile_b[2][TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;

    tile_a[0][ty][tx] = word_of_a(A, row, tx, M, K);
    tile_b[0][ty][tx] = word_of_b(B, ty, col, N, K);
    for (int t = 0; t * TILE < K; t++) {
        __syncthreads();
        float a = word_of_a(A, row, (t + 1) * TILE + tx, M, K);
        float b = word_of_b(B, (t + 1) * TILE + ty, col, N, K);
        tile_a[(t + 1) % 2][ty][tx] = a;
        tile_b[(t + 1) % 2][ty][tx] = b;
        for (int k = 0; k < TILE; k++)
            sum += tile_a[t % 2][ty][k] * tile_b[t % 2][k][tx];
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, TILE), ceil_div(M, TILE)), block(TILE, TILE);

    multiply<<<grid, block>>>(A, B, C, M, N, K);
}

// wrong: skips the elements of K after the last whole tile.
//
// Rejected: elements of 'C' are wrong
// Rejected (gpu): elements of 'C' are wrong
#include "matmul.h"

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[16][16], b[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 16 + tx;

    float sum = 0;
    for (int k0 = 0; k0 + 16 <= K; k0 += 16) {
        a[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0;
        b[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0;
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, 16), ceil_div(M, 16)), block(16, 16);

    multiply<<<grid, block>>>(A, B, C, M, N, K);
}

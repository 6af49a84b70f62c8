// wrong: uses M as the length of C's rows. Correct for square matrices only.
//
// Rejected: elements of 'C' are wrong
// Rejected (gpu): elements of 'C' are wrong
#include "matmul.h"

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * 16 + threadIdx.y;
    int col = blockIdx.x * 16 + threadIdx.x;

    if (row < M && col < N && row * M + col < M * N) {
        float sum = 0;
        for (int k = 0; k < K; k++)
            sum += A[row * K + k] * B[k * N + col];
        C[row * M + col] = sum;
    }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, 16), ceil_div(M, 16)), block(16, 16);

    multiply<<<grid, block>>>(A, B, C, M, N, K);
}

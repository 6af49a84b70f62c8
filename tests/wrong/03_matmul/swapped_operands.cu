// wrong: swaps the operands A and B, as for cuBLAS, whose matrices are column-major.
//
// Rejected: swapped_operands\.cu:[0-9]+: .*(out of bounds|beyond|past)
#include "matmul.h"

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * 16 + threadIdx.y;
    int col = blockIdx.x * 16 + threadIdx.x;

    if (row < M && col < N) {
        float sum = 0;
        for (int k = 0; k < K; k++)
            sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, 16), ceil_div(M, 16)), block(16, 16);

    multiply<<<grid, block>>>(B, A, C, M, N, K);
}

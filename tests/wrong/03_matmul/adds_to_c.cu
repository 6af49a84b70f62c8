// wrong: adds the product to the previous contents of C.
//
// Rejected: adds_to_c\.cu:[0-9]+: .*uninitialized read of global memory
// Rejected (gpu): elements of 'C' are wrong, .* of them (NaN|never written)
#include "matmul.h"

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * 16 + threadIdx.y;
    int col = blockIdx.x * 16 + threadIdx.x;

    if (row < M && col < N) {
        float sum = 0;
        for (int k = 0; k < K; k++)
            sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] += sum;
    }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, 16), ceil_div(M, 16)), block(16, 16);

    multiply<<<grid, block>>>(A, B, C, M, N, K);
}

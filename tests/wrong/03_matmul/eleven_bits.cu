// wrong: uses 11 significant bits of each float (TF32, as tensor cores do) instead of fp32.
//
// Rejected: elements of 'C' are wrong
// Rejected (gpu): elements of 'C' are wrong
#include "matmul.h"

__device__ float cut(float x) { return __uint_as_float(__float_as_uint(x) & ~0x1FFFu); }

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * 16 + threadIdx.y;
    int col = blockIdx.x * 16 + threadIdx.x;

    if (row < M && col < N) {
        float sum = 0;
        for (int k = 0; k < K; k++)
            sum += cut(A[row * K + k]) * cut(B[k * N + col]);
        C[row * N + col] = sum;
    }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, 16), ceil_div(M, 16)), block(16, 16);

    multiply<<<grid, block>>>(A, B, C, M, N, K);
}

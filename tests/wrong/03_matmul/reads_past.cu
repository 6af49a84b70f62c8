// wrong: loads past the ends of the matrices and ignores the values. The result is correct.
//
// Rejected: reads_past\.cu:[0-9]+: .*(out of bounds|beyond|past)
#include "matmul.h"

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[16][16], b[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty;
    int col = blockIdx.x * 16 + tx;

    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += 16) {
        // volatile: otherwise the compiler moves the load below the test
        float x = *(const volatile float *)&A[row * K + k0 + tx];
        float y = *(const volatile float *)&B[(k0 + ty) * N + col];
        a[ty][tx] = row < M && k0 + tx < K ? x : 0;
        b[ty][tx] = k0 + ty < K && col < N ? y : 0;
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

// Graded: 6 partial: no: is 0, must be (at (most|least) )?16$
// No wgmma.
#include "bf16.h"

__global__ void multiply(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;

    if (row >= M || col >= N)
        return;
    for (int k = 0; k < K; k++)
        sum += __bfloat162float(A[row * K + k]) * __bfloat162float(B[k * N + col]);
    C[row * N + col] = __float2bfloat16(sum);
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    multiply<<<dim3(ceil_div(N, 32), ceil_div(M, 8)), dim3(32, 8)>>>(A, B, C, M, N, K);
}

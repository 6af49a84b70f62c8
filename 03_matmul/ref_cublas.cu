// ref_cublas: cublasSgemm in plain fp32 (CUBLAS_PEDANTIC_MATH), the baseline of this week
//
// Pedantic math does not use tensor cores.
//
// Links: -lcublas
#include "gemm.h"

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    gemm(CUBLAS_PEDANTIC_MATH, A, B, C, M, N, K);
}

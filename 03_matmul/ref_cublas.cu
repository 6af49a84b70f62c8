// ref_cublas: cublasSgemm in plain fp32, the vendor's matrix product. What to beat.
//
// Pedantic math keeps it away from tensor cores.
//
// Links: -lcublas
#include "gemm.h"

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    gemm(CUBLAS_PEDANTIC_MATH, A, B, C, M, N, K);
}

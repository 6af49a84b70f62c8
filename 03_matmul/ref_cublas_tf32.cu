// ref_cublas_tf32: cublasSgemm with TF32 tensor cores, which read 11 bits of each float
//
// A different precision: a product is off by up to 2^-9 of itself, and the result fails the fp32
// check. It runs beside stages whose head names an arithmetic, and has its own bound (matmul.c).
//
// Arithmetic: tf32
// Links: -lcublas
// Expect (sm_90, 4096x4096x4096): rate >= 7 * ref_cublas.rate
#include "gemm.h"

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    gemm(CUBLAS_TF32_TENSOR_OP_MATH, A, B, C, M, N, K);
}

// ref_cublas_tf32: cublasSgemm with TF32 allowed: tensor cores, which read 11 bits of each float.
//
// Another arithmetic: every product is off by up to 2^-9 of itself, and the result does not pass
// for fp32. It is measured beside stages that say themselves that they do not calculate in plain
// fp32, and checked against a bound of its own (matmul.c).
//
// Arithmetic: tf32
// Links: -lcublas
// Expect (sm_90, 4096x4096x4096): rate >= 7 * ref_cublas.rate
#include "gemm.h"

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    gemm(CUBLAS_TF32_TENSOR_OP_MATH, A, B, C, M, N, K);
}

// ref_cublas_tf32: cublasSgemm with TF32 tensor cores, which keep 11 significant bits per float
//
// A different precision: the error of a product is up to 2^-9 of the product, and the result fails
// the fp32 check. It has its own error bound (matmul.c), and runs only beside stages whose head has
// a line "Arithmetic".
//
// Arithmetic: tf32
// Links: -lcublas
// Expect (sm_90, 4096x4096x4096): rate >= 7 * ref_cublas.rate
#include "gemm.h"

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    gemm(CUBLAS_TF32_TENSOR_OP_MATH, A, B, C, M, N, K);
}

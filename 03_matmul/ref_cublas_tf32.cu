// ref_cublas_tf32: cublasSgemm with TF32 allowed: tensor cores, which read 11 bits of each float.
//
// Another arithmetic: every product is off by up to 2^-9 of itself, and the result does not pass for fp32. It is measured beside stages that say
// themselves that they do not calculate in plain fp32, and checked against a bound of its own (matmul.c).
//
// Arithmetic: tf32
// Links: -lcublas
// Expect (sm_90, 4096x4096x4096): rate >= 7 * ref_cublas.rate
#include <cublas_v2.h>

#include "matmul.h"

static cublasHandle_t new_handle()
{
    const size_t bytes = 32 << 20;
    cublasHandle_t handle;
    void *workspace;

    return cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS && cudaMalloc(&workspace, bytes) == cudaSuccess
           && cublasSetStream(handle, cudaStreamPerThread) == CUBLAS_STATUS_SUCCESS
           && cublasSetWorkspace(handle, workspace, bytes) == CUBLAS_STATUS_SUCCESS
           && cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH) == CUBLAS_STATUS_SUCCESS ? handle : nullptr;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    static const cublasHandle_t handle = new_handle();
    const float one = 1, zero = 0;

    if (!handle)
        return refuse("cuBLAS cannot be set up here");
    if (cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, M, K, &one, B, N, A, K, &zero, C, N) != CUBLAS_STATUS_SUCCESS)
        refuse("cublasSgemm does not take this size");
}

// For the references: cublasSgemm, the matrix product of cuBLAS, for row-major matrices.
#ifndef GEMM_H
#define GEMM_H

#include <cublas_v2.h>

#include "matmul.h"

// A handle for this stream, or NULL. Its workspace is as large as cuBLAS allocates on Hopper.
static cublasHandle_t new_handle(cublasMath_t math)
{
    const size_t bytes = 32 << 20;
    cublasHandle_t handle;
    void *workspace;

    return cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS &&
                   cudaMalloc(&workspace, bytes) == cudaSuccess &&
                   cublasSetStream(handle, cudaStreamPerThread) == CUBLAS_STATUS_SUCCESS &&
                   cublasSetWorkspace(handle, workspace, bytes) == CUBLAS_STATUS_SUCCESS &&
                   cublasSetMathMode(handle, math) == CUBLAS_STATUS_SUCCESS
             ? handle
             : nullptr;
}

// Same arguments as matmul(). cuBLAS expects column-major matrices: it reads our A as A^T, K x M,
// and computes B^T A^T = (A B)^T. With swapped operands nothing is transposed, and it writes our C.
// The first call creates the handle; it is a check and never timed.
static void gemm(cublasMath_t math, const float *A, const float *B, float *C, int M, int N, int K)
{
    static const cublasHandle_t handle = new_handle(math);
    const float one = 1, zero = 0;

    if (!handle)
        return refuse("cuBLAS cannot be initialized on this device");
    if (cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, M, K, &one, B, N, A, K, &zero, C, N) !=
        CUBLAS_STATUS_SUCCESS)
        refuse("cublasSgemm does not accept this size");
}

#endif

// ref_cublas: cublasSgemm in plain fp32, the vendor's matrix product. What to beat.
//
// cuBLAS counts down columns. What we hold row after row is to it the transpose: our A is its K x M matrix, and B^T A^T = (A B)^T. So it gets the
// operands in the other order, transposes nothing, and writes our C. Pedantic math keeps it away from tensor cores. Handle and workspace, of the
// size that cuBLAS itself would take on Hopper, are made in the first call, which only checks: never timed.
//
// Links: -lcublas
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
           && cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH) == CUBLAS_STATUS_SUCCESS ? handle : nullptr;
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

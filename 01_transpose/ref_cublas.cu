// ref_cublas: cublasSgeam, cuBLAS' matrix transpose: C = alpha * op(A) + beta * op(B)
//
// cuBLAS stores matrices by columns. It takes our rows x cols array, stored by rows, for a
// cols x rows matrix, and computes the transpose of that: our output. With beta = 0 it does not
// read B.
// Links: -lcublas
// Expect (sm_90, 16384x16384): rate >= 0.9 * ref_memcpy.rate
#include <cublas_v2.h>

#include "transpose.h"

void transpose(const float *in, float *out, int rows, int cols)
{
    static cublasHandle_t handle;   // made in the first call, which only checks: never timed
    const float one = 1, zero = 0;

    if (!handle && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS)
        return refuse("cublasCreate fails here");
    cublasSetStream(handle, cudaStreamPerThread);
    if (cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, &one, in, cols, &zero, out, rows,
                    out, rows) != CUBLAS_STATUS_SUCCESS)
        refuse("cublasSgeam does not take this size");
}

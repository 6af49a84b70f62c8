// ref_cublas: cublasSgeam, the matrix transpose of cuBLAS: C = alpha * op(A) + beta * op(B)
//
// cuBLAS matrices are column-major. Our row-major rows x cols input is a column-major cols x rows
// matrix; its transpose, column-major, is our row-major output. With beta = 0, B is not read.
// Links: -lcublas
// Expect (sm_90, 16384x16384): rate >= 0.9 * ref_memcpy.rate
#include <cublas_v2.h>

#include "transpose.h"

void transpose(const float *in, float *out, int rows, int cols)
{
    static cublasHandle_t handle;   // created in the first call, which is not timed
    const float one = 1, zero = 0;

    if (!handle && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS)
        return refuse("cublasCreate fails");
    cublasSetStream(handle, cudaStreamPerThread);
    if (cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, &one, in, cols, &zero, out, rows,
                    out, rows) != CUBLAS_STATUS_SUCCESS)
        refuse("cublasSgeam rejects this size");
}

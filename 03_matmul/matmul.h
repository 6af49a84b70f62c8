// Week 3. The contract of a stage: C = A B, row-major, of floats or, in stages with a line
// "// Type: bf16", of bf16 (bf16.h).
//
//   A  M x K elements in device memory, 256-byte aligned, rows without gaps: A[m * K + k]
//   B  K x N, likewise: B[k * N + n]
//   C  M x N, likewise: C[m * N + n]; does not overlap A or B; the stage overwrites it
//
// M is 1 to 1048560, N 1 to 2^26 - 1, K 1 to 2^30, and each matrix has fewer than 2^31 elements. A
// stage may refuse a size. It launches on cudaStreamPerThread, the default stream here.
#ifndef MATMUL_H
#define MATMUL_H

#include "../common/stage/stage.h"

#ifndef ELEMENT
#define ELEMENT float
#endif
EXTERN_C void matmul(const ELEMENT *A, const ELEMENT *B, ELEMENT *C, int M, int N, int K);

#ifdef __cplusplus
// Dynamic shared memory above 48 KB is an opt-in. Refuses the call if the device has less. Kernel:
// the type of any kernel.
template <class Kernel> bool allow_shared(Kernel *kernel, int bytes)
{
    bool allowed = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        bytes) == cudaSuccess;

    if (!allowed)
        refuse("not enough shared memory");
    return allowed;
}
#endif

#endif

// cuBLASLt's types, for sources that include this header without calling cuBLASLt.
#ifndef EMU_CUBLASLT_H
#define EMU_CUBLASLT_H

#include "cublas_v2.h"

typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct {
    unsigned long long data[8];
} cublasLtMatrixLayoutOpaque_t;
typedef struct {
    unsigned long long data[32];
} cublasLtMatmulDescOpaque_t;
typedef struct {
    unsigned long long data[8];
} cublasLtMatmulPreferenceOpaque_t;
typedef struct {
    unsigned long long data[8];
} cublasLtMatmulAlgo_t;
typedef cublasLtMatrixLayoutOpaque_t *cublasLtMatrixLayout_t;
typedef cublasLtMatmulDescOpaque_t *cublasLtMatmulDesc_t;
typedef cublasLtMatmulPreferenceOpaque_t *cublasLtMatmulPreference_t;
typedef struct {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
    int reserved[4];
} cublasLtMatmulHeuristicResult_t;

#endif

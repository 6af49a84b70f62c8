// ref_cublas_bf16: the fastest product in bf16 that cuBLAS offers for a size
//
// On the first call for a size, it times cublasGemmEx and all algorithms that the heuristics of
// cublasLt suggest, and keeps the fastest. That call is a check and never timed. Sums are in fp32.
//
// Type: bf16
// Links: -lcublasLt -lcublas
#include <algorithm>
#include <vector>

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>

#define ELEMENT __nv_bfloat16
#include "matmul.h"

typedef __nv_bfloat16 bf16;

static const size_t WORKSPACE = 64 << 20;   // bytes
static const int MOST = 32;                 // algorithms
static const float one = 1, zero = 0;

// What all sizes use.
struct library {
    cublasHandle_t blas;
    cublasLtHandle_t lt;
    void *workspace;
    bool usable;
};

// How a size is computed. cuBLAS expects column-major matrices: it reads our A as A^T, K x M, and
// computes B^T A^T = (A B)^T. So B is its first matrix, and nothing is transposed.
struct plan {
    int M, N, K;
    bool lt;   // cublasLtMatmul with `algorithm`, not cublasGemmEx
    cublasLtMatmulDesc_t product;
    cublasLtMatrixLayout_t A, B, C;
    cublasLtMatmulAlgo_t algorithm;
};

static library new_library()
{
    library l = {};

    l.usable = cublasCreate(&l.blas) == CUBLAS_STATUS_SUCCESS &&
               cublasLtCreate(&l.lt) == CUBLAS_STATUS_SUCCESS &&
               cudaMalloc(&l.workspace, WORKSPACE) == cudaSuccess &&
               cublasSetStream(l.blas, cudaStreamPerThread) == CUBLAS_STATUS_SUCCESS &&
               cublasSetWorkspace(l.blas, l.workspace, WORKSPACE) == CUBLAS_STATUS_SUCCESS;
    return l;
}

static bool run(const library &l, const plan &p, const bf16 *A, const bf16 *B, bf16 *C)
{
    cublasStatus_t status =
        p.lt ? cublasLtMatmul(l.lt, p.product, &one, B, p.B, A, p.A, &zero, C, p.C, C, p.C,
                              &p.algorithm, l.workspace, WORKSPACE, cudaStreamPerThread)
             : cublasGemmEx(l.blas, CUBLAS_OP_N, CUBLAS_OP_N, p.N, p.M, p.K, &one, B, CUDA_R_16BF,
                            p.N, A, CUDA_R_16BF, p.K, &zero, C, CUDA_R_16BF, p.N,
                            CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);

    return status == CUBLAS_STATUS_SUCCESS;
}

// Milliseconds of `calls` calls; infinite if the library refuses them.
static float time_of(const library &l, const plan &p, const bf16 *A, const bf16 *B, bf16 *C,
                     int calls)
{
    cudaEvent_t begin, end;
    float ms = INFINITY;
    bool good = true;

    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin, cudaStreamPerThread);
    for (int i = 0; i < calls; i++)
        good &= run(l, p, A, B, C);
    cudaEventRecord(end, cudaStreamPerThread);
    if (cudaEventSynchronize(end) == cudaSuccess && good)
        cudaEventElapsedTime(&ms, begin, end);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return ms;
}

// cublasGemmEx, then the suggestions of cublasLt.
static std::vector<plan> plans_for(const library &l, int M, int N, int K)
{
    plan p = { M, N, K };
    std::vector<plan> plans = { p };
    cublasLtMatmulHeuristicResult_t found[MOST];
    cublasLtMatmulPreference_t preference;
    int n = 0;

    cublasLtMatmulDescCreate(&p.product, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    cublasLtMatrixLayoutCreate(&p.B, CUDA_R_16BF, N, K, N);
    cublasLtMatrixLayoutCreate(&p.A, CUDA_R_16BF, K, M, K);
    cublasLtMatrixLayoutCreate(&p.C, CUDA_R_16BF, N, M, N);
    cublasLtMatmulPreferenceCreate(&preference);
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                         &WORKSPACE, sizeof WORKSPACE);
    if (cublasLtMatmulAlgoGetHeuristic(l.lt, p.product, p.B, p.A, p.C, p.C, preference, MOST, found,
                                       &n) != CUBLAS_STATUS_SUCCESS)
        n = 0;
    cublasLtMatmulPreferenceDestroy(preference);
    p.lt = true;
    for (int i = 0; i < n; i++) {
        p.algorithm = found[i].algo;
        plans.push_back(p);
    }
    return plans;
}

// The fastest plan: the least median of five batches of about a millisecond each, in turns.
static plan best_plan(const library &l, const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    std::vector<plan> plans = plans_for(l, M, N, K);
    std::vector<std::vector<float>> times(plans.size());
    int calls = std::max(2, (int)(1 / (time_of(l, plans[0], A, B, C, 4) / 4)));
    size_t best = 0;

    for (int round = 0; round < 5; round++)
        for (size_t i = 0; i < plans.size(); i++)
            times[i].push_back(time_of(l, plans[i], A, B, C, std::min(calls, 200)));
    for (std::vector<float> &t : times)
        std::sort(t.begin(), t.end());
    for (size_t i = 1; i < plans.size(); i++)
        if (times[i][2] < times[best][2])
            best = i;
    return plans[best];
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    static const library l = new_library();
    static std::vector<plan> known;

    if (!l.usable)
        return refuse("cuBLAS cannot be initialized on this device");
    auto it = std::find_if(known.begin(), known.end(),
                           [=](const plan &p) { return p.M == M && p.N == N && p.K == K; });
    if (it == known.end()) {
        known.push_back(best_plan(l, A, B, C, M, N, K));
        it = known.end() - 1;
    }
    if (!run(l, *it, A, B, C))
        refuse("cublasGemmEx does not accept this size");
}

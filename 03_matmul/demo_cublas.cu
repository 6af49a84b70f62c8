// demo_cublas: calls of cublasSgemm for row-major matrices, each checked by loops on the host
//
// A product, products with a transposed factor, one with alpha and beta, and many small ones in one
// call. Copy product(): it takes the arguments of row-major matrices, and passes cuBLAS what it
// expects.
// make demo_cublas && ./demo_cublas
//
// Links: -lcublas
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

enum { M = 37, N = 53, K = 29, BATCHES = 3 };

static void check(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "demo_cublas: %s failed\n", what);
    exit(3);
}

// Row-major matrices as they are in memory: A has rows of `lda` floats, B of `ldb`, C of N.
// With `transposed`, the factor is stored as its transpose.
struct factor {
    const float *data;
    bool transposed;
};

// C = alpha op(A) op(B) + beta C, for `batches` products whose matrices follow each other in
// memory. cuBLAS reads by columns, so it finds A^T, B^T and C^T in our memory. It computes
// C^T = op(B)^T op(A)^T: B comes first, and N before M.
static void product(cublasHandle_t handle, float alpha, factor A, factor B, float beta, float *C,
                    int batches)
{
    int lda = A.transposed ? M : K, ldb = B.transposed ? K : N;   // floats per row, as stored

    check(cublasSgemmStridedBatched(handle, B.transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
                                    A.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, N, M, K, &alpha,
                                    B.data, ldb, K * N, A.data, lda, M * K, &beta, C, N, M * N,
                                    batches) == CUBLAS_STATUS_SUCCESS,
          "cublasSgemmStridedBatched");
}

static float on_host(float alpha, factor A, factor B, float beta, float old, int row, int col)
{
    float sum = 0;

    for (int k = 0; k < K; k++)
        sum += A.data[A.transposed ? k * M + row : row * K + k] *
               B.data[B.transposed ? col * K + k : k * N + col];
    return alpha * sum + beta * old;
}

// Small whole numbers: every sum is exact, in float and in TF32.
static std::vector<float> numbers(size_t count, int seed)
{
    std::vector<float> values(count);

    for (size_t i = 0; i < count; i++)
        values[i] = (float)((i * 7 + seed * (i / 11)) % 9) - 4;
    return values;
}

static float *on_device(const std::vector<float> &values)
{
    size_t size = values.size() * sizeof(float);
    float *copy;

    check(cudaMalloc((void **)&copy, size) == cudaSuccess, "cudaMalloc");
    check(cudaMemcpy(copy, values.data(), size, cudaMemcpyHostToDevice) == cudaSuccess,
          "cudaMemcpy");
    return copy;
}

static int report(const char *name, cublasHandle_t handle, float alpha, bool transposed_A,
                  bool transposed_B, float beta, int batches)
{
    std::vector<float> A = numbers(M * K * batches, 1), B = numbers(K * N * batches, 2),
                       C = numbers(M * N * batches, 3), result(C.size());
    float *A_d = on_device(A), *B_d = on_device(B), *C_d = on_device(C);
    int wrong = 0;

    product(handle, alpha, { A_d, transposed_A }, { B_d, transposed_B }, beta, C_d, batches);
    check(cudaMemcpy(result.data(), C_d, C.size() * sizeof(float), cudaMemcpyDeviceToHost) ==
              cudaSuccess,
          "cudaMemcpy");
    for (int i = 0; i < M * N * batches; i++) {
        int batch = i / (M * N), row = i / N % M, col = i % N;

        wrong += result[i] != on_host(alpha, { &A[M * K * batch], transposed_A },
                                      { &B[K * N * batch], transposed_B }, beta, C[i], row, col);
    }
    printf("%-24s %d wrong\n", name, wrong);
    cudaFree(A_d);
    cudaFree(B_d);
    cudaFree(C_d);
    return wrong;
}

int main()
{
    cublasHandle_t handle;
    int wrong = 0;

    check(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
    // Products in TF32 are allowed from here on; without this call they are in float.
    check(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH) == CUBLAS_STATUS_SUCCESS,
          "cublasSetMathMode");
    wrong += report("A B", handle, 1, false, false, 0, 1);
    wrong += report("A^T B", handle, 1, true, false, 0, 1);
    wrong += report("A B^T", handle, 1, false, true, 0, 1);
    wrong += report("2 A B - C", handle, 2, false, false, -1, 1);
    wrong += report("3 products A B", handle, 1, false, false, 0, BATCHES);
    cublasDestroy(handle);
    return wrong != 0;
}

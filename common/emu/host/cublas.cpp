// cuBLAS's products of matrices on the host: references with which programs compare their kernels.
// A product is an operation of its stream that reads and writes device memory. Sums are in double,
// of sums of 256 products, which are in float if the matrices are.
#include <sched.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "include/cublas_v2.h"
#include "host.h"
#include "streams.h"
#include "lanes/guard.h"
#include "order/memory.h"
#include "report/report.h"

struct cublasContext {
    cudaStream_t stream;
    cublasPointerMode_t mode;
    cublasMath_t math;
};

namespace emu {
namespace {

// A column-major matrix in device memory, before op() is applied to it.
struct Matrix {
    const char *name;   // of the argument
    const void *data;
    cudaDataType type;
    size_t rows, columns, ld;   // elements
    bool is_transposed;         // of op(): an argument of the product
};

size_t size_of(cudaDataType type)
{
    switch (type) {
    case CUDA_R_64F: return 8;
    case CUDA_R_32F:
    case CUDA_R_32I: return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    case CUDA_R_8I: return 1;
    default: return 0;
    }
}

template <class T> double of(const void *data, size_t i) { return (double)((const T *)data)[i]; }
double element(cudaDataType type, const void *data, size_t i)
{
    switch (type) {
    case CUDA_R_64F: return of<double>(data, i);
    case CUDA_R_32F: return of<float>(data, i);
    case CUDA_R_32I: return of<int32_t>(data, i);
    case CUDA_R_16F: return (float)((const __half *)data)[i];
    case CUDA_R_16BF: return (float)((const __nv_bfloat16 *)data)[i];
    default: return of<int8_t>(data, i);
    }
}
void set_element(cudaDataType type, void *data, size_t i, double value)
{
    switch (type) {
    case CUDA_R_64F: ((double *)data)[i] = value; break;
    case CUDA_R_32F: ((float *)data)[i] = (float)value; break;
    case CUDA_R_32I: ((int32_t *)data)[i] = (int32_t)value; break;
    case CUDA_R_16F: ((__half *)data)[i] = __half((float)value); break;
    case CUDA_R_16BF: ((__nv_bfloat16 *)data)[i] = __nv_bfloat16((float)value); break;
    default: ((int8_t *)data)[i] = (int8_t)value;
    }
}

// ---- what a call uses ----

[[noreturn]] void wrong(const Call &c, const Matrix &m, const std::string &what)
{
    report({ std::string(c.name) + ": matrix " + m.name + " " + what, c.pc, "", 0, "on the host" });
    print_findings();
    abort();
}

// Ends the program if the matrix is not in device memory or, if it is read, not initialized.
void check(const Call &c, const Matrix &m, bool is_read)
{
    size_t each = size_of(m.type), column = m.rows * each;

    if (!in_heap((uintptr_t)m.data))
        wrong(c, m, "is not in device memory: copy it with cudaMemcpy");
    size_t bytes = (m.columns - 1) * m.ld * each + column;
    if (!fits(m.data, bytes))
        wrong(c, m,
              "is out of bounds: the call uses " + std::to_string(bytes) + " bytes, of " +
                  std::to_string(m.rows) + " x " + std::to_string(m.columns) +
                  " elements with the leading dimension " + std::to_string(m.ld));
    for (size_t j = 0; is_read && j < m.columns; j++)
        if (!is_written((uintptr_t)m.data + j * m.ld * each, column))
            wrong(c, m, "is uninitialized in column " + std::to_string(j));
}

void add_columns(std::vector<Interval> &used, const Matrix &m, const Call &c)
{
    size_t each = size_of(m.type), column = m.rows * each, pitch = m.ld * each;
    size_t pieces = m.ld == m.rows ? 1 : m.columns;   // without gaps: one interval
    uintptr_t start = (uintptr_t)m.data;

    for (size_t j = 0; j < pieces; j++)
        used.push_back({ start + j * pitch,
                         start + j * pitch + (pieces == 1 ? m.columns * column : column), c.pc });
}

// ---- the product ----

// A tile of C has 4 rows, and columns in 3 vectors: 12 sums, in as many registers of AVX2.
constexpr size_t ROWS = 4, VECTORS = 3, VECTOR = 32, DEPTH = 256;
template <class T> constexpr size_t columns_of_tile = VECTORS *VECTOR / sizeof(T);

// Adds to a tile of sums the product of a panel of A, with ROWS values per k, and of a panel of B.
template <class T>
__attribute__((always_inline)) inline void multiply_tile(const T *a, const T *b, size_t depth,
                                                         double *sums)
{
    typedef T Vector __attribute__((vector_size(VECTOR)));
    typedef T Unaligned __attribute__((vector_size(VECTOR), aligned(alignof(T)), may_alias));
    Vector sum[ROWS][VECTORS] = {};

    for (size_t k = 0; k < depth; k++, a += ROWS, b += columns_of_tile<T>) {
        const Unaligned *of_b = (const Unaligned *)b;
        Vector b0 = of_b[0], b1 = of_b[1], b2 = of_b[2];
#pragma GCC unroll 4
        for (size_t i = 0; i < ROWS; i++) {
            sum[i][0] += a[i] * b0;
            sum[i][1] += a[i] * b1;
            sum[i][2] += a[i] * b2;
        }
    }
#pragma GCC unroll 4
    for (size_t i = 0; i < ROWS; i++)
#pragma GCC unroll 3
        for (size_t j = 0; j < VECTORS; j++)
            for (size_t e = 0; e < VECTOR / sizeof(T); e++)
                *sums++ += (double)sum[i][j][e];
}
#if defined(__x86_64__)
#define CLONES __attribute__((target_clones("fma", "default")))
#else
#define CLONES
#endif
CLONES void multiply_panels(const float *a, const float *b, size_t depth, double *sums)
{
    multiply_tile(a, b, depth, sums);
}
CLONES void multiply_panels(const double *a, const double *b, size_t depth, double *sums)
{
    multiply_tile(a, b, depth, sums);
}

// Copies rows first to last of op(m), columns k to k + depth, into panels of `height` rows; absent
// rows are 0.
template <class T>
void pack(const Matrix &m, bool by_columns, size_t first, size_t last, size_t k, size_t depth,
          size_t height, T *to)
{
    for (size_t panel = first; panel < last; panel += height)
        for (size_t d = 0; d < depth; d++)
            for (size_t i = panel; i < panel + height; i++) {
                size_t at = by_columns ? k + d + i * m.ld : i + (k + d) * m.ld;
                *to++ = i < last ? (T)element(m.type, m.data, at) : 0;
            }
}

struct Product {
    Matrix a, b, c;
    size_t m, n, k;
    double alpha, beta;
};

// Computes columns first to last of C. T: the type in which DEPTH products are added.
template <class T> void multiply_columns(const Product &p, size_t first, size_t last)
{
    constexpr size_t HEIGHT = 64, COLUMNS = columns_of_tile<T>;   // rows of C at a time
    size_t panels = (last - first + COLUMNS - 1) / COLUMNS, steps = (p.k + DEPTH - 1) / DEPTH;
    std::vector<T> of_b(panels * COLUMNS * p.k), of_a(HEIGHT * DEPTH);
    std::vector<double> sums(panels * HEIGHT * COLUMNS);

    for (size_t s = 0; s < steps; s++)
        pack(p.b, !p.b.is_transposed, first, last, s * DEPTH, std::min(DEPTH, p.k - s * DEPTH),
             COLUMNS, &of_b[s * DEPTH * panels * COLUMNS]);
    for (size_t top = 0; top < p.m; top += HEIGHT) {
        size_t bottom = std::min(p.m, top + HEIGHT);

        std::fill(sums.begin(), sums.end(), 0);
        for (size_t s = 0; s < steps; s++) {
            size_t depth = std::min(DEPTH, p.k - s * DEPTH);
            pack(p.a, p.a.is_transposed, top, bottom, s * DEPTH, depth, ROWS, of_a.data());
            for (size_t j = 0; j < panels; j++)
                for (size_t i = 0; i < bottom - top; i += ROWS)
                    multiply_panels(&of_a[i * depth],
                                    &of_b[s * DEPTH * panels * COLUMNS + j * COLUMNS * depth],
                                    depth, &sums[(j * HEIGHT + i) * COLUMNS]);
        }
        for (size_t j = first; j < last; j++)
            for (size_t i = top; i < bottom; i++) {
                size_t at = i + j * p.c.ld, in = j - first,
                       sum = (in / COLUMNS * HEIGHT + i - top) * COLUMNS + in % COLUMNS;
                double old = p.beta != 0 ? p.beta * element(p.c.type, p.c.data, at) : 0;
                set_element(p.c.type, (void *)p.c.data, at, p.alpha * sums[sum] + old);
            }
    }
}

size_t threads_for(double operations)
{
    cpu_set_t cores;

    if (operations < 1e7 || sched_getaffinity(0, sizeof cores, &cores) != 0)
        return 1;
    return (size_t)CPU_COUNT(&cores);
}

void multiply(const Product &p)
{
    constexpr size_t MOST = 960;   // columns at a time, so that a panel of B stays small
    size_t workers = threads_for((double)p.m * p.n * p.k),
           share = std::min(MOST, (p.n / workers / 24 + 1) * 24);
    bool is_precise = p.a.type == CUDA_R_64F || p.a.type == CUDA_R_8I || p.c.type == CUDA_R_64F;
    std::vector<std::thread> threads;

    for (size_t t = 0; t < workers; t++)
        threads.emplace_back([&p, t, share, workers, is_precise] {
            for (size_t j = t * share; j < p.n; j += workers * share)
                (is_precise ? multiply_columns<double>
                            : multiply_columns<float>)(p, j, std::min(p.n, j + share));
        });
    for (std::thread &t : threads)
        t.join();
}

// Benchmarks repeat a call with the same arguments. If the matrices have not changed since, C is
// already the result.
uint64_t hash_of(uint64_t hash, const Matrix &m)
{
    size_t column = m.rows * size_of(m.type);

    for (size_t j = 0; j < m.columns; j++) {
        const char *p = (const char *)m.data + j * m.ld * size_of(m.type), *end = p + column;
        for (uint64_t word; p < end; p += sizeof word) {
            word = 0;
            memcpy(&word, p, std::min(sizeof word, (size_t)(end - p)));
            hash = (hash ^ word) * 0x9e3779b97f4a7c15;
            hash ^= hash >> 29;
        }
    }
    return hash;
}
void multiply_if_changed(const Product &p)
{
    static thread_local Product last;
    static thread_local uint64_t of_last;
    auto hash = [&p] { return hash_of(hash_of(hash_of(1, p.a), p.b), p.c); };
    auto same = [](const Matrix &x, const Matrix &y) {
        return x.data == y.data && x.type == y.type && x.ld == y.ld && x.rows == y.rows &&
               x.columns == y.columns && x.is_transposed == y.is_transposed;
    };

    if (p.beta == 0 && same(p.a, last.a) && same(p.b, last.b) && same(p.c, last.c) &&
        p.alpha == last.alpha && p.k == last.k && hash() == of_last)
        return;
    multiply(p);
    last = p;
    of_last = hash();
}

// ---- calls ----

bool is_usable(cublasHandle_t handle) { return handle && !is_for_grading(); }

// The value of alpha or beta, which is in device memory in one pointer mode.
bool scalar(cublasHandle_t handle, cudaDataType type, const void *p, double *value)
{
    bool is_device = handle->mode == CUBLAS_POINTER_MODE_DEVICE;

    if (!p || is_device != (in_heap((uintptr_t)p) && home_of(p) == Home::device))
        return false;
    open_heap(true);
    *value = element(type, p, 0);
    open_heap(false);
    return true;
}

cublasStatus_t run(cublasHandle_t handle, const Call &c, const Product &p)
{
    bool has_product = p.alpha != 0 && p.k > 0;
    size_t rows_a = p.a.is_transposed ? p.k : p.m, rows_b = p.b.is_transposed ? p.n : p.k;

    if (p.a.ld < std::max<size_t>(1, rows_a) || p.b.ld < std::max<size_t>(1, rows_b) ||
        p.c.ld < std::max<size_t>(1, p.m))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (p.m == 0 || p.n == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!is_stream(handle->stream))
        return CUBLAS_STATUS_EXECUTION_FAILED;
    Operation o = { c.name, std::string("in the call of ") + c.name, {} };
    if (has_product) {
        check(c, p.a, true);
        check(c, p.b, true);
        add_columns(o.used[READS], p.a, c);
        add_columns(o.used[READS], p.b, c);
    }
    check(c, p.c, p.beta != 0);
    add_columns(o.used[WRITES], p.c, c);
    open_heap(true);
    Product with = p;
    if (!has_product)
        with.k = 0;
    multiply_if_changed(with);
    open_heap(false);
    for (size_t j = 0; j < p.n; j++)
        mark_written((uintptr_t)p.c.data + j * p.c.ld * size_of(p.c.type), p.m * size_of(p.c.type));
    operation_done(handle->stream, std::move(o), false);
    return CUBLAS_STATUS_SUCCESS;
}

// The type of alpha and beta; of no type: this combination is not supported.
cudaDataType scalar_type(cublasComputeType_t compute)
{
    switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: return CUDA_R_16F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC: return CUDA_R_64F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC: return CUDA_R_32I;
    default: return CUDA_R_32F;
    }
}

struct Gemm {
    cublasOperation_t op_a, op_b;
    int m, n, k;
    const void *alpha, *A;
    cudaDataType type_a;
    int lda;
    long long stride_a;
    const void *B;
    cudaDataType type_b;
    int ldb;
    long long stride_b;
    const void *beta;
    void *C;
    cudaDataType type_c;
    int ldc;
    long long stride_c;
    int batches;
    cudaDataType type_of_scalars;
};

cublasStatus_t gemm(cublasHandle_t handle, const Gemm &g, const Call &c)
{
    double alpha, beta;

    if (!is_usable(handle))
        return handle ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_NOT_INITIALIZED;
    if (g.m < 0 || g.n < 0 || g.k < 0 || g.batches < 0 || g.lda < 1 || g.ldb < 1 || g.ldc < 1)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!size_of(g.type_a) || !size_of(g.type_b) || !size_of(g.type_c) || g.type_a != g.type_b)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (!scalar(handle, g.type_of_scalars, g.alpha, &alpha) ||
        !scalar(handle, g.type_of_scalars, g.beta, &beta))
        return CUBLAS_STATUS_INVALID_VALUE;
    size_t m = (size_t)g.m, n = (size_t)g.n, k = (size_t)g.k;
    for (long long i = 0; i < g.batches; i++) {
        auto at = [i](const void *p, long long stride, cudaDataType type) {
            return (const char *)p + i * stride * (long long)size_of(type);
        };
        bool ta = g.op_a != CUBLAS_OP_N, tb = g.op_b != CUBLAS_OP_N;
        Product p = { { "A", at(g.A, g.stride_a, g.type_a), g.type_a, ta ? k : m, ta ? m : k,
                        (size_t)g.lda, ta },
                      { "B", at(g.B, g.stride_b, g.type_b), g.type_b, tb ? n : k, tb ? k : n,
                        (size_t)g.ldb, tb },
                      { "C", at(g.C, g.stride_c, g.type_c), g.type_c, m, n, (size_t)g.ldc, false },
                      m,
                      n,
                      k,
                      alpha,
                      beta };
        if (cublasStatus_t status = run(handle, c, p))
            return status;
    }
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t geam(cublasHandle_t handle, cudaDataType type, cublasOperation_t op_a,
                    cublasOperation_t op_b, int m, int n, const void *alpha, const Matrix &a,
                    const void *beta, const Matrix &b, void *C, int ldc, const Call &c)
{
    double factor[2];

    if (!is_usable(handle))
        return handle ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_NOT_INITIALIZED;
    if (m < 0 || n < 0 || ldc < std::max(1, m) || !scalar(handle, type, alpha, &factor[0]) ||
        !scalar(handle, type, beta, &factor[1]))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (m == 0 || n == 0)
        return CUBLAS_STATUS_SUCCESS;
    Matrix in[2] = { a, b }, out = { "C", C, type, (size_t)m, (size_t)n, (size_t)ldc, false };
    Operation o = { c.name, std::string("in the call of ") + c.name, {} };
    for (int i = 0; i < 2; i++) {
        in[i].is_transposed = (i ? op_b : op_a) != CUBLAS_OP_N;
        in[i].rows = (size_t)(in[i].is_transposed ? n : m);
        in[i].columns = (size_t)(in[i].is_transposed ? m : n);
        if (in[i].ld < in[i].rows)
            return CUBLAS_STATUS_INVALID_VALUE;
        if (factor[i] == 0)
            continue;
        check(c, in[i], true);
        add_columns(o.used[READS], in[i], c);
    }
    check(c, out, false);
    add_columns(o.used[WRITES], out, c);
    open_heap(true);
    for (size_t j = 0; j < (size_t)n; j++)
        for (size_t i = 0; i < (size_t)m; i++) {
            double sum = 0;
            for (int t = 0; t < 2; t++)
                if (factor[t] != 0)
                    sum += factor[t] *
                           element(type, in[t].data,
                                   in[t].is_transposed ? j + i * in[t].ld : i + j * in[t].ld);
            set_element(type, C, i + j * (size_t)ldc, sum);
        }
    open_heap(false);
    for (size_t j = 0; j < (size_t)n; j++)
        mark_written((uintptr_t)C + j * (size_t)ldc * size_of(type), (size_t)m * size_of(type));
    operation_done(handle->stream, std::move(o), false);
    return CUBLAS_STATUS_SUCCESS;
}

struct Status {
    cublasStatus_t status;
    const char *name, *words;
};
const Status statuses[] = {
    { CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success" },
    { CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED",
      "the library was not initialized" },
    { CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed" },
    { CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
      "an unsupported value or parameter was passed to the function" },
    { CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "the execution failed" },
    { CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED",
      "the functionality is not supported" },
};

}   // namespace
}   // namespace emu

using emu::Gemm;
#define CUBLAS_CALL CALL(handle ? handle->stream : nullptr, true)

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    emu::guard_result(handle, sizeof *handle, true, __builtin_return_address(0));
    *handle = new cublasContext{ nullptr, CUBLAS_POINTER_MODE_HOST, CUBLAS_DEFAULT_MATH };
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    if (!handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    emu::wait_for_all();
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int *version)
{
    emu::guard_result(version, sizeof *version, true, __builtin_return_address(0));
    *version = CUDART_VERSION * 10;
    return CUBLAS_STATUS_SUCCESS;
}

// A setting of the handle, and the function that returns it.
#define SETTING(name, suffix, T, member)                                            \
    cublasStatus_t cublasSet##name##suffix(cublasHandle_t handle, T value)          \
    {                                                                               \
        if (!handle)                                                                \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                   \
        handle->member = value;                                                     \
        return CUBLAS_STATUS_SUCCESS;                                               \
    }                                                                               \
    cublasStatus_t cublasGet##name##suffix(cublasHandle_t handle, T *value)         \
    {                                                                               \
        if (!handle)                                                                \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                   \
        emu::guard_result(value, sizeof *value, true, __builtin_return_address(0)); \
        *value = handle->member;                                                    \
        return CUBLAS_STATUS_SUCCESS;                                               \
    }
SETTING(Stream, _v2, cudaStream_t, stream)
SETTING(PointerMode, _v2, cublasPointerMode_t, mode)
SETTING(MathMode, , cublasMath_t, math)
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void *, size_t)
{
    return CUBLAS_STATUS_SUCCESS;
}

const char *cublasGetStatusName(cublasStatus_t status)
{
    for (const emu::Status &s : emu::statuses)
        if (s.status == status)
            return s.name;
    return "CUBLAS_STATUS_INTERNAL_ERROR";
}
const char *cublasGetStatusString(cublasStatus_t status)
{
    for (const emu::Status &s : emu::statuses)
        if (s.status == status)
            return s.words;
    return "an internal error";
}

#define GEMM(name, T, type)                                                                    \
    cublasStatus_t name(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, \
                        int m, int n, int k, const T *alpha, const T *A, int lda, const T *B,  \
                        int ldb, const T *beta, T *C, int ldc)                                 \
    {                                                                                          \
        return emu::gemm(handle, { op_a, op_b, m, n,    k, alpha, A,   type, lda, 0,   B,      \
                                   type, ldb,  0, beta, C, type,  ldc, 0,    1,   type },      \
                         CUBLAS_CALL);                                                         \
    }                                                                                          \
    cublasStatus_t name##StridedBatched(                                                       \
        cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,   \
        int k, const T *alpha, const T *A, int lda, long long stride_a, const T *B, int ldb,   \
        long long stride_b, const T *beta, T *C, int ldc, long long stride_c, int batches)     \
    {                                                                                          \
        return emu::gemm(handle, { op_a, op_b, m,        n,   k,        alpha,   A,            \
                                   type, lda,  stride_a, B,   type,     ldb,     stride_b,     \
                                   beta, C,    type,     ldc, stride_c, batches, type },       \
                         CUBLAS_CALL);                                                         \
    }
GEMM(cublasSgemm, float, CUDA_R_32F)
GEMM(cublasDgemm, double, CUDA_R_64F)
GEMM(cublasHgemm, __half, CUDA_R_16F)

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void *alpha, const void *A,
                            cudaDataType type_a, int lda, const void *B, cudaDataType type_b,
                            int ldb, const void *beta, void *C, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t)
{
    return emu::gemm(handle,
                     { op_a,   op_b, m,      n,   k,      alpha, A,
                       type_a, lda,  0,      B,   type_b, ldb,   0,
                       beta,   C,    type_c, ldc, 0,      1,     emu::scalar_type(compute) },
                     CUBLAS_CALL);
}
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType type_a,
                                          int lda, long long stride_a, const void *B,
                                          cudaDataType type_b, int ldb, long long stride_b,
                                          const void *beta, void *C, cudaDataType type_c, int ldc,
                                          long long stride_c, int batches,
                                          cublasComputeType_t compute, cublasGemmAlgo_t)
{
    return emu::gemm(handle,
                     { op_a,   op_b, m,        n,   k,        alpha,   A,
                       type_a, lda,  stride_a, B,   type_b,   ldb,     stride_b,
                       beta,   C,    type_c,   ldc, stride_c, batches, emu::scalar_type(compute) },
                     CUBLAS_CALL);
}
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                             int m, int n, int k, const float *alpha, const void *A,
                             cudaDataType type_a, int lda, const void *B, cudaDataType type_b,
                             int ldb, const float *beta, void *C, cudaDataType type_c, int ldc)
{
    return emu::gemm(handle, { op_a,   op_b, m, n,    k, alpha,  A,   type_a, lda, 0,         B,
                               type_b, ldb,  0, beta, C, type_c, ldc, 0,      1,   CUDA_R_32F },
                     CUBLAS_CALL);
}

#define GEAM(name, T, type)                                                                    \
    cublasStatus_t name(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, \
                        int m, int n, const T *alpha, const T *A, int lda, const T *beta,      \
                        const T *B, int ldb, T *C, int ldc)                                    \
    {                                                                                          \
        return emu::geam(handle, type, op_a, op_b, m, n, alpha,                                \
                         { "A", A, type, 0, 0, (size_t)lda, false }, beta,                     \
                         { "B", B, type, 0, 0, (size_t)ldb, false }, C, ldc, CUBLAS_CALL);     \
    }
GEAM(cublasSgeam, float, CUDA_R_32F)
GEAM(cublasDgeam, double, CUDA_R_64F)
}

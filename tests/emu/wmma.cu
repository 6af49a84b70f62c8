// WMMA: each shape, type and layout, in global and in shared memory, against a product by loops.
#include <emu.h>
#include <mma.h>

#include "ok.h"

using namespace nvcuda;

template <class T> __host__ __device__ float number(T v) { return (float)v; }

// One warp computes d = a * b + c, with matrices in global memory or, SHARED, in shared memory.
template <class T, class S, class D, int M, int N, int K, class A, class B, wmma::layout_t LAYOUT,
          bool SHARED>
__global__ void product(const S *a, const S *b, D *d, int lda, int ldb, int ldd)
{
    __shared__ __align__(128) S sa[512], sb[512];
    __shared__ __align__(128) D sd[512];
    wmma::fragment<wmma::matrix_a, M, N, K, T, A> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, B> fb;
    wmma::fragment<wmma::accumulator, M, N, K, D> fd;
    const S *from_a = a, *from_b = b;
    D *to = d;

    if (SHARED) {
        for (int i = threadIdx.x; i < 512; i += 32) {
            sa[i] = a[i];
            sb[i] = b[i];
            sd[i] = d[i];
        }
        __syncwarp();
        from_a = sa;
        from_b = sb;
        to = sd;
    }
    wmma::load_matrix_sync(fd, to, ldd, LAYOUT);
    wmma::load_matrix_sync(fa, from_a, lda);
    wmma::load_matrix_sync(fb, from_b, ldb);
    wmma::mma_sync(fd, fa, fb, fd);
    for (int i = 0; i < fd.num_elements; i++)
        fd.x[i] = fd.x[i] * D(2);
    wmma::store_matrix_sync(to, fd, ldd, LAYOUT);
    if (SHARED) {
        __syncwarp();
        for (int i = threadIdx.x; i < 512; i += 32)
            d[i] = sd[i];
    }
}

template <class T, class S, class D, int M, int N, int K, class A, class B, wmma::layout_t LAYOUT,
          bool SHARED>
static int is_right(void)
{
    constexpr bool a_rows = std::is_same<A, wmma::row_major>(),
                   b_rows = std::is_same<B, wmma::row_major>(),
                   d_rows = LAYOUT == wmma::mem_row_major;
    int lda = a_rows ? K : M, ldb = b_rows ? N : K, ldd = d_rows ? N : M, right = 1;
    S *a, *b;
    D *d;
    static float before[512];

    cudaMallocManaged(&a, 512 * sizeof(S));
    cudaMallocManaged(&b, 512 * sizeof(S));
    cudaMallocManaged(&d, 512 * sizeof(D));
    for (int i = 0; i < 512; i++) {
        a[i] = S(i * 7 % 5);
        b[i] = S(i * 5 % 7);
        d[i] = D(i % 3);
        before[i] = number(d[i]);
    }
    product<T, S, D, M, N, K, A, B, LAYOUT, SHARED><<<1, 32>>>(a, b, d, lda, ldb, ldd);
    cudaDeviceSynchronize();
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            int at = d_rows ? i * ldd + j : i + j * ldd;
            float sum = before[at];
            for (int k = 0; k < K; k++)
                sum += number(a[a_rows ? i * lda + k : i + k * lda]) *
                       number(b[b_rows ? k * ldb + j : k + j * ldb]);
            if (number(d[at]) != 2 * sum && right) {
                printf("# (%d, %d): %g, not %g\n", i, j, number(d[at]), 2 * sum);
                right = 0;
            }
        }
    cudaFree(a);
    cudaFree(b);
    cudaFree(d);
    return right;
}

template <class T, class S, class D, int M, int N, int K, bool SHARED> static int layouts(void)
{
    using R = wmma::row_major;
    using C = wmma::col_major;
    constexpr auto ROWS = wmma::mem_row_major, COLUMNS = wmma::mem_col_major;
    return is_right<T, S, D, M, N, K, R, R, ROWS, SHARED>() &&
           is_right<T, S, D, M, N, K, R, C, COLUMNS, SHARED>() &&
           is_right<T, S, D, M, N, K, C, R, COLUMNS, SHARED>() &&
           is_right<T, S, D, M, N, K, C, C, ROWS, SHARED>();
}
template <class T, class S, class D, int M, int N, int K> static void shape(const char *what)
{
#ifdef FEW   // without FULL=1
    ok(is_right<T, S, D, M, N, K, wmma::row_major, wmma::col_major, wmma::mem_col_major, false>() &&
           is_right<T, S, D, M, N, K, wmma::col_major, wmma::row_major, wmma::mem_row_major,
                    true>(),
       what);
#else
    ok(layouts<T, S, D, M, N, K, false>() && layouts<T, S, D, M, N, K, true>(), what);
#endif
}

int main()
{
    // Supported: WMMA (`mma.h`): fp16, bf16 and 8-bit integers in m16n16k16, m32n8k16 and m8n32k16,
    // TF32 in m16n16k8, doubles in m8n8k4
    ok(layouts<__half, __half, float, 16, 16, 16, false>() &&
           layouts<__half, __half, float, 16, 16, 16, true>(),
       "m16n16k16 of fp16 in floats");
    shape<__half, __half, __half, 16, 16, 16>("m16n16k16 of fp16 in fp16");
    shape<__half, __half, float, 32, 8, 16>("m32n8k16 of fp16");
    shape<__half, __half, __half, 32, 8, 16>("m32n8k16 of fp16 in fp16");
    shape<__half, __half, float, 8, 32, 16>("m8n32k16 of fp16");
    shape<__half, __half, __half, 8, 32, 16>("m8n32k16 of fp16 in fp16");
    shape<__nv_bfloat16, __nv_bfloat16, float, 16, 16, 16>("m16n16k16 of bf16");
    shape<__nv_bfloat16, __nv_bfloat16, float, 8, 32, 16>("m8n32k16 of bf16");
    shape<signed char, signed char, int, 16, 16, 16>("m16n16k16 of signed bytes");
    shape<signed char, signed char, int, 32, 8, 16>("m32n8k16 of signed bytes");
    shape<unsigned char, unsigned char, int, 8, 32, 16>("m8n32k16 of unsigned bytes");
    shape<wmma::precision::tf32, float, float, 16, 16, 8>("m16n16k8 of TF32");
    shape<double, double, double, 8, 8, 4>("m8n8k4 of doubles");

    // ptxas for sm_90: a 32-bit load per register, a 64-bit store per two floats.
    __half *a;
    float *d;
    struct emu_counts c;
    cudaMalloc(&a, 1024);
    cudaMemset(a, 0, 1024);
    cudaMalloc(&d, 2048);
    cudaMemset(d, 0, 2048);
    emu_reset();
    product<__half, __half, float, 16, 16, 16, wmma::row_major, wmma::col_major,
            wmma::mem_row_major, false><<<1, 32>>>(a, a, d, 16, 16, 16);
    emu_totals(&c);
    ok(c.ld_requests == 4 + 4 + 4 && c.ld_sectors == 3 * 4 * 8 && c.st_requests == 4,
       "requests are those of nvcc's instructions");
    printf("1..%d\n", tests);
}

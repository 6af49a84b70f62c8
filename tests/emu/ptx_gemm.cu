// Matrix products as public kernels for compute capability 8.0 and later write them: macros of
// inline PTX, a multistage pipeline of cp.async, ldmatrix from swizzled shared memory, mma.sync.
// Half, bf16 and TF32. Without an argument, checks the products; "overrun" omits the barrier
// that keeps the next copy from a tile that is still read, "early" waits for one group too few.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "ok.h"

#define CP_ASYNC_CG(dst, src, bytes)                                                          \
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(dst), "l"(src), \
                 "n"(bytes))
#define CP_ASYNC_COMMIT_GROUP() asm volatile("cp.async.commit_group;\n" ::)
#define CP_ASYNC_WAIT_GROUP(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))
#define LDMATRIX_X4(R0, R1, R2, R3, addr)                                             \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n" \
                 : "=r"(R0), "=r"(R1), "=r"(R2), "=r"(R3)                             \
                 : "r"(addr))
#define LDMATRIX_X2_T(R0, R1, addr)                                                 \
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];\n" \
                 : "=r"(R0), "=r"(R1)                                               \
                 : "r"(addr))

__device__ __forceinline__ uint32_t cast_smem_ptr_to_uint(void const *const ptr)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(ptr));
}

__device__ __forceinline__ void mma(float *d, const uint32_t *a, const uint32_t *b, __half)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};\n"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(d[0]),
                   "f"(d[1]), "f"(d[2]), "f"(d[3]));
}
__device__ __forceinline__ void mma(float *d, const uint32_t *a, const uint32_t *b, __nv_bfloat16)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

enum { BM = 64, BN = 64, BK = 32, STAGES = 3, THREADS = 128 };

// C = A B for row-major A, B (m x k, k x n) and C of floats. Four warps, each of 32 x 32.
// Columns of 8 elements are swizzled by the row.
template <class T, int FAULT>
__global__ void __launch_bounds__(THREADS) gemm(const T *A, const T *B, float *C, int n, int k)
{
    extern __shared__ __align__(128) unsigned char raw[];
    T(*as)[BM][BK] = (T(*)[BM][BK])raw;
    T(*bs)[BK][BN] = (T(*)[BK][BN])(raw + STAGES * BM * BK * sizeof(T));
    int t = threadIdx.x, lane = t % 32, warp = t / 32, wm = warp / 2 * 32, wn = warp % 2 * 32;
    int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    float sum[2][4][4] = {};

    auto load = [&](int stage, int kt) {
#pragma unroll
        for (int i = 0; i < BM * BK / 8 / THREADS; i++) {
            int at = i * THREADS + t, r = at / (BK / 8), c = at % (BK / 8);
            CP_ASYNC_CG(cast_smem_ptr_to_uint(&as[stage][r][(c ^ (r / 2 % 4)) * 8]),
                        A + (size_t)(row0 + r) * k + kt * BK + c * 8, 16);
        }
#pragma unroll
        for (int i = 0; i < BK * BN / 8 / THREADS; i++) {
            int at = i * THREADS + t, r = at / (BN / 8), c = at % (BN / 8);
            CP_ASYNC_CG(cast_smem_ptr_to_uint(&bs[stage][r][(c ^ (r % 8)) * 8]),
                        B + (size_t)(kt * BK + r) * n + col0 + c * 8, 16);
        }
    };
    int tiles = k / BK;
    for (int s = 0; s < STAGES - 1; s++) {
        if (s < tiles)
            load(s, s);
        CP_ASYNC_COMMIT_GROUP();
    }
    for (int kt = 0; kt < tiles; kt++) {
        if (FAULT == 2)
            CP_ASYNC_WAIT_GROUP(STAGES - 1);
        else
            CP_ASYNC_WAIT_GROUP(STAGES - 2);
        if (FAULT != 1)
            __syncthreads();
        int stage = kt % STAGES;
        if (kt + STAGES - 1 < tiles)
            load((kt + STAGES - 1) % STAGES, kt + STAGES - 1);
        CP_ASYNC_COMMIT_GROUP();
#pragma unroll
        for (int kk = 0; kk < BK; kk += 16) {
            uint32_t a[2][4], b[4][2];
#pragma unroll
            for (int i = 0; i < 2; i++) {
                int r = wm + i * 16 + lane % 16, c = kk / 8 + lane / 16;
                LDMATRIX_X4(a[i][0], a[i][1], a[i][2], a[i][3],
                            cast_smem_ptr_to_uint(&as[stage][r][(c ^ (r / 2 % 4)) * 8]));
            }
#pragma unroll
            for (int j = 0; j < 4; j++) {
                int r = kk + lane % 16, c = (wn + j * 8) / 8;
                LDMATRIX_X2_T(b[j][0], b[j][1],
                              cast_smem_ptr_to_uint(&bs[stage][r][(c ^ (r % 8)) * 8]));
            }
#pragma unroll
            for (int i = 0; i < 2; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    mma(sum[i][j], a[i], b[j], T());
        }
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++) {
            float *c =
                C + (size_t)(row0 + wm + i * 16 + lane / 4) * n + col0 + wn + j * 8 + lane % 4 * 2;
            asm volatile("st.global.v2.f32 [%0], {%1, %2};" ::"l"(c), "f"(sum[i][j][0]),
                         "f"(sum[i][j][1])
                         : "memory");
            asm volatile("st.global.v2.f32 [%0], {%1, %2};" ::"l"(c + 8 * (size_t)n),
                         "f"(sum[i][j][2]), "f"(sum[i][j][3])
                         : "memory");
        }
}

// TF32: a warp per 16 x 8 of C, fragments from global memory.
__global__ void gemm_tf32(const float *A, const float *B, float *C, int n, int k)
{
    int lane = threadIdx.x, g = lane / 4, t = lane % 4, row = blockIdx.y * 16 + g,
        col = blockIdx.x * 8;
    float d[4] = {};

    for (int kk = 0; kk < k; kk += 8) {
        uint32_t a[4], b[2];
        float x[6] = { A[row * k + kk + t],       A[(row + 8) * k + kk + t],
                       A[row * k + kk + t + 4],   A[(row + 8) * k + kk + t + 4],
                       B[(kk + t) * n + col + g], B[(kk + t + 4) * n + col + g] };
        for (int i = 0; i < 4; i++)
            asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(a[i]) : "f"(x[i]));
        for (int i = 0; i < 2; i++)
            asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(b[i]) : "f"(x[4 + i]));
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, "
            "%7}, "
            "{%8, %9}, {%0, %1, %2, %3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
    for (int i = 0; i < 4; i++)
        C[(row + i / 2 * 8) * n + col + 2 * t + i % 2] = d[i];
}

enum { M = 128, N = 128, K = 160 };

// Small integers, so that sums are exact.
static float a_at(int i, int k) { return (i * 5 + k * 3) % 7 - 3; }
static float b_at(int k, int j) { return (k * 11 + j) % 5 - 2; }
static float c_at(int i)
{
    float sum = 0;

    for (int k = 0; k < K; k++)
        sum += a_at(i / N, k) * b_at(k, i % N);
    return sum;
}

template <class T> struct Inputs {
    T *a, *b;
    Inputs()
    {
        static T host[M * K + K * N];

        cudaMalloc(&a, sizeof host);
        b = a + M * K;
        for (int i = 0; i < M * K; i++)
            host[i] = T(a_at(i / K, i % K));
        for (int i = 0; i < K * N; i++)
            host[M * K + i] = T(b_at(i / N, i % N));
        cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    }
    ~Inputs() { cudaFree(a); }
};

template <class T, int FAULT> static void launch(float *c)
{
    Inputs<T> in;
    int bytes = STAGES * (BM + BN) * BK * (int)sizeof(T);

    cudaFuncSetAttribute(gemm<T, FAULT>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    gemm<T, FAULT><<<dim3(N / BN, M / BM), THREADS, bytes>>>(in.a, in.b, c, N, K);
    cudaDeviceSynchronize();
}

int main(int argc, char **argv)
{
    float *c;

    cudaMalloc(&c, M * N * sizeof *c);
    if (argc > 1) {
        if (strcmp(argv[1], "overrun") == 0)
            launch<__half, 1>(c);
        else
            launch<__half, 2>(c);
        return 0;
    }
    gives<float>(
        M * N, [](float *o) { launch<__half, 0>(o); }, c_at, "a product of fp16");
    gives<float>(
        M * N, [](float *o) { launch<__nv_bfloat16, 0>(o); }, c_at, "a product of bf16");
    gives<float>(
        M * N,
        [](float *o) {
            Inputs<float> in;
            gemm_tf32<<<dim3(N / 8, M / 16), 32>>>(in.a, in.b, o, N, K);
        },
        c_at, "a product of TF32");
    printf("1..%d\n", tests);
}

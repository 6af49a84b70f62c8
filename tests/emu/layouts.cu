// Layouts: where tensor copies put the bytes of a box, and from which bytes products of warpgroups
// take the elements of their operands. Memory has unique values, and a line per layout has a digest
// of all that came out. A GPU and the CPU device must print the same: layouts.h200 is from an H200.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "hopper.h"

static uint64_t digest(uint64_t h, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
    return h;
}
static void succeeds(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(1);
}
static const uint64_t START = 0xcbf29ce484222325u;

// ---- boxes ----

enum { BOX_BYTES = 32768 };

struct place {
    int at[3], bytes;
};

// Loads a box, and copies the bytes of the tile as they are.
__global__ void load(const __grid_constant__ CUtensorMap map, unsigned *out, place b)
{
    extern __shared__ __align__(1024) unsigned tile[];
    __shared__ uint64_t full;

    for (int i = threadIdx.x; i < BOX_BYTES / 4; i += blockDim.x)
        tile[i] = 0;
    fence_proxy_async();
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_proxy_async();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect_tx(&full, b.bytes);
        tma_load_3d(tile, &map, b.at[0], b.at[1], b.at[2], &full);
    }
    mbarrier_wait(&full, 0);
    for (int i = threadIdx.x; i < BOX_BYTES / 4; i += blockDim.x)
        out[i] = tile[i];
}

struct shape {
    CUtensorMapDataType type;
    int bytes;   // of an element
    cuuint32_t box[3];
    int at[3];
};

static const shape shapes[] = {
    { CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, { 32, 64, 1 }, { 0, 0, 0 } },
    { CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, { 16, 7, 3 }, { 48, -2, 1 } },
    { CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, { 16, 64, 4 }, { 8, 3, 0 } },
    { CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, { 64, 64, 4 }, { 0, 0, 0 } },
    { CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, { 64, 128, 1 }, { 64, 5, 1 } },
    { CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, { 32, 64, 1 }, { 32, 0, 0 } },
    { CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, { 8, 128, 2 }, { -4, 100, 2 } },
    { CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, { 128, 32, 1 }, { 0, 1, 0 } },
    { CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, { 80, 12, 1 }, { 48, 120, 3 } },
};

static void boxes()
{
    enum { WIDTH = 512, ROWS = 128, SLABS = 4 };   // bytes per row
    static unsigned char host[WIDTH * ROWS * SLABS], tile[BOX_BYTES];
    unsigned char *in;
    unsigned *out;

    for (size_t i = 0; i < sizeof host; i++)
        host[i] = (unsigned char)((i * 2654435761u >> 11) ^ (i >> 8));
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, BOX_BYTES);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    for (const shape &s : shapes)
        for (int swizzle = 0; swizzle < 4; swizzle++) {
            cuuint64_t dim[] = { (cuuint64_t)(WIDTH / s.bytes - 4), ROWS, SLABS };
            cuuint64_t stride[] = { WIDTH, WIDTH * ROWS };
            cuuint32_t ones[] = { 1, 1, 1 };
            CUtensorMap map;
            place b = { { s.at[0], s.at[1], s.at[2] },
                        (int)(s.box[0] * s.box[1] * s.box[2]) * s.bytes };

            if (cuTensorMapEncodeTiled(&map, s.type, 3, in, dim, stride, s.box, ones,
                                       CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)swizzle,
                                       CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                       CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS)
                continue;   // a row is longer than the swizzle
            load<<<1, 128, BOX_BYTES>>>(map, out, b);
            succeeds(cudaMemcpy(tile, out, sizeof tile, cudaMemcpyDeviceToHost));
            printf("box %ux%ux%u of %d bytes at %d %d %d, swizzle %d: %016llx\n", s.box[2],
                   s.box[1], s.box[0], s.bytes, s.at[2], s.at[1], s.at[0], swizzle,
                   (unsigned long long)digest(START, tile, sizeof tile));
        }
    cudaFree(in);
    cudaFree(out);
}

// ---- products ----

// Eight registers each: as text, and as operands.
#define T0 "%0, %1, %2, %3, %4, %5, %6, %7"
#define T1 "%8, %9, %10, %11, %12, %13, %14, %15"
#define T2 "%16, %17, %18, %19, %20, %21, %22, %23"
#define T3 "%24, %25, %26, %27, %28, %29, %30, %31"
#define T4 "%32, %33, %34, %35, %36, %37, %38, %39"
#define T5 "%40, %41, %42, %43, %44, %45, %46, %47"
#define T6 "%48, %49, %50, %51, %52, %53, %54, %55"
#define T7 "%56, %57, %58, %59, %60, %61, %62, %63"
#define T8 "%64, %65, %66, %67, %68, %69, %70, %71"
#define T9 "%72, %73, %74, %75, %76, %77, %78, %79"
#define T10 "%80, %81, %82, %83, %84, %85, %86, %87"
#define T11 "%88, %89, %90, %91, %92, %93, %94, %95"
#define T12 "%96, %97, %98, %99, %100, %101, %102, %103"
#define T13 "%104, %105, %106, %107, %108, %109, %110, %111"
#define T14 "%112, %113, %114, %115, %116, %117, %118, %119"
#define T15 "%120, %121, %122, %123, %124, %125, %126, %127"
#define T32(a, b, c, d) a ", " b ", " c ", " d
#define T_32 T32(T0, T1, T2, T3)
#define T_64 T_32 ", " T32(T4, T5, T6, T7)
#define T_128 T_64 ", " T32(T8, T9, T10, T11) ", " T32(T12, T13, T14, T15)
#define D8(i)                                                                                   \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
        "+f"(d[i + 6]), "+f"(d[i + 7])
#define D32(i) D8(i), D8(i + 8), D8(i + 16), D8(i + 24)
#define BF16(n, registers, operands, ...)                                                    \
    asm volatile("wgmma.mma_async.sync.aligned.m64n" n "k16.f32.bf16.bf16 {" registers "}, " \
                 operands:__VA_ARGS__                                                        \
                 : "l"(a), "l"(b), "n"(A_MAJOR), "n"(B_MAJOR))

enum type { BF16_K16, F16_K16, TF32_K8, S8_K32, TF32_OF_REGISTERS };

// D += A B, 64 x N. A is in shared memory, or 4 registers for TF32_OF_REGISTERS.
template <int TYPE, int N, int A_MAJOR, int B_MAJOR>
__device__ void multiply(float (&d)[N / 2], uint64_t a, uint64_t b, const float (&registers)[4])
{
    if constexpr (TYPE == TF32_OF_REGISTERS)
        wgmma_tf32(d, registers, b, true);
    else if constexpr (TYPE == TF32_K8)
        wgmma_tf32_n8(d, a, b, 1);
    else if constexpr (N == 8)
        wgmma_bf16_n8<A_MAJOR, B_MAJOR>(d, a, b, 1);
    else if constexpr (N == 64)
        BF16("64", T_32, "%32, %33, 1, 1, 1, %34, %35;", D32(0));
    else if constexpr (N == 128)
        BF16("128", T_64, "%64, %65, 1, 1, 1, %66, %67;", D32(0), D32(32));
    else
        BF16("256", T_128, "%128, %129, 1, 1, 1, %130, %131;", D32(0), D32(32), D32(64), D32(96));
}

// Waits for the product. The empty statements keep the compiler from reading `d` earlier.
template <class T, int COUNT> __device__ void wait_for([[maybe_unused]] T (&d)[COUNT])
{
    wgmma_commit();
    wgmma_wait_all();
    for (int i = 0; i < COUNT; i++)
        if constexpr (T(1) / 2 != 0)   // a float
            asm volatile("" : "+f"(d[i])::"memory");
        else
            asm volatile("" : "+r"(d[i])::"memory");
}

enum { TILE = 65536 };   // bytes of an operand

struct operand {
    int leading, stride, swizzle;
    int start, base;   // of the tile, in bytes, and the base offset of the descriptor
};

// sums[thread][i]: D of tiles that are copied as they are.
template <int TYPE, int N, int A_MAJOR, int B_MAJOR>
__global__ void product(const unsigned *tiles, float *sums, operand of_a, operand of_b)
{
    extern __shared__ __align__(1024) unsigned shared[];
    unsigned *a = shared, *b = shared + TILE / 4;
    int t = threadIdx.x;
    float d[N / 2] = {}, registers[4];

    for (int i = t; i < 2 * TILE / 4; i += 128)
        shared[i] = tiles[i];
    for (int i = 0; i < 4; i++)   // column t % 4 + i / 2 * 4 of row t / 4 + i % 2 * 8
        registers[i] =
            __uint_as_float(tiles[t / 32 * 128 + (t % 32 / 4 + i % 2 * 8) * 8 + t % 4 + i / 2 * 4]);
    fence_proxy_async();
    __syncthreads();
    uint64_t da = descriptor(a + of_a.start / 4, of_a.leading, of_a.stride, of_a.swizzle) |
                  (uint64_t)of_a.base << 49,
             db = descriptor(b + of_b.start / 4, of_b.leading, of_b.stride, of_b.swizzle) |
                  (uint64_t)of_b.base << 49;
    wgmma_fence();
    if constexpr (TYPE == S8_K32) {
        int whole[4] = {};
        wgmma_s8_n8(whole, da, db, 1);
        wait_for(whole);
        for (int i = 0; i < 4; i++)
            d[i] = whole[i];
    } else if constexpr (TYPE == F16_K16) {
        unsigned half[2] = {};
        wgmma_f16_n8(half, da, db, 1);
        wait_for(half);
        for (int i = 0; i < 4; i++)
            d[i] = __half2float(__ushort_as_half((unsigned short)(half[i / 2] >> i % 2 * 16)));
    } else {
        multiply<TYPE, N, A_MAJOR, B_MAJOR>(d, da, db, registers);
        wait_for(d);
    }
    for (int i = 0; i < N / 2; i++)
        sums[t * (N / 2) + i] = d[i];
}

// The byte of element (row, k) [9.7.15.5.1.2].
static int place_of(int row, int k, int size, bool is_mn_major, const operand &o)
{
    int each = 16 / size, span = 16 << o.swizzle, in_row = span / size, at;

    if (!is_mn_major)
        at = o.swizzle ? row % 8 * span + row / 8 * o.stride + k * size
                       : row % 8 * 16 + row / 8 * o.stride + k / each * o.leading + k % each * size;
    else if (!o.swizzle)
        at = row / each * o.stride + k % 8 * 16 + k / 8 * o.leading + row % each * size;
    else
        at = row % in_row * size + row / in_row * o.leading + k % 8 * span + k / 8 * o.stride;
    at += o.start;
    int from = at - o.base * 128;   // of the pattern
    return o.swizzle ? at ^ (from >> 7 & ((1 << o.swizzle) - 1)) << 4 : at;
}

static void put(unsigned char *to, int v, int type)
{
    __nv_bfloat16 brain = (float)v;
    __half half = (float)v;
    float single = (float)v;

    switch (type) {
    case BF16_K16: memcpy(to, &brain, 2); break;
    case F16_K16: memcpy(to, &half, 2); break;
    case S8_K32: *(signed char *)to = (signed char)v; break;
    default: memcpy(to, &single, 4);
    }
}

// Element i of memory has one of two parts of its number, as exact in each type.
static void fill(unsigned char *tile, int type, int size, int part)
{
    for (int i = 0; i < TILE / size; i++)
        put(tile + i * size, part ? i / 128 % 128 : i % 128, type);
}

// One operand has unique values, and the other one a single 1 per row or column. So D has the
// elements that the product finds at each place.
template <int TYPE, int N, int A_MAJOR, int B_MAJOR>
static void layout(const char *name, operand of_a, operand of_b)
{
    static const int sizes[] = { 2, 2, 4, 1, 4 };
    static unsigned char tiles[2 * TILE];
    static float sums[64 * N];
    int size = sizes[TYPE], depth = 32 / size;
    auto kernel = product<TYPE, N, A_MAJOR, B_MAJOR>;
    uint64_t of_sums = START;
    unsigned *in;
    float *out;

    cudaMalloc(&in, sizeof tiles);
    cudaMalloc(&out, sizeof sums);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 2 * TILE);
    for (int part = 0; part < 2; part++)
        for (int which = 0; which < 2; which++)
            for (int shift = 0; shift < (which ? 1 : depth); shift += 8) {
                memset(tiles, 0, sizeof tiles);
                fill(tiles + which * TILE, TYPE, size, part);
                for (int i = 0; which && i < 64; i++)   // row i of A selects row i % depth of B
                    put(tiles + (TYPE == TF32_OF_REGISTERS
                                     ? (i * 8 + i % depth) * 4
                                     : place_of(i, i % depth, size, A_MAJOR, of_a)),
                        1, TYPE);
                for (int i = 0; !which && i < N; i++)   // column i of B selects one of A
                    put(tiles + TILE + place_of(i, (i + shift) % depth, size, B_MAJOR, of_b), 1,
                        TYPE);
                cudaMemcpy(in, tiles, sizeof tiles, cudaMemcpyHostToDevice);
                kernel<<<1, 128, 2 * TILE>>>(in, out, of_a, of_b);
                succeeds(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
                of_sums = digest(of_sums, sums, sizeof sums);
            }
    if (of_a.start || of_b.start)
        printf("tiles at %d, base offset %d: ", of_a.start, of_a.base);
    printf("%s: m64n%d, %s, %s, swizzles %d %d, offsets %d %d, %d %d: %016llx\n", name, N,
           A_MAJOR ? "M-major" : "K-major", B_MAJOR ? "N-major" : "K-major", of_a.swizzle,
           of_b.swizzle, of_a.leading, of_a.stride, of_b.leading, of_b.stride,
           (unsigned long long)of_sums);
    cudaFree(in);
    cudaFree(out);
}

// All swizzles; offsets as in tiles without gaps, and larger ones.
template <int TYPE, int N, int A_MAJOR, int B_MAJOR> static void layouts(const char *name)
{
    for (int swizzle = 0; swizzle < 4; swizzle++)
        for (int gap = 0; gap < 2; gap++) {
            int span = 16 << swizzle, more = gap * 1024;
            operand k_major = { swizzle ? 16 : (N > 64 ? N : 64) * 16 + more,
                                swizzle ? 8 * span + more : 128, swizzle, 0, 0 };
            // M- and N-major: slabs of a row of the swizzle, 16 deep
            operand m_major = { swizzle ? 16 * span + more : (N > 64 ? N : 64) * 16 + more,
                                swizzle ? 8 * span : 128, swizzle, 0, 0 };
            layout<TYPE, N, A_MAJOR, B_MAJOR>(name, A_MAJOR ? m_major : k_major,
                                              B_MAJOR ? m_major : k_major);
        }
}

// Tiles that do not start where the pattern of a swizzle does.
static void unaligned()
{
    for (int start = 128; start <= 512; start *= 2)
        for (int base = 0; base < 8; base += start / 128) {
            operand o = { 16, 1024, 3, start, base };
            layout<BF16_K16, 8, 0, 0>("bf16", o, o);
        }
}

int main()
{
    boxes();
    unaligned();
    layouts<BF16_K16, 8, 0, 0>("bf16");
    layouts<BF16_K16, 8, 1, 1>("bf16");
    layouts<BF16_K16, 8, 0, 1>("bf16");
    layouts<F16_K16, 8, 0, 0>("fp16");
    layouts<TF32_K8, 8, 0, 0>("TF32");
    layouts<S8_K32, 8, 0, 0>("8-bit integers");
    layouts<BF16_K16, 64, 0, 1>("bf16");
    layouts<BF16_K16, 128, 0, 0>("bf16");
    layouts<BF16_K16, 128, 0, 1>("bf16");
    layouts<BF16_K16, 256, 0, 0>("bf16");
    layouts<BF16_K16, 256, 0, 1>("bf16");
    layouts<TF32_OF_REGISTERS, 128, 0, 0>("TF32, A in registers");
    return cudaDeviceSynchronize() != cudaSuccess;
}

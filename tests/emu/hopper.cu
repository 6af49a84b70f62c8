// Hopper's asynchronous instructions: what copies and products give, and what they count as. With
// the argument "early", operations take effect at once.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "hopper.h"
#include "ok.h"

// On a GPU, nothing is counted.
#ifdef EMU_CPU_DEVICE
#include "emu.h"
#endif

// ---- tensor maps ----

static CUresult encode(CUtensorMap *map, CUtensorMapDataType type, int rank, void *base,
                       const cuuint64_t *dim, const cuuint64_t *stride, const cuuint32_t *box,
                       CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE,
                       const cuuint32_t *steps = nullptr,
                       CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
{
    static const cuuint32_t ones[] = { 1, 1, 1, 1, 1 };

    return cuTensorMapEncodeTiled(map, type, rank, base, dim, stride, box, steps ? steps : ones,
                                  CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                                  CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
}

static void encoding(float *array)
{
    const CUtensorMapDataType F32 = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    alignas(64) char space[256];
    CUtensorMap map;
    cuuint64_t dim[] = { 64, 32 }, stride[] = { 256 }, none[] = { 0, 32 },
               large[] = { 1ull << 33, 1 }, odd[] = { 264 }, far[] = { 1ull << 40 };
    cuuint32_t box[] = { 32, 8 }, too_wide[] = { 64, 8 }, no_box[] = { 0, 8 }, tall[] = { 32, 257 },
               short_row[] = { 3, 8 }, steps[] = { 1, 9 };
    void *function = nullptr;
    cudaDriverEntryPointQueryResult result;

    ok(encode(&map, F32, 2, array, dim, stride, box) == CUDA_SUCCESS, "a tensor map is encoded");
#ifdef EMU_CPU_DEVICE   // the driver of an H200 encodes it, against its documentation
    ok(encode((CUtensorMap *)(space + 32), F32, 2, array, dim, stride, box),
       "a tensor map at a misaligned address is refused");
#endif
    ok(encode(&map, F32, 0, array, dim, stride, box) &&
           encode(&map, F32, 6, array, dim, stride, box) &&
           encode(&map, F32, 2, (char *)array + 8, dim, stride, box) &&
           encode(&map, F32, 2, array, none, stride, box) &&
           encode(&map, F32, 2, array, large, stride, box) &&
           encode(&map, F32, 2, array, dim, odd, box) && encode(&map, F32, 2, array, dim, far, box),
       "maps of a misaligned array, with a wrong rank, dimension or stride are refused");
    ok(encode(&map, F32, 2, array, dim, stride, no_box) &&
           encode(&map, F32, 2, array, dim, stride, tall) &&
           encode(&map, F32, 2, array, dim, stride, short_row) &&
           encode(&map, F32, 2, array, dim, stride, too_wide, CU_TENSOR_MAP_SWIZZLE_128B) &&
           encode(&map, F32, 2, array, dim, stride, box, CU_TENSOR_MAP_SWIZZLE_NONE, steps) &&
           encode(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, array, dim, stride, box,
                  CU_TENSOR_MAP_SWIZZLE_NONE, nullptr,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA),
       "maps with a wrong box, swizzle, step or fill are refused");
    // Supported: `cudaGetDriverEntryPoint` of `cuTensorMapEncodeTiled`: tile mode, ranks 1 to 5,
    // the swizzles of 32, 64 and 128 bytes
    ok(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &result) ==
               cudaSuccess &&
           result == cudaDriverEntryPointSuccess && function,
       "the driver's entry point is found");
}

// ---- arrivals of asynchronous copies ----

// Each thread copies two words, and reads those of others. Without `noinc`, an arrival is pending
// in addition, so each thread also arrives itself.
template <bool NOINC> __global__ void copied(const float *in, float *out)
{
    __shared__ float words[2][64];
    __shared__ uint64_t full;
    int t = threadIdx.x;

    if (t == 0)
        mbarrier_init(&full, blockDim.x);
    __syncthreads();
    for (int phase = 0; phase < 3; phase++) {
        copy_word(&words[phase % 2][t], in + 64 * phase + t);
        if (NOINC) {
            copies_arrive_noinc(&full);
        } else {
            copies_arrive(&full);
            mbarrier_arrive(&full);
        }
        mbarrier_wait(&full, phase % 2);
        out[t] = words[phase % 2][63 - t];
    }
}

// ---- boxes ----

enum { ROWS = 32, COLS = 64 };

__global__ void load_box(const __grid_constant__ CUtensorMap map, float *out, int x, int y)
{
    __shared__ alignas(1024) float tile[ROWS][32];
    __shared__ uint64_t full;

    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_proxy_async();
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        tma_load_2d(tile, &map, x, y, &full);
    }
    __syncthreads();
    mbarrier_wait(&full, 0);
    for (int i = threadIdx.x; i < ROWS * 32; i += blockDim.x)
        out[i] = tile[i / 32][i % 32];
}

static float value(int row, int col)
{
    return row < 0 || row >= ROWS || col < 0 || col >= COLS ? 0 : (float)(row * COLS + col);
}

static void boxes(float *in)
{
    static const int chunks[] = { 8, 2, 4, 8 };
    cuuint64_t dim[] = { COLS, ROWS }, stride[] = { COLS * sizeof(float) };

    for (int swizzle = 0; swizzle < 4; swizzle++) {
        unsigned width = chunks[swizzle] * 4;
        cuuint32_t box[] = { width, 1024 / width };
        CUtensorMap map;
        char what[80];
        int x = 32, y = -1;

        encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, in, dim, stride, box,
               (CUtensorMapSwizzle)swizzle);
        snprintf(what, sizeof what, "a box that begins outside, with swizzle %d", swizzle);
        gives<float>(
            1024, [&](float *out) { load_box<<<1, 128>>>(map, out, x, y); },
            [&](int i) {
                int line = i / 32, chunk = i % 32 / 4;   // of 128 bytes, of 16
                static const int mask[] = { 0, 1, 3, 7 };
                chunk ^= line & mask[swizzle];
                int at = line * 32 + chunk * 4 + i % 4;
                return value(y + at / width, x + at % width);
            },
            what);
    }
}

__global__ void load_3d(const __grid_constant__ CUtensorMap map, float *out)
{
    __shared__ alignas(128) float tile[2][2][4];
    __shared__ uint64_t full;

    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        tma_load_3d(tile, &map, 4, 1, 2, &full);
    }
    __syncthreads();
    mbarrier_wait(&full, 0);
    if (threadIdx.x < 16)
        out[threadIdx.x] = tile[threadIdx.x / 8][threadIdx.x / 4 % 2][threadIdx.x % 4];
}

// in[8][4][64]; every second row; NaN outside
static void strides(float *in)
{
    cuuint64_t dim[] = { 6, 4, 8 }, stride[] = { 64 * 4, 4 * 64 * 4 };
    cuuint32_t box[] = { 4, 4, 2 }, steps[] = { 1, 2, 1 };
    CUtensorMap map;
    float *out, host[16];
    int right = 1;

    encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, in, dim, stride, box,
           CU_TENSOR_MAP_SWIZZLE_NONE, steps, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
    cudaMalloc(&out, sizeof host);
    load_3d<<<1, 32>>>(map, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++) {
        int z = 2 + i / 8, y = 1 + i / 4 % 2 * 2, x = 4 + i % 4;
        right &= x < 6 ? host[i] == (float)(z * 256 + y * 64 + x) : host[i] != host[i];
    }
    ok(right, "three dimensions, an element stride of 2 and NaN outside");
    cudaFree(out);
}

// ---- stores and reductions ----

__global__ void through_tile(const float *in, float *out, const __grid_constant__ CUtensorMap map)
{
    __shared__ alignas(128) float tile[8][32], sums[256];
    __shared__ uint64_t full;
    int t = threadIdx.x;

    if (t == 0) {
        mbarrier_init(&full, 1);
        fence_proxy_async();
        mbarrier_arrive_expect_tx(&full, sizeof tile);
        bulk_load(tile, in, sizeof tile, &full);
    }
    sums[t] = t;
    fence_proxy_async();
    __syncthreads();
    mbarrier_wait(&full, 0);
    tile[t / 32][t % 32] += 1;
    fence_proxy_async();
    __syncthreads();
    if (t == 0) {
        tma_store_2d(&map, tile, 48, 28);   // half of it is outside, in both dimensions
        bulk_commit();
        bulk_add(out, sums, sizeof sums);
        bulk_add(out, sums, sizeof sums);
        bulk_commit();
        bulk_wait();
        prefetch_l2(in, 64);
    }
}

static void stores(float *in)
{
    float *out, *image, host[ROWS * COLS], sums[256];
    cuuint64_t dim[] = { COLS, ROWS }, stride[] = { COLS * sizeof(float) };
    cuuint32_t box[] = { 32, 8 };
    CUtensorMap map;
    int right = 1, added = 1;

    cudaMalloc(&out, sizeof sums);
    cudaMalloc(&image, sizeof host);
    cudaMemset(out, 0, sizeof sums);
    cudaMemset(image, 0, sizeof host);
    encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, image, dim, stride, box);
    through_tile<<<1, 256>>>(in, out, map);
    cudaMemcpy(host, image, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
    for (int i = 0; i < ROWS * COLS; i++) {
        int y = i / COLS - 28, x = i % COLS - 48;
        right &= host[i] == (y < 0 || x < 0 ? 0 : (float)(y * 32 + x) + 1);
    }
    for (int i = 0; i < 256; i++)
        added &= sums[i] == 2 * i;
    ok(right, "a box is stored without its part outside");
    ok(added, "two reductions add to global memory");
    cudaFree(out);
    cudaFree(image);
}

// ---- mbarriers ----

// Arrivals with a count, states, and a ring in which consumers release buffers.
__global__ void ring(const float *in, float *out)
{
    __shared__ alignas(128) float buffer[2][32];
    __shared__ uint64_t full[2], empty[2];
    int t = threadIdx.x;
    float sum = 0;

    if (t == 0) {
        for (int i = 0; i < 2; i++) {
            mbarrier_init(&full[i], 1);
            mbarrier_init(&empty[i], 2);
        }
        fence_proxy_async();
    }
    __syncthreads();
    for (int i = 0; i < 8; i++) {
        if (t == 32) {
            mbarrier_wait(&empty[i % 2], (i / 2 + 1) % 2);
            mbarrier_arrive_expect_tx(&full[i % 2], sizeof buffer[0]);
            bulk_load(buffer[i % 2], in + 32 * i, sizeof buffer[0], &full[i % 2]);
        }
        if (t < 32) {
            mbarrier_wait(&full[i % 2], i / 2 % 2);
            sum += buffer[i % 2][t];
            __syncwarp();
            if (t == 0)
                mbarrier_arrive_state(&empty[i % 2], 2);
        }
    }
    if (t < 32)
        out[t] = sum;
}

__global__ void states(float *out)
{
    __shared__ uint64_t b;
    __shared__ int s[64];
    int t = threadIdx.x, polls = 0;

    if (t == 0)
        mbarrier_init(&b, 64);
    __syncthreads();
    s[t] = t;
    uint64_t state = mbarrier_arrive_state(&b, 1);
    while (!mbarrier_test(&b, state))
        polls++;
    out[t] = s[63 - t] + (polls < 0);
    __syncthreads();
    if (t == 0) {
        mbarrier_inval(&b);
        b = 5;
    }
}

// ---- products ----

// Operands as bytes: A is 64 rows, B 8 columns, both 32 bytes deep. M- and N-major operands have 16
// bits per element.
struct product {
    bool a_major, b_major;   // M-, N-major
    int swizzle;
};

// The byte of element (row, k) of a tile [9.7.15.5.1.2]: tiles have 64 rows or 8.
__host__ __device__ inline int place(int row, int k, int size, bool mn_major, int swizzle)
{
    int each = 16 / size, span = 16 << swizzle, at;

    if (!mn_major)
        at = swizzle ? row % 8 * span + row / 8 * 8 * span + k * size
                     : row % 8 * 16 + row / 8 * 128 + k / each * 1024 + k % each * size;
    else if (!swizzle)
        at = row / each * 128 + k % 8 * 16 + k / 8 * 1024 + row % each * size;
    else
        at = row % (span / size) * size + row / (span / size) * 2048 + k % 8 * span + k / 8 * 1024;
    return swizzle ? at ^ (at >> 7 & ((1 << swizzle) - 1)) << 4 : at;
}

enum { TILE = 16384 };

template <int TYPE, bool A_MAJOR, bool B_MAJOR>
__global__ void multiply(const unsigned char *tiles, float *out, uint64_t offsets)
{
    __shared__ alignas(1024) unsigned char a[TILE], b[TILE];
    int t = threadIdx.x;
    int swizzle = offsets & 3, leading_a = offsets >> 8 & 0xffff, stride_a = offsets >> 24 & 0xffff;
    int stride_b = offsets >> 40 & 0xffff;

    for (int i = t; i < TILE; i += 128) {
        a[i] = tiles[i];
        b[i] = tiles[TILE + i];
    }
    fence_proxy_async();
    __syncthreads();
    uint64_t da = descriptor(a, leading_a, stride_a, swizzle),
             db = descriptor(b, leading_a, stride_b, swizzle);
    float d[4] = { 1, 2, 3, 4 };
    int whole[4] = { 1, 2, 3, 4 };
    unsigned half[2] = {};

    wgmma_fence();
    for (int i = 0; i < 2; i++)
        if (TYPE == 0)
            wgmma_bf16_n8<A_MAJOR, B_MAJOR>(d, da, db, 1);
        else if (TYPE == 1)
            wgmma_tf32_n8(d, da, db, 1);
        else if (TYPE == 2)
            wgmma_s8_n8(whole, da, db, 1);
        else
            wgmma_f16_n8(half, da, db, i);
    wgmma_commit();
    wgmma_wait_all();
    for (int i = 0; i < 4; i++) {
        int row = t / 32 * 16 + t % 32 / 4 + i / 2 * 8, col = t % 4 * 2 + i % 2;
        out[row * 8 + col] =
            TYPE == 2 ? whole[i]
            : TYPE == 3
                ? __half2float(__ushort_as_half((unsigned short)(half[i / 2] >> i % 2 * 16)))
                : d[i];
    }
}

static float small(int i, int k) { return (float)((i * 7 + k * 3) % 11 - 5); }

static void put(unsigned char *to, float v, int type)
{
    __nv_bfloat16 brain = v;
    __half half = v;

    switch (type) {
    case 0: memcpy(to, &brain, 2); break;
    case 1: memcpy(to, &v, 4); break;
    case 2: *(signed char *)to = (signed char)v; break;
    default: memcpy(to, &half, 2);
    }
}

template <int TYPE, bool A_MAJOR, bool B_MAJOR>
static void product_of(int swizzle, const char *what)
{
    static const int sizes[] = { 2, 4, 1, 2 };
    int size = sizes[TYPE], depth = 32 / size, span = 16 << swizzle;
    unsigned char host[2 * TILE] = {}, *tiles;
    char name[100];

    // One leading offset serves both operands: both have the same major here, or it is not used.
    uint64_t leading = A_MAJOR && swizzle ? 2048 : 1024,
             stride_a = A_MAJOR ? swizzle ? 1024 : 128
                      : swizzle ? 8 * span
                                : 128,
             stride_b = B_MAJOR ? swizzle ? 1024 : 128
                      : swizzle ? 8 * span
                                : 128;
    for (int k = 0; k < depth; k++) {
        for (int i = 0; i < 64; i++)
            put(host + place(i, k, size, A_MAJOR, swizzle), small(i, k), TYPE);
        for (int i = 0; i < 8; i++)
            put(host + TILE + place(i, k, size, B_MAJOR, swizzle), small(i + 3, k), TYPE);
    }
    cudaMalloc(&tiles, sizeof host);
    cudaMemcpy(tiles, host, sizeof host, cudaMemcpyHostToDevice);
    snprintf(name, sizeof name, "wgmma: %s, swizzle %d", what, swizzle);
    gives<float>(
        64 * 8,
        [&](float *out) {
            multiply<TYPE, A_MAJOR, B_MAJOR>
                <<<1, 128>>>(tiles, out, swizzle | leading << 8 | stride_a << 24 | stride_b << 40);
        },
        [&](int i) {
            int row = i / 8, col = i % 8;
            float sum = TYPE == 3 ? 0 : 1 + row / 8 % 2 * 2 + col % 2;
            for (int k = 0; k < depth; k++)
                sum += 2 * small(row, k) * small(col + 3, k);
            return sum;
        },
        name);
    cudaFree(tiles);
}

#ifdef EMU_CPU_DEVICE
// Two groups of one wgmma each. AHEAD: the second starts before the first is waited for.
template <bool AHEAD> __global__ void two_groups(float *out)
{
    __shared__ alignas(1024) unsigned char a[TILE], b[TILE];
    float d[4] = {}, e[4] = {};

    for (int i = threadIdx.x; i < TILE; i += 128)
        a[i] = b[i] = 0;
    fence_proxy_async();
    __syncthreads();
    uint64_t da = descriptor(a, 1024, 1024, 3), db = descriptor(b, 1024, 1024, 3);
    wgmma_fence();
    wgmma_bf16_n8<false, false>(d, da, db, 1);
    wgmma_commit();
    if (!AHEAD)
        wgmma_wait_all();
    wgmma_fence();
    wgmma_bf16_n8<false, false>(e, da, db, 1);
    wgmma_commit();
    wgmma_commit();   // an empty group
    wgmma_wait_all();
    out[threadIdx.x] = d[0] + e[0];
}

static void counts(float *in)
{
    struct emu_counts n;
    float *out;

    emu_reset();
    stores(in);
    emu_totals(&n);
    ok(n.bulk_ld_requests == 2 && n.bulk_ld_bytes == 1024 + 64 && n.bulk_ld_sectors == 34,
       "bulk loads and prefetches are counted");
    ok(n.bulk_st_requests == 3 && n.bulk_st_bytes == 2048 + 256 && n.bulk_st_sectors == 64 + 8,
       "bulk stores are counted without the part outside");
    ok(emu_is_asynchronous(), "the launch is known to have been asynchronous");
    emu_reset();
    product_of<0, false, false>(3, "bf16, counted");
    emu_totals(&n);
    ok(n.products == 2 && n.product_clocks == 2 * 64 * 8 * 16 / 2048 &&
           n.product_bytes == 2 * (64 + 8) * 32,
       "products, their clocks and the bytes of operands are counted");
    cudaMalloc(&out, 128 * sizeof *out);
    emu_reset();
    two_groups<true><<<1, 128>>>(out);
    emu_totals(&n);
    ok(n.products == 2 && n.groups_in_flight == 1, "a group in flight as a wgmma starts");
    emu_reset();
    two_groups<false><<<1, 128>>>(out);
    emu_totals(&n);
    ok(n.products == 2 && n.groups_in_flight == 0, "no group is in flight after a wait");
    cudaFree(out);
}
#endif

// ---- a sparse product: which two of four columns of A are stored ----

__host__ __device__ int first_place(int row, int four) { return (row + four) % 3; }
__host__ __device__ int second_place(int row, int four)
{
    int first = first_place(row, four);
    return first < 2 && four % 2 ? first + 2 : first + 1;
}
__host__ __device__ float stored(int row, int k) { return (float)((row * 5 + k * 3) % 7 - 3); }
__host__ __device__ float of_b(int col, int k) { return (float)((col * 3 + k) % 5 - 2); }

// D = A B, 64 x 8 x 32. SELECTOR: the threads of four whose metadata count; the others' are wrong.
template <int SELECTOR> __global__ void sparse(float *out)
{
    __shared__ __align__(128) __half a[64 * 16], b[8 * 32];
    int t = threadIdx.x, row = t / 32 * 16 + t % 32 / 4, side = t % 2;
    unsigned metadata = 0;
    float d[4] = {};

    for (int i = t; i < 64 * 16; i += 128)   // in core matrices of 8 x 8
        a[i % 16 / 8 * 512 + i / 16 * 8 + i % 8] = stored(i / 16, i % 16);
    for (int i = t; i < 8 * 32; i += 128)
        b[i % 32 / 8 * 64 + i / 32 * 8 + i % 8] = of_b(i / 32, i % 32);
    for (int i = 0; i < 8; i++) {
        int r = row + i / 4 * 8, four = 4 * side + i % 4;
        metadata |= (unsigned)(first_place(r, four) | second_place(r, four) << 2) << 4 * i;
    }
    if (t % 4 / 2 != SELECTOR)
        metadata = 0x44444444;
    fence_proxy_async();
    __syncthreads();
    wgmma_fence();
    asm volatile("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, "
                 "%6, %7, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(descriptor(a, 1024, 128, 0)), "l"(descriptor(b, 128, 128, 0)), "r"(metadata),
                   "n"(SELECTOR));
    wgmma_commit();
    wgmma_wait_all();
    for (int i = 0; i < 4; i++)
        out[(row + i / 2 * 8) * 8 + t % 4 * 2 + i % 2] = d[i];
}
static float sparse_sum(int row, int col)
{
    float sum = 0;

    for (int four = 0; four < 8; four++)
        sum += stored(row, 2 * four) * of_b(col, 4 * four + first_place(row, four)) +
               stored(row, 2 * four + 1) * of_b(col, 4 * four + second_place(row, four));
    return sum;
}

int main(int argc, char **argv)
{
    float *in, host[ROWS * COLS];

#ifdef EMU_CPU_DEVICE
    emu_land_early(argc > 1 && strcmp(argv[1], "early") == 0);
#else
    (void)argc, (void)argv;
#endif
    cudaMalloc(&in, sizeof host);
    for (int i = 0; i < ROWS * COLS; i++)
        host[i] = i;
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    encoding(in);
    // Supported: bulk and tensor copies (`cp.async.bulk`) in both directions, with mbarriers and
    // bulk groups; reductions and prefetches; `fence.proxy.async`
    boxes(in);
    strides(in);
#ifndef EMU_CPU_DEVICE
    stores(in);
#endif
    // Supported: mbarriers: all instructions with parities and states, in the block's own memory
    gives<float>(
        32, [&](float *out) { ring<<<1, 64>>>(in, out); }, [](int i) { return 8 * i + 32 * 28; },
        "a ring of two buffers");
    gives<float>(
        64, [&](float *out) { states<<<1, 64>>>(out); }, [](int i) { return 63 - i; },
        "arrivals return states, for which threads wait");
    gives<float>(
        64, [&](float *out) { copied<true><<<1, 64>>>(in, out); },
        [](int i) { return 128 + 63 - i; }, "copies arrive at an mbarrier that expects them");
    gives<float>(
        64, [&](float *out) { copied<false><<<1, 64>>>(in, out); },
        [](int i) { return 128 + 63 - i; }, "copies arrive in addition to what it expects");
    // Supported: products of warpgroups (`wgmma`) of fp16, bf16, TF32 and 8-bit integers; with a
    // sparse A (`.sp`) of fp16 and bf16; `setmaxnreg`
    gives<float>(
        64 * 8, [&](float *out) { sparse<0><<<1, 128>>>(out); },
        [](int i) { return sparse_sum(i / 8, i % 8); },
        "a sparse product, metadata of threads 0, 1");
    gives<float>(
        64 * 8, [&](float *out) { sparse<1><<<1, 128>>>(out); },
        [](int i) { return sparse_sum(i / 8, i % 8); },
        "a sparse product, metadata of threads 2, 3");
    for (int swizzle = 0; swizzle < 4; swizzle++) {
        product_of<0, false, false>(swizzle, "bf16, K-major");
        product_of<0, true, true>(swizzle, "bf16, M- and N-major");
        product_of<1, false, false>(swizzle, "TF32");
        product_of<2, false, false>(swizzle, "8-bit integers");
        product_of<3, false, false>(swizzle, "fp16 with sums in fp16");
    }
#ifdef EMU_CPU_DEVICE
    counts(in);
#endif
    cudaFree(in);
    printf("1..%d\n", tests);
    return 0;
}

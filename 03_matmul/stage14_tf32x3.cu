// stage14: fp32 accuracy from tensor cores by three TF32 products (3xTF32)
//
// CUDA cores end at 128 FMAs per SM and clock. Tensor cores do 1024 in TF32, which keeps 11 of the
// 24 bits of fp32. Here a = big + small, two TF32 numbers, and three products per a b are enough:
//   a b = small big + big small + big big   (small small is at most 2^-22 of a b, and is skipped)
// Tensor cores truncate sums, and that error grows with K: every CHUNK of K goes to fp32 sums.
//   producer warp      wait(empty[s]); TMA: A, B_big, B_small -> tiles[s]; arrives at full[s]
//   consumer warps     wait(full[s]); split A in registers; 3 x wgmma; arrive at empty[s]
// wgmma reads TF32 only with K along rows: a first kernel splits and transposes B. Inf becomes NaN.
// Look at: max_error, and the SM clock, which falls when large sizes reach the power limit.
// From: stage13
// Needs: sm_90a
// Arithmetic: tf32x3
// make stage14 && ./stage14        make stage14 CHUNK=65536 && ./stage14 --check
// Expect (sm_90, 4096x4096x4096): rate >= 2.5 * ref_cublas.rate
// Expect (sm_90, 4096x4096x4096): max_error <= ref_cublas.max_error / 4
#include "matmul.h"

#ifndef CHUNK
#define CHUNK 32   // depth along K that tensor cores sum before it is added to the fp32 sums
#endif
#define BM 128     // block tile: rows and columns of C per block
#define BN 128     // as wide as one wgmma
#define BK 32      // depth of the tiles along K: 128 bytes, the width of the swizzle
#define DEPTH 4    // stages of the pipeline: buffers in shared memory
#define GROUP 16   // rasterization: rows of tiles per group, for L2 reuse
#define CONSUMERS (BM / 64 * 128)   // threads: a warpgroup per 64 rows; one more is the producer
static_assert(CHUNK >= BK && CHUNK % BK == 0, "CHUNK must be a multiple of 32");

struct Pipeline {
    struct Tiles {
        float A[BM * BK], B_big[BN * BK], B_small[BN * BK];
    } tiles[DEPTH];
    uint64_t full[DEPTH], empty[DEPTH];
};

// The nearest number whose last 13 bits are zero. A carry into the exponent is correct as well.
__device__ float round_to_tf32(float x)
{
    return __uint_as_float((__float_as_uint(x) + 0x1000) & 0xffffe000);
}

__device__ void split(float x, float *big, float *small)
{
    *big = round_to_tf32(x);
    *small = round_to_tf32(x - *big);
}

// B_big and B_small: N rows of `pitch` words, zero beyond K.
__global__ void split_transposed(const float *B, float *B_big, float *B_small, int N, int K,
                                 int pitch)
{
    __shared__ float tile[BK][BK + 1];
    int tile_cols = ceil_div(N, BK);
    int n = blockIdx.x % tile_cols * BK, k = blockIdx.x / tile_cols * BK;   // corner in B

    for (int i = threadIdx.y; i < BK; i += blockDim.y)
        tile[i][threadIdx.x] =
            k + i < K && n + threadIdx.x < N ? B[(k + i) * N + n + threadIdx.x] : 0;
    __syncthreads();

    // this thread splits four words of the tile: column i, rows j to j + 3
    int i = threadIdx.y * BK + threadIdx.x, j = i % (BK / 4) * 4;
    i /= BK / 4;
    float4 big, small;
    split(tile[j + 0][i], &big.x, &small.x);
    split(tile[j + 1][i], &big.y, &small.y);
    split(tile[j + 2][i], &big.z, &small.z);
    split(tile[j + 3][i], &big.w, &small.w);
    if (n + i < N) {
        size_t to = (size_t)(n + i) * pitch + k + j;
        *(float4 *)(B_big + to) = big;
        *(float4 *)(B_small + to) = small;
    }
}

__global__ void pad_rows(const float *A, float *padded, int K, int pitch)
{
    for (int k = threadIdx.x; k < pitch; k += blockDim.x)
        padded[(size_t)blockIdx.x * pitch + k] = k < K ? A[blockIdx.x * K + k] : 0;
}

// Rasterization: the tiles run down the columns of a group of GROUP rows of tiles, then the next
// group. Returns the row (x) and column (y) of C where a tile starts.
__device__ int2 tile_corner(int tile, int M, int N)
{
    int tile_rows = ceil_div(M, BM), tile_cols = ceil_div(N, BN);
    int group = tile / (GROUP * tile_cols) * GROUP, height = min(GROUP, tile_rows - group);
    int in_group = tile % (GROUP * tile_cols);

    return make_int2((group + in_group % height) * BM, in_group / height * BN);
}

__device__ void store_two(float *C, int m, int n, int M, int N, float x, float y)
{
    if (m >= M || n >= N)
        return;
    if (N % 2 == 0) {
        *(float2 *)(C + m * N + n) = make_float2(x, y);
    } else {
        C[m * N + n] = x;
        if (n + 1 < N)
            C[m * N + n + 1] = y;
    }
}

// The words of A that this thread holds for a wgmma (ptx_wgmma.h), split.
__device__ void split_fragments(const float *A, int word, float (&big)[BK / 8][4],
                                float (&small)[BK / 8][4])
{
    for (int i = 0; i < BK / 8; i++)
        for (int j = 0; j < 4; j++)
            split(A[(word ^ (8 * i + j / 2 * 4)) + j % 2 * 8 * BK], &big[i][j], &small[i][j]);
}

// part = A B of one step, or part += A B if `add`: the three products, small ones first.
__device__ void multiply_tiles(float (&part)[BN / 2], const float (&big)[BK / 8][4],
                               const float (&small)[BK / 8][4], const Pipeline::Tiles &t, bool add)
{
    wgmma_fence();
    for (int i = 0; i < BK / 8; i++)
        wgmma_tf32(part, small[i], wgmma_tile(t.B_big) + 2 * i, add || i);
    for (int i = 0; i < BK / 8; i++)
        wgmma_tf32(part, big[i], wgmma_tile(t.B_small) + 2 * i, true);
    for (int i = 0; i < BK / 8; i++)
        wgmma_tf32(part, big[i], wgmma_tile(t.B_big) + 2 * i, true);
    wgmma_wait(part);
}

__global__ __launch_bounds__(CONSUMERS + 128,
                             1) void multiply(const __grid_constant__ CUtensorMap A,
                                              const __grid_constant__ CUtensorMap B_big,
                                              const __grid_constant__ CUtensorMap B_small, float *C,
                                              int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Pipeline &pipeline = *(Pipeline *)memory;
    int tiles = ceil_div(M, BM) * ceil_div(N, BN);
    // counted across tiles: step % DEPTH is the buffer, step / DEPTH % 2 the phase of its mbarriers
    unsigned step = 0;

    if (threadIdx.x == 0) {
        for (int i = 0; i < DEPTH; i++) {
            mbarrier_init(&pipeline.full[i], 1);
            mbarrier_init(&pipeline.empty[i], CONSUMERS / 32);
        }
        fence_proxy_async();
    }
    __syncthreads();

    if (threadIdx.x >= CONSUMERS) {   // the producer warpgroup: one thread starts all copies
        give_registers<24>();
        if (threadIdx.x > CONSUMERS)
            return;
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            int2 at = tile_corner(tile, M, N);
            for (int k = 0; k < K; k += BK, step++) {
                Pipeline::Tiles &t = pipeline.tiles[step % DEPTH];
                uint64_t *full = &pipeline.full[step % DEPTH];
                mbarrier_wait(&pipeline.empty[step % DEPTH], (step / DEPTH + 1) % 2);
                mbarrier_arrive_expect(full, sizeof t);
                tma_load_2d(t.A, &A, k, at.x, full);
                tma_load_2d(t.B_big, &B_big, k, at.y, full);
                tma_load_2d(t.B_small, &B_small, k, at.y, full);
            }
        }
    } else {   // the consumer warpgroups
        take_registers<240>();
        int lane = threadIdx.x % 32;
        int row = threadIdx.x / 32 * 16 + lane / 4;   // in the block tile; row + 8 as well
        // the word of that row in column lane % 4; with the swizzle, column + 4 c is word ^ 4 c
        int word = row * BK + (row % 8 * 4 ^ lane % 4);

        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            float sum[BN / 2] = {}, part[BN / 2], big[BK / 8][4], small[BK / 8][4];
            for (int k = 0; k < K; k += BK, step++) {
                Pipeline::Tiles &t = pipeline.tiles[step % DEPTH];
                mbarrier_wait(&pipeline.full[step % DEPTH], step / DEPTH % 2);
                split_fragments(t.A, word, big, small);
                multiply_tiles(part, big, small, t, k % CHUNK);
                if (lane == 0)
                    mbarrier_arrive(&pipeline.empty[step % DEPTH]);
                if ((k + BK) % CHUNK == 0 || k + BK >= K)
                    for (int i = 0; i < BN / 2; i++)
                        sum[i] += part[i];
            }
            int2 at = tile_corner(tile, M, N);
            for (int i = 0; i < BN / 2; i += 4) {
                int n = at.y + i * 2 + lane % 4 * 2;
                store_two(C, at.x + row, n, M, N, sum[i], sum[i + 1]);
                store_two(C, at.x + row + 8, n, M, N, sum[i + 2], sum[i + 3]);
            }
        }
    }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int pitch = ceil_div(K, BK) * BK, tiles = ceil_div(M, BM) * ceil_div(N, BN);
    size_t B_size = (size_t)N * pitch, A_size = K < pitch ? (size_t)M * pitch : 0;
    float *B_big = (float *)scratch((2 * B_size + A_size) * sizeof(float)),
          *B_small = B_big + B_size, *padded = B_small + B_size;

    split_transposed<<<ceil_div(N, BK) * (pitch / BK), dim3(BK, BK / 4)>>>(B, B_big, B_small, N, K,
                                                                           pitch);
    if (K < pitch) {
        pad_rows<<<M, 256>>>(A, padded, K, pitch);
        A = padded;
    }
    CUtensorMap map_A = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, A, M, pitch, BM, BK,
                                       CU_TENSOR_MAP_SWIZZLE_128B);
    CUtensorMap map_big = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, B_big, N, pitch, BN, BK,
                                         CU_TENSOR_MAP_SWIZZLE_128B);
    CUtensorMap map_small = *tensor_map_2d(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, B_small, N, pitch, BN,
                                           BK, CU_TENSOR_MAP_SWIZZLE_128B);
    cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Pipeline));
    multiply<<<min(tiles, multiprocessors()), CONSUMERS + 128, sizeof(Pipeline)>>>(
        map_A, map_big, map_small, C, M, N, K);
}

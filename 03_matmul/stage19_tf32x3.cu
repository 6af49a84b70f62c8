// stage19: fp32 accuracy from tensor cores by three TF32 products (3xTF32)
//
// CUDA cores do 128 FMAs per SM and clock, tensor cores 1024 in TF32. TF32 keeps 11 of the 24
// significant bits. So a and b are split, x = big + small, both TF32. Three products are enough:
//   a b = small big + big small + big big   (small small is at most 2^-22 of a b, and is skipped)
// Tensor cores truncate sums, an error that grows with K: every CHUNK of K is added to fp32 sums.
//   producer thread    wait(empty[s]); TMA copies A, B_big, B_small to tiles[s], counted at full[s]
//   consumer warps     wait(full[s]); split A in registers; 3 x wgmma; arrive at empty[s]
// wgmma reads TF32 only with K along rows: a first kernel splits and transposes B. An infinite
// element becomes NaN: Inf - Inf. Look at: max_error; the SM clock, which falls at large sizes.
// From: stage18
// Needs: sm_90a
// Arithmetic: tf32x3
// make stage19 && ./stage19        make stage19 CHUNK=65536 && ./stage19 --check
// Expect (sm_90, 4096x4096x4096): rate >= 2.5 * ref_cublas.rate
// Expect (sm_90, 4096x4096x4096): max_error <= ref_cublas.max_error / 4
#include "tf32.h"

using stage10::position;

#ifndef CHUNK
#define CHUNK 32   // depth along K that tensor cores sum before it is added to the fp32 sums
#endif
#define BM 128    // block tile: rows and columns of C per block
#define BN 128    // as wide as one wgmma
#define BK 32     // depth of the tiles along K: 128 bytes, the width of the swizzle
#define DEPTH 4   // buffers in shared memory
// Rasterization: rows of tiles that the order of tiles keeps together, for L2 reuse (tf32.h).
#define SUPERTILE 16
// Threads: a warpgroup (4 warps) per 64 rows. One more warpgroup is the producer.
#define CONSUMERS (BM / 64 * 128)
static_assert(CHUNK >= BK && CHUNK % BK == 0, "CHUNK must be a multiple of 32");

struct Pipeline {
    struct Tiles {
        float A[BM * BK], B_big[BN * BK], B_small[BN * BK];
    } tiles[DEPTH];
    // Mbarriers (common/stage/ptx.h), one pair per buffer. full: its copies are complete. empty:
    // all consumer warps have read it.
    uint64_t full[DEPTH], empty[DEPTH];
};

// The nearest number whose last 13 bits are zero. A carry into the exponent is correct as well.
__device__ float round_to_tf32(float x)
{
    return __uint_as_float((__float_as_uint(x) + 0x1000) & 0xffffe000);
}

// x = big + small, and what is lost is at most 2^-22 of x.
__device__ void split(float x, float *big, float *small)
{
    *big = round_to_tf32(x);
    *small = round_to_tf32(x - *big);
}

// The words of A that this thread holds for the wgmmas of a step (ptx_wgmma.h), split. Wgmma i
// needs columns 8 i + lane % 4 (j = 0, 1) and 4 further (j = 2, 3), of this thread's row (j even)
// and of 8 rows further (j odd).
__device__ void split_fragments(const float *A, int word, float (&big)[BK / 8][4],
                                float (&small)[BK / 8][4])
{
    for (int i = 0; i < BK / 8; i++)
        for (int j = 0; j < 4; j++)
            split(A[(word ^ (8 * i + j / 2 * 4)) + j % 2 * 8 * BK], &big[i][j], &small[i][j]);
}

// part = A B of one step, or part += A B if `add`: the three products, small ones first. A wgmma
// multiplies 64 x 8 by 8 x 128; wgmma_descriptor(...) + 2 * i is where columns 8 i of the tile of B
// start.
__device__ void multiply_tiles(float (&part)[BN / 2], const float (&big)[BK / 8][4],
                               const float (&small)[BK / 8][4], const Pipeline::Tiles &t, bool add)
{
    wgmma_fence();
    for (int i = 0; i < BK / 8; i++)
        wgmma_tf32(part, small[i], wgmma_descriptor(t.B_big) + 2 * i, add || i);
    for (int i = 0; i < BK / 8; i++)
        wgmma_tf32(part, big[i], wgmma_descriptor(t.B_small) + 2 * i, true);
    for (int i = 0; i < BK / 8; i++)
        wgmma_tf32(part, big[i], wgmma_descriptor(t.B_big) + 2 * i, true);
    wgmma_wait(part);
}

// The producer thread: copies the tiles of each step into the next buffer, when it is empty. Tiles
// of C: blockIdx.x, blockIdx.x + gridDim.x, ... of `tiles` (a persistent block).
__device__ void copy_tiles(Pipeline &pipeline, const CUtensorMap *A, const CUtensorMap *B_big,
                           const CUtensorMap *B_small, int M, int N, int K, int tiles)
{
    // Counted across tiles: step % DEPTH is the buffer, step / DEPTH % 2 the phase of its
    // mbarriers.
    unsigned step = 0;

    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        position corner = tile_corner<BM, BN, SUPERTILE>(tile, M, N);
        for (int k = 0; k < K; k += BK, step++) {
            Pipeline::Tiles &t = pipeline.tiles[step % DEPTH];
            uint64_t *full = &pipeline.full[step % DEPTH];
            // the phase before: the first wait for each buffer returns at once
            mbarrier_wait(&pipeline.empty[step % DEPTH], (step / DEPTH + 1) % 2);
            mbarrier_arrive_expect_tx(full, sizeof t);
            tma_load_2d(t.A, A, k, corner.row, full);
            tma_load_2d(t.B_big, B_big, k, corner.col, full);
            tma_load_2d(t.B_small, B_small, k, corner.col, full);
        }
    }
}

// A consumer warp: computes 16 rows of the same tiles of C.
__device__ void compute_tiles(Pipeline &pipeline, float *C, int M, int N, int K, int tiles)
{
    unsigned step = 0;   // as in the producer
    int lane = threadIdx.x % 32;
    int row = threadIdx.x / 32 * 16 + lane / 4;   // in the block tile; row + 8 as well
    // The word of that row in column lane % 4. TMA swizzles: it stores columns 4 c to 4 c + 3
    // of row r at columns 4 (c ^ r % 8), so that reads have no bank conflicts. Column + 4 c is
    // therefore word ^ 4 c.
    int word = row * BK + (row % 8 * 4 ^ lane % 4);

    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        float sum[BN / 2] = {}, part[BN / 2], big[BK / 8][4], small[BK / 8][4];
        for (int k = 0; k < K; k += BK, step++) {
            Pipeline::Tiles &t = pipeline.tiles[step % DEPTH];
            mbarrier_wait(&pipeline.full[step % DEPTH], step / DEPTH % 2);
            split_fragments(t.A, word, big, small);
            multiply_tiles(part, big, small, t, k % CHUNK);   // each chunk starts at 0
            if (lane == 0)
                mbarrier_arrive(&pipeline.empty[step % DEPTH]);
            if ((k + BK) % CHUNK == 0 || k + BK >= K)
                for (int i = 0; i < BN / 2; i++)
                    sum[i] += part[i];
        }
        position corner = tile_corner<BM, BN, SUPERTILE>(tile, M, N);
        for (int i = 0; i < BN / 2; i += 4) {
            int n = corner.col + i * 2 + lane % 4 * 2;
            store2(C, corner.row + row, n, M, N, sum[i], sum[i + 1]);
            store2(C, corner.row + row + 8, n, M, N, sum[i + 2], sum[i + 3]);
        }
    }
}

__global__ void __launch_bounds__(CONSUMERS + 128, 1)
    multiply(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B_big,
             const __grid_constant__ CUtensorMap B_small, float *C, int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Pipeline &pipeline = *(Pipeline *)memory;
    int tiles = ceil_div(M, BM) * ceil_div(N, BN);

    if (threadIdx.x == 0) {
        for (int i = 0; i < DEPTH; i++) {
            mbarrier_init(&pipeline.full[i], 1);
            mbarrier_init(&pipeline.empty[i], CONSUMERS / 32);   // an arrival per consumer warp
        }
        fence_proxy_async();
    }
    __syncthreads();

    if (threadIdx.x >= CONSUMERS) {   // the producer warpgroup, of which one thread works
        setmaxnreg_dec<24>();         // gives registers back; setmaxnreg_inc takes them
        if (threadIdx.x == CONSUMERS)
            copy_tiles(pipeline, &A, &B_big, &B_small, M, N, K, tiles);
    } else {   // the consumer warpgroups
        setmaxnreg_inc<240>();
        compute_tiles(pipeline, C, M, N, K, tiles);
    }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int pitch = ceil_div(K, BK) * BK, tiles = ceil_div(M, BM) * ceil_div(N, BN);
    size_t B_size = (size_t)N * pitch, A_size = K < pitch ? (size_t)M * pitch : 0;
    float *B_big = (float *)scratch((2 * B_size + A_size) * sizeof(float)),
          *B_small = B_big + B_size, *padded = B_small + B_size;

    split_transposed<BK>
        <<<ceil_div(N, BK) * (pitch / BK), dim3(BK, BK / 4)>>>(B, B_big, B_small, N, K, pitch);
    if (K < pitch) {   // the TMA needs 16-byte aligned rows: as long as those of B, zero beyond K
        pad_rows<256><<<M, 256>>>(A, padded, K, pitch);
        A = padded;
    }
    CUtensorMap map_A = matrix_map(A, M, pitch, BM, BK);
    CUtensorMap map_big = matrix_map(B_big, N, pitch, BN, BK);
    CUtensorMap map_small = matrix_map(B_small, N, pitch, BN, BK);
    cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Pipeline));
    multiply<<<min(tiles, multiprocessors()), CONSUMERS + 128, sizeof(Pipeline)>>>(
        map_A, map_big, map_small, C, M, N, K);
}

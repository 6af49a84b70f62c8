// stage36: three TF32 products for every shape: padded copies, and stream-K per warp
//
// Stage 32 refuses rows that are not multiples of 16 bytes, because the TMA cannot copy from them.
// Its tiles run in whole waves: 2049 x 2049 has 289 tiles of 128 x 128, and 132 SMs take as long as
// for 396. Here A and B are first copied to rows of whole 16 bytes, where needed (stage 35). The
// steps of the last wave are divided evenly among all SMs (stage 23): it gains 14 % at 2049, and
// loses 4 % at 2048 (DIVIDE=0: without). Each warp counts the parts of its own rows of a tile:
//   tile    warp 0: rows 0 to 15     parts: worker 5, worker 6    the last one adds both
//           warp 1: rows 16 to 31    parts: worker 5, worker 6    the last one adds both ...
// Look at: atomics, one per warp.   make stage36 && ./stage36 -n 127x127x516    make diff A=32 B=36
// From: stage32
// Needs: sm_90a
// Arithmetic: tf32x3
// Expect (cpu, 127x127x516): atomic_requests == 16
// Expect (H200, 2049): rate >= 1.1 * stage36[DIVIDE=0].rate
// Expect (H200, 2049): rate >= 2 * ref_cublas.rate
#include "chunks.h"
#include "copy_rows.h"

#ifndef DIVIDE
#define DIVIDE 1   // 0: a block per tile: whole waves
#endif

using stage10::store_partial_tile, stage16::tile_corner, stage23::add_parts;
using stage23::first_step, stage30::split_b, stage31::copy_tiles, stage32::BM, stage32::BN;
using stage32::CONSUMERS, stage32::multiply_tile, stage32::Pipeline;

__device__ int finished[stage10::MAX_TILES][CONSUMERS / 32];   // per warp; 0 between calls

// As in stage 23, for the rows of a warp: no barrier of the block, for which the producer would
// have to wait too.
__device__ bool fix_up(float (&sum)[1][BN / 2], float *partial, schedule s, int tile, int first,
                       int count)
{
    int last = 0, *parts = &finished[tile - s.full][threadIdx.x / 32];   // steps that are done

    store_partial_tile<CONSUMERS>(partial, 2 * (blockIdx.x - s.full) + (first == 0), sum);
    __syncwarp();
    if (threadIdx.x % 32 == 0) {
        __threadfence();   // the part is visible before it is counted
        last = atomicAdd(parts, count) == s.steps - count;
        __threadfence();   // no part is read before it was counted
        if (last)
            *parts = 0;
    }
    last = __any_sync(~0u, last);
    __syncwarp();
    if (last)
        add_parts<CONSUMERS>(sum, partial, s, tile);
    return last;
}

// As store_sums(), for rows of any length.
__device__ void store_words(float *C, int row, int col, int M, int N, const float (&sum)[BN / 2])
{
    row += threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4, col += threadIdx.x % 4 * 2;
    for (int i = 0; i < BN / 2; i++)
        if (int m = row + i / 2 % 2 * 8, n = col + i / 4 * 8 + i % 2; m < M && n < N)
            C[(size_t)m * N + n] = sum[i];
}

// A step of the schedule is a chunk of two steps of the pipeline.
__global__ void __launch_bounds__(CONSUMERS + 128, 1)
    multiply(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B_hi,
             const __grid_constant__ CUtensorMap B_lo, float *C, int M, int N, schedule s,
             float *partial)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Pipeline ring = { *(Pipeline::Buffers *)memory };
    int next = first_step(s, blockIdx.x), end = first_step(s, blockIdx.x + 1);   // its share

    if (threadIdx.x == 0)
        init_ring(ring, CONSUMERS / 32);
    __syncthreads();   // the mbarriers must be initialized before any thread waits on them
    if (threadIdx.x >= CONSUMERS) {
        setmaxnreg_dec<24>();          // to the consumers
        if (threadIdx.x > CONSUMERS)   // the producer: one thread starts all copies
            return;
        for (int step = 2 * next; step < 2 * end; step++, ring.advance()) {
            auto [row, col] = tile_corner<BM, BN, 16>(step / (2 * s.steps), M, N);
            copy_tiles(ring, &A, &B_hi, &B_lo, row, col, step % (2 * s.steps) * BK);
        }
        return;
    }
    setmaxnreg_inc<240>();
    for (int count; next < end; next += count) {
        int tile = next / s.steps, first = next % s.steps;
        count = min(s.steps - first, end - next);
        auto [row, col] = tile_corner<BM, BN, 16>(tile, M, N);
        float sum[1][BN / 2] = {};

        multiply_tile(sum[0], ring, 2 * count);
        if (count == s.steps || fix_up(sum, partial, s, tile, first, count))
            store_words(C, row, col, M, N, sum[0]);
    }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int depth = ceil_div(K, 4) * 4, cols = ceil_div(N, 4) * 4, pitch = ceil_div(K, 32) * 32;
    int tiles = ceil_div(M, BM) * ceil_div(N, BN), bytes = sizeof(Pipeline::Buffers);
    schedule s = divide(tiles, ceil_div(K, 2 * BK), DIVIDE ? K : 0, multiprocessors());
    size_t n = (size_t)cols * pitch;   // words of hi, and of lo
    auto *hi = (float *)scratch(8 * n + 4l * M * depth + 4l * K * cols + 8l * s.workers * BM * BN);
    float *lo = hi + n, *a = lo + n, *b = a + (size_t)M * depth;

    if (K % 4)
        copy_rows<<<M, 256>>>(A, a, K, depth);
    if (N % 4)
        copy_rows<<<K, 256>>>(B, b, N, cols);
    split_b<<<ceil_div(cols, 128) * (pitch / 32), 256>>>(N % 4 ? b : B, hi, lo, cols, K, pitch);
    if (allow_shared(multiply, bytes))
        multiply<<<s.full + s.workers, CONSUMERS + 128, bytes>>>(
            matrix_map(K % 4 ? a : A, M, depth, BM), matrix_map(hi, cols, pitch, BN),
            matrix_map(lo, cols, pitch, BN), C, M, N, s, b + (size_t)K * cols);
}

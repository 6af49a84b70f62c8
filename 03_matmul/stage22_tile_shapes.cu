// stage22: tile shapes: smaller tiles for a small C
//
// At 1024, C has 32 tiles of 128 x 256: 100 of 132 SMs are idle. Here the kernel is a template, and
// the size of C chooses between two shapes.
//   C        block tile    thread tile    threads    blocks per SM    float4 loads per 128 FMAs
//   large    128 x 256     16 x 8         256        1                6
//   small     64 x 128      8 x 8         128        3 or more        8
// Smaller tiles load more words per multiply-add, from global and from shared memory. They pay only
// if large tiles occupy fewer than half of the SMs. Tiles are numbered row by row, because stage 23
// divides them by number: a block computes the tile with its number.
// Look at: the rate at 1024. At 4096 it is 0.98 of that of stage 21: one block index, other code.
// make stage22 && ./stage22 -n 1000        make diff A=21 B=22        make stage22 SHAPE=1
// Expect (cpu, 64x64x2000): shared_requests <= 0.5 * stage21.shared_requests
// Expect (sm_90, 1024): rate >= 2.5 * stage21.rate
#include "pipeline.h"

using stage19::Copies, stage20::multiply_tile, stage21::multiply_snake, stage21::store_words;

#ifndef SHAPE
#define SHAPE 0   // 0: the size of C decides; 1: always large tiles; 2: always small ones
#endif
constexpr int BK = 8;   // depth of the tiles along K

// The first element of a tile of C. Tiles are numbered row by row.
template <int BM, int BN> __device__ position tile_corner(int tile, int N)
{
    int tile_cols = ceil_div(N, BN);

    return { tile / tile_cols * BM, tile % tile_cols * BN };
}

// Whether tiles of 128 x 256 occupy half of the SMs. Not for a C of at most 64 rows or columns, of
// which they would waste half or more.
inline bool large_tiles(int M, int N)
{
    return min(M, N) > 64 && 2LL * ceil_div(M, 128) * ceil_div(N, 256) >= multiprocessors();
}

// Block tile BM x BN, thread tile TM x TN, BLOCKS per SM. VEC: words per copy of B.
template <int BM, int BN, int TM, int TN, int BLOCKS, int VEC, int THREADS = (BM / TM) * (BN / TN)>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ Tiles<BM, BN, BK> smem[DEPTH];
    position thread = thread_position<BN, TM, TN>();
    position block = tile_corner<BM, BN>(blockIdx.x, N);   // in C
    int steps = ceil_div(K, BK);
    alignas(16) float sum[TM][TN] = {};

    Copies<VEC, THREADS, BM, BN, BK> copies = { A, B, N };
    copies.prepare(M, K, block, K - steps * BK);
    multiply_tile(sum, smem, thread, copies, steps, multiply_snake<TM, TN>);
    store_words(C, block.row + thread.row, block.col + thread.col, M, N, sum);
}

// Computes C in tiles of BM x BN, BLOCKS per SM at once.
template <int BM, int BN, int TM, int TN, int BLOCKS, int THREADS = (BM / TM) * (BN / TN)>
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<BM, BN, TM, TN, BLOCKS, 1> : multiply<BM, BN, TM, TN, BLOCKS, 4>;

    kernel<<<ceil_div(M, BM) * ceil_div(N, BN), THREADS>>>(A, B, C, M, N, K);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (SHAPE ? SHAPE == 1 : large_tiles(M, N))
        launch<128, 256, 16, 8, 1>(A, B, C, M, N, K);
    else
        launch<64, 128, 8, 8, 3>(A, B, C, M, N, K);
}

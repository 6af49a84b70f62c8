// stage16: tile shapes: smaller tiles for a small C
//
// At 1024, C has 32 tiles of 128 x 256: 100 of 132 SMs are idle. Here the kernel is a template, and
// the size of C chooses between two shapes.
//   C        block tile    thread tile    threads    blocks per SM    float4 loads per 128 FMAs
//   large    128 x 256     16 x 8         256        1                6
//   small     64 x 128      8 x 8         128        3 or more        8
// Smaller tiles load more words per multiply-add, from global and from shared memory. They pay only
// if large tiles occupy fewer than half of the SMs. Blocks take tiles in an order that reuses more
// of L2; make stage16 GROUP=1 takes them row by row (NOTES.md).
// Look at: ./stage16 --shmoo, the rate at 1024.
// From: stage14
// make stage16 && ./stage16 -n 1000        make diff A=14 B=16
// Expect (cpu, 64x64x2000): shared_requests <= 0.5 * stage14.shared_requests
// Expect (sm_90, 1024): rate >= 2.5 * stage14.rate
#include "pipeline.h"

using stage10::DEPTH, stage10::position, stage10::Tiles, stage12::multiply_tile;
using stage13::multiply_fragments, stage13::store_tile, stage13::thread_position;
using stage14::allow_shared;

constexpr int BK = 16;   // depth of the tiles along K
#ifndef GROUP
#define GROUP 8   // rows of tiles per supertile
#endif
static_assert(GROUP >= 1, "GROUP must be 1 or more");

// The first element of a tile of C. The tiles run down the columns of a supertile of HEIGHT rows of
// tiles, then of the next supertile, whose first row of tiles is `top` (rasterization).
template <int BM, int BN, int HEIGHT> __device__ position tile_corner(int tile, int M, int N)
{
    int tile_rows = ceil_div(M, BM), tile_cols = ceil_div(N, BN);
    int top = tile / (HEIGHT * tile_cols) * HEIGHT, height = min(HEIGHT, tile_rows - top);
    int in_supertile = tile % (HEIGHT * tile_cols);

    return { (top + in_supertile % height) * BM, in_supertile / height * BN };
}

// Whether tiles of 128 x 256 occupy half of the SMs or more.
inline bool large_tiles(int M, int N)
{
    return min(M, N) > 64 && 2LL * ceil_div(M, 128) * ceil_div(N, 256) >= multiprocessors();
}

// Block tile BM x BN, thread tile TM x TN, BLOCKS per SM. VEC: words per copy of B.
template <int BM, int BN, int TM, int TN, int BLOCKS, int VEC>
__global__ __launch_bounds__(BM / TM * (BN / TN), BLOCKS) void multiply(const float *A,
                                                                        const float *B, float *C,
                                                                        int M, int N, int K)
{
    extern __shared__ float4 memory[];
    Tiles<BM, BN, BK> *smem = (Tiles<BM, BN, BK> *)memory;   // DEPTH of them
    position thread = thread_position<BN, TM, TN>();
    position block = tile_corner<BM, BN, GROUP>(blockIdx.x, M, N);   // in C
    int steps = ceil_div(K, BK);
    alignas(16) float sum[TM][TN] = {};

    multiply_tile<VEC>(sum, smem, thread, A, B, M, N, K, block, K - steps * BK, steps,
                       multiply_fragments<TM, TN>);
    store_tile(C, block.row + thread.row, block.col + thread.col, M, N, sum);
}

// Computes C in tiles of BM x BN, BLOCKS per SM at once.
template <int BM, int BN, int TM, int TN, int BLOCKS>
void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<BM, BN, TM, TN, BLOCKS, 1> : multiply<BM, BN, TM, TN, BLOCKS, 4>;
    int tiles = ceil_div(M, BM) * ceil_div(N, BN), bytes = DEPTH * sizeof(Tiles<BM, BN, BK>);

    if (allow_shared(kernel, bytes))
        kernel<<<tiles, BM / TM *(BN / TN), bytes>>>(A, B, C, M, N, K);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (large_tiles(M, N))
        launch<128, 256, 16, 8, 1>(A, B, C, M, N, K);
    else
        launch<64, 128, 8, 8, 3>(A, B, C, M, N, K);
}

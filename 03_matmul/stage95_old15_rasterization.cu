// stage15: rasterization: a tile order for reuse in L2
//
// On an H200, 132 blocks run at once, one per SM. In stage 13 they compute tiles row by row: at
// 16384 (64 tiles per row) they load 3 rows of tiles of A and all 64 columns of tiles of B. Here
// they run down the columns of a supertile, GROUP = 8 rows of tiles high: they load 8 rows of A and
// 17 columns of B, a third of the words per k. Other blocks load the same words again, from L2.
//   block of each tile:   stage 13     0  1  2  3  4  5      stage 15,     0  2  4  6  8 10
//                                      6  7  8  9 10 11      GROUP = 2     1  3  5  7  9 11
// The parts of stage 13 are in pipeline.h. The tiles are in dynamic shared memory.
// Look at: the rate. At 2048 all 128 tiles run at once in any order. A gain there is one of the
// machine code, not of L2. Only what 16384 gains beyond it is due to the order.
// From: stage13
// make stage15 && ./stage15 -n 512        make diff A=13 B=15
// Expect (cpu, 256x256x64): ld_sectors == stage13.ld_sectors
// Expect (sm_90, 2048): rate >= 1.01 * stage13.rate
// Expect (sm_90, 16384): rate >= 1.02 * stage13.rate
#include "old_pipeline.h"

#define BM 128   // block tile: rows and columns of C per block
#define BN 256
#define TM 16   // thread tile: rows and columns of C per thread
#define TN 8

// The tiles run down the columns of a supertile of GROUP rows of tiles, then of the next supertile,
// which starts at row `group` of tiles. Returns the row (x) and column (y) of C where a tile
// starts.
__device__ int2 tile_corner(int tile, int M, int N)
{
    int tile_rows = ceil_div(M, BM), tile_cols = ceil_div(N, BN);
    int group = tile / (GROUP * tile_cols) * GROUP, height = min(GROUP, tile_rows - group);
    int in_group = tile % (GROUP * tile_cols);

    return make_int2((group + in_group % height) * BM, in_group / height * BN);
}

template <int VEC>   // words per copy of B: 4 if its rows are 16-byte aligned
__global__ __launch_bounds__(THREADS, 1) void multiply(const float *A, const float *B, float *C,
                                                       int M, int N, int K)
{
    extern __shared__ Tiles<BM, BN> smem[];   // DEPTH of them
    int2 thread = thread_position<BN, TM, TN>(), corner = tile_corner(blockIdx.x, M, N);
    alignas(16) float sum[TM][TN] = {};

    multiply_tile<VEC>(sum, smem, thread, A, B, M, N, K, corner, 0, ceil_div(K, BK));
    store_tile(C, corner.x + thread.x, corner.y + thread.y, M, N, sum);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int tiles = ceil_div(M, BM) * ceil_div(N, BN), bytes = DEPTH * sizeof(Tiles<BM, BN>);
    auto kernel = N % 4 ? multiply<1> : multiply<4>;

    if (allow_shared(kernel, bytes))
        kernel<<<tiles, THREADS, bytes>>>(A, B, C, M, N, K);
}

// stage15: rasterization: a tile order for reuse in L2
//
// The blocks of stage 13 that run at once compute one row of tiles after the other: each loads
// another part of B, and all of B passes through L2 for two rows of tiles or fewer. Here blocks in
// order run down the columns of a supertile, GROUP rows of tiles high: they load fewer tiles of A
// and B, and load them again while L2 still has them.
//
//   stage 13     0  1  2  3  4  5      stage 15,     0  2  4  6  8 10
//                6  7  8  9 10 11      GROUP = 2     1  3  5  7  9 11
//
// The parts of stage 13 are in pipeline.h; the tiles are in dynamic shared memory.
// Look at: the rate at 16384. At 4096 L2 holds enough in any order.
// From: stage13
// make stage15 && ./stage15 -n 512        make diff A=13 B=15
// Expect (cpu, 256x256x64): ld_sectors == stage13.ld_sectors
// Expect (sm_90, 16384): rate >= 1.0 * stage13.rate
#include "pipeline.h"

#define BM 128   // block tile: rows and columns of C per block
#define BN 256
#define TM 16   // thread tile: rows and columns of C per thread
#define TN 8

// The tiles run down the columns of a group of GROUP rows of tiles, then the next group. Returns
// the row (x) and column (y) of C where a tile starts.
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
    store_tile<LANE_ROWS, LANE_COLS>(C, corner.x + thread.x, corner.y + thread.y, M, N, sum);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int tiles = ceil_div(M, BM) * ceil_div(N, BN), bytes = DEPTH * sizeof(Tiles<BM, BN>);
    auto kernel = N % 4 ? multiply<1> : multiply<4>;

    if (allow_shared(kernel, bytes))
        kernel<<<tiles, THREADS, bytes>>>(A, B, C, M, N, K);
}

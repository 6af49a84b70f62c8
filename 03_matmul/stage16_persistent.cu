// stage16: the order of tiles: persistent blocks compute them in groups of rows
//
// A block of stage 15 starts with an empty ring and ends with stores, and its SM has no other
// block. Here one block per SM computes tile after tile. The ring runs on from tile to tile.
// Tiles that run at once share rows and columns if they are near each other: they run down GROUP
// rows of tiles, then the next column (grouped tile order). L2 then serves most copies.
//   stage 15    0  1  2  3 ...  31          stage 16, GROUP=16    0 16 32 48 ...
//              32 33 34 35 ...  63                                1 17 33 49 ...
// The gain is 2 % at 4096, 2 to 7 % at 8192. It is that of the order: persistent blocks alone
// (GROUP=1) gain nothing. The following stages keep them.
// Look at: the grid.        make stage16 && ./stage16 -n 8192        make diff A=15 B=16
// Needs: sm_90a
// Type: bf16
// Expect (cpu, 512x512x256, bf16): barriers == stage15.barriers / 4
// Expect (sm_90, 8192, bf16): stage16[GROUP=1].rate <= 0.98 * rate
#include "bf16.h"

using stage13::store_sums, stage13::Tiles, stage14::copy_tiles, stage14::Ring;
using stage15::multiply_tiles;

#ifndef GROUP
#define GROUP 16   // rasterization: rows of tiles per group, for L2 reuse
#endif
constexpr int BM = 128, BN = 256, BK = 64, DEPTH = 4;
constexpr int CONSUMERS =
    BM / 64 * 128;   // threads: a warpgroup per 64 rows; the producer's follows

struct position {
    int row, col;
};

// The first element of a tile of C. The tiles run down the columns of a group of HEIGHT rows of
// tiles, then of the next group, whose first row of tiles is `top` (rasterization).
template <int BM, int BN, int HEIGHT> __device__ position tile_corner(int tile, int M, int N)
{
    int tile_rows = ceil_div(M, BM), tile_cols = ceil_div(N, BN);
    int top = tile / (HEIGHT * tile_cols) * HEIGHT, height = min(HEIGHT, tile_rows - top);
    int in_group = tile % (HEIGHT * tile_cols);

    return { (top + in_group % height) * BM, in_group / height * BN };
}

// sum = the product of `steps` steps for 64 rows of a tile of C, from row `row` of the tile on.
template <class Ring, int COUNT>
__device__ void multiply_steps(float (&sum)[COUNT], Ring &ring, int row, int steps)
{
    for (int step = 0; step < steps; step++, ring.advance()) {
        multiply_tiles(sum, ring.wait(), row, step > 0);   // the first overwrites
        wgmma_wait_groups<0>(sum);
        ring.release();
    }
}

using Pipeline = Ring<Tiles<BM, BN, BK>, DEPTH>;

__global__ void __launch_bounds__(CONSUMERS + 128, 1)
    multiply(const __grid_constant__ CUtensorMap A, const __grid_constant__ CUtensorMap B, bf16 *C,
             int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char memory[];
    Pipeline ring = { *(Pipeline::Buffers *)memory };
    int tiles = ceil_div(M, BM) * ceil_div(N, BN);

    if (threadIdx.x == 0)
        init_ring(ring, CONSUMERS / 128);
    __syncthreads();   // the mbarriers must be initialized before any thread waits on them
    if (threadIdx.x >= CONSUMERS) {
        setmaxnreg_dec<24>();           // to the consumers
        if (threadIdx.x == CONSUMERS)   // the producer: one thread starts all copies
            for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
                auto [row, col] = tile_corner<BM, BN, GROUP>(tile, M, N);
                for (int k = 0; k < K; k += BK, ring.advance())
                    copy_tiles(ring, &A, &B, row, col, k);
            }
    } else {   // the consumers
        setmaxnreg_inc<240>();
        int group_row = threadIdx.x / 128 * 64;   // of this warpgroup in the tile
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            auto [row, col] = tile_corner<BM, BN, GROUP>(tile, M, N);
            float sum[BN / 2];
            multiply_steps(sum, ring, group_row, ceil_div(K, BK));
            store_sums(C, row + group_row, col, M, N, sum);
        }
    }
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    int tiles = ceil_div(M, BM) * ceil_div(N, BN);

    if (allow_shared(multiply, sizeof(Pipeline::Buffers)))
        multiply<<<min(tiles, multiprocessors()), CONSUMERS + 128, sizeof(Pipeline::Buffers)>>>(
            matrix_map(A, M, K, BM), matrix_map(B, K, N, BK), C, M, N, K);
}

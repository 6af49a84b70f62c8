// stage10: split-K: several blocks per tile, each with a part of the sum
//
// 1024 x 1024 has 64 tiles of 128 x 128 for 132 SMs, and two blocks fit on each. Here `parts`
// blocks compute each tile, a part of K each: blockIdx.z, as many as run at once.
//   without     tile 0: |------------------ K ------------------|
//   split-K     tile 0: |--- part 0 ---|--- part 1 ---|--- ... ---|    1024: 4 parts, 256 blocks
// Each block stores its sums to global memory and adds 1 to a counter of the tile. The block that
// completes the counter adds all parts (the last-block pattern of week 2), in order, so that every
// run gives the same bits. The price: 4 bytes per sum and part are stored and loaded once more.
// A C with more tiles than SMs gets one part, 2 % slower than in stage 9. Why is open: the
// bounds of a part need registers, and nvcc spills eight (make regs).
// Look at: ./stage10 --shmoo. On the CPU device, 2 SMs x 2 blocks compute one tile in 4 parts.
// This page is long because it shows how parts are stored, counted and added.
// make stage10 && ./stage10 -n 1024        make diff A=9 B=10
// Expect (cpu, 64x64x2000): atomic_requests == 4
// Expect (sm_90, 1024): rate >= 1.9 * stage9.rate
#include "last_part.h"
#include "multiply_tile.h"

using stage7::store4, stage9::multiply_tile, stage9::thread_col, stage9::thread_row;

// block tile: rows and columns of C per block; thread tile: rows and columns
constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;
constexpr int LANE_ROWS = 8, LANE_COLS = 4, THREADS = 256;
constexpr int BLOCKS = 2;         // blocks per SM
constexpr int MAX_PARTS = 8;      // parts per tile, at most
constexpr int MIN_DEPTH = 128;    // depth of a part along K, at least
constexpr int MAX_TILES = 1024;   // tiles that can be divided

__device__ int finished[MAX_TILES];   // parts done per tile; 0 between calls

// Stores the sums of a part of a tile to slot `slot` of `partial`. A slot has a word per sum and
// thread. Adjacent threads store adjacent words (coalesced).
template <int THREADS, int TM, int TN>
__device__ void store_partial_tile(float *partial, int slot, float (&sum)[TM][TN])
{
    float *part = partial + (size_t)slot * (TM * TN * THREADS) + threadIdx.x;
    for (int i = 0; i < TM * TN; i++)
        part[i * THREADS] = sum[i / TN][i % TN];
}

// Adds the part in slot `slot` to the sums.
template <int THREADS, int TM, int TN>
__device__ void add_partial_tile(float (&sum)[TM][TN], const float *partial, int slot)
{
    const float *part = partial + (size_t)slot * (TM * TN * THREADS) + threadIdx.x;
    for (int i = 0; i < TM * TN; i++)
        sum[i / TN][i % TN] += part[i * THREADS];
}

// Block (x, y, z) computes part z of tile (x, y): k = z * depth and the following.
template <int VEC>   // words per copy of B: 4 if its rows are 16-byte aligned
__global__ void MAX_REGISTERS(128) multiply(const float *A, const float *B, float *C, int M, int N,
                                            int K, int depth, float *partial)
{
    int row = blockIdx.y * BM, col = blockIdx.x * BN;   // in C
    int tile = blockIdx.y * gridDim.x + blockIdx.x, parts = gridDim.z, first = blockIdx.z * depth;
    alignas(16) float sum[TM][TN] = {};

    multiply_tile<VEC>(sum, A, B, M, N, K, row, col, first, min(first + depth, K));
    if (parts > 1) {
        store_partial_tile<THREADS>(partial, tile * parts + blockIdx.z, sum);
        if (!is_last_part(&finished[tile], 1, parts))
            return;
        for (int i = 0; i < TM * TN; i++)
            sum[i / TN][i % TN] = 0;
        for (int part = 0; part < parts; part++)
            add_partial_tile<THREADS>(sum, partial, tile * parts + part);
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4)
            store4<VEC == 4>(C, row + thread_row() + 4 * LANE_ROWS * (i / 4) + i % 4,
                             col + thread_col() + LANE_COLS * j, M, N, &sum[i][j]);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<1> : multiply<4>;
    int rows = ceil_div(M, BM), cols = ceil_div(N, BN);
    int resident = min(BLOCKS * multiprocessors(), MAX_TILES);   // blocks that run at once
    // as many parts as blocks run at once; at most MAX_PARTS, each at least MIN_DEPTH deep
    int parts = max(min(min(MAX_PARTS, resident / (rows * cols)), K / MIN_DEPTH), 1);
    int depth = ceil_div(ceil_div(K, parts), BK) * BK;   // a multiple of BK
    dim3 grid(cols, rows, ceil_div(K, depth));
    size_t words = grid.z > 1 ? (size_t)rows * cols * grid.z * BM * BN : 0;

    kernel<<<grid, THREADS>>>(A, B, C, M, N, K, depth, (float *)scratch(4 * words));
}

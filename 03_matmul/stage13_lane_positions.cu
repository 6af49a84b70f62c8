// stage13: lane positions
#include "pipeline.h"

using stage10::DEPTH, stage10::LANE_COLS, stage10::LANE_ROWS, stage10::position,
    stage10::store_tile, stage10::Tiles, stage12::multiply_tile;

// block tile: rows and columns of C per block, and depth along K; thread tile: rows and columns
constexpr int BM = 128, BN = 256, BK = 8, TM = 16, TN = 8;
constexpr int THREADS = BM / TM * (BN / TN);

// Where in the block tile this thread's first group of 4 x 4 starts.
template <int BN, int TM, int TN> __device__ position thread_position()
{
    const int WM = LANE_ROWS * TM, WN = LANE_COLS * TN;   // warp tile
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // lanes n and n ^ 1, n and n ^ 2 differ in row and in column
    int lane_row = lane % LANE_ROWS, lane_col = lane / LANE_ROWS ^ lane_row;

    return { warp / (BN / WN) * WM + lane_row * 4, warp % (BN / WN) * WN + lane_col * 4 };
}

template <int VEC>   // words per copy of B: 4 if its rows are 16-byte aligned
__global__ __launch_bounds__(THREADS, 1) void multiply(const float *A, const float *B, float *C,
                                                       int M, int N, int K)
{
    __shared__ Tiles<BM, BN, BK> smem[DEPTH];
    position thread = thread_position<BN, TM, TN>();
    position block = { (int)blockIdx.y * BM, (int)blockIdx.x * BN };   // in C
    int steps = ceil_div(K, BK);
    alignas(16) float sum[TM][TN] = {};

    multiply_tile<VEC>(sum, smem, thread, A, B, M, N, K, block, K - steps * BK, steps);
    store_tile<VEC == 4>(C, block.row + thread.row, block.col + thread.col, M, N, sum);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<1> : multiply<4>;

    kernel<<<dim3(ceil_div(N, BN), ceil_div(M, BM)), THREADS>>>(A, B, C, M, N, K);
}

// stage7: warp tiling without bank conflicts
//
// In stage 6, adjacent lanes read float4 of B that are 32 bytes apart. The hardware serves a float4
// read 8 lanes at a time, and these 8 lanes use only half of the banks: 2-way bank conflicts. Here
// a warp computes a 64 x 32 warp tile with 8 x 4 lanes, and adjacent lanes read adjacent float4.
// The 8 rows and 8 columns of a lane are groups of 4:
//   warp tile     cols 0-3  4-7   8-11  12-15  16-19 20-23 24-27 28-31
//     rows 0-3     lane 0    1     2     3       0     1     2     3
//     rows 4-7          4    5     6     7       4     5     6     7
//     ...  rows 32-35 start again with lane 0: a lane computes 2 x 2 groups of 4 x 4
// Adjacent lanes also have adjacent words of C: a float4 store of the warp fills whole sectors.
// Look at: wavefronts, and the sectors of stores.
// make stage7 && ./stage7        make diff A=6 B=7
// Expect (cpu, 256x256x64): shared_wavefronts <= 0.62 * stage6.shared_wavefronts
// Expect (cpu, 256x256x64): st_sectors == stage6.st_sectors / 8
// Expect (sm_90, 4096): rate >= 1.04 * stage6.rate
#include "copies.h"

using stage6::load4;

// block tile: rows and columns of C per block, and depth along K; thread tile: rows and columns;
// the lanes of a warp form 8 rows of 4
constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8, LANE_ROWS = 8, LANE_COLS = 4;
// warp tile
constexpr int WM = LANE_ROWS * TM, WN = LANE_COLS * TN, THREADS = BM / WM * (BN / WN) * 32;

// Stores the four floats at v to a rows x cols matrix, from [row][col] on. Outside the matrix, it
// does nothing.
template <bool aligned>
__device__ void store4(float *to, int row, int col, int rows, int cols, const float *v)
{
    float *p = to + (size_t)row * cols + col;
    int n = row < rows ? cols - col : 0;

    if (aligned && n > 0)
        *(float4 *)p = *(const float4 *)v;
    for (int i = 0; i < 4 && !aligned; i++)
        if (i < n)
            p[i] = v[i];
}

template <bool aligned>              // rows of A and B are 16-byte aligned
__global__ void MAX_REGISTERS(128)   // 2 blocks of 256 threads per SM
    multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ alignas(16) float tile_a[BK][BM + 4];   // transposed
    __shared__ alignas(16) float tile_b[BK][BN];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // in the block tile: the corner of the warp tile, then the lane's first group of 4 x 4 in it
    int thread_col = warp % (BN / WN) * WN + lane % LANE_COLS * 4;
    int thread_row = warp / (BN / WN) * WM + lane / LANE_COLS * 4;
    int row = blockIdx.y * BM, col = blockIdx.x * BN;   // in C

    alignas(16) float sum[TM][TN] = {}, frag_a[TM], frag_b[TN];
    for (int k0 = 0; k0 < K; k0 += BK) {
        // adjacent threads load adjacent float4 of a row of A or B
        for (int i = threadIdx.x; i < BM * BK / 4; i += THREADS) {
            int m = i / (BK / 4), k = i % (BK / 4) * 4;
            float4 v = load4<aligned>(A, row + m, k0 + k, M, K);
            tile_a[k + 0][m] = v.x;
            tile_a[k + 1][m] = v.y;
            tile_a[k + 2][m] = v.z;
            tile_a[k + 3][m] = v.w;
        }
        for (int i = threadIdx.x; i < BK * BN / 4; i += THREADS) {
            int k = i / (BN / 4), n = i % (BN / 4) * 4;
            *(float4 *)&tile_b[k][n] = load4<aligned>(B, k0 + k, col + n, K, N);
        }
        __syncthreads();
        for (int k = 0; k < BK; k++) {
            // the next group is 4 * LANE_ROWS rows further, so group i / 4 is LANE_ROWS * i further
            for (int i = 0; i < TM; i += 4)
                *(float4 *)&frag_a[i] = *(float4 *)&tile_a[k][thread_row + LANE_ROWS * i];
            for (int j = 0; j < TN; j += 4)
                *(float4 *)&frag_b[j] = *(float4 *)&tile_b[k][thread_col + LANE_COLS * j];
            for (int i = 0; i < TM; i++)
                for (int j = 0; j < TN; j++)
                    sum[i][j] += frag_a[i] * frag_b[j];
        }
        __syncthreads();
    }
    // row i of the thread tile is row i % 4 of group i / 4; groups are 4 * LANE_ROWS rows apart
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j += 4)
            store4<aligned>(C, row + thread_row + 4 * LANE_ROWS * (i / 4) + i % 4,
                            col + thread_col + LANE_COLS * j, M, N, &sum[i][j]);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 == 0 && K % 4 == 0 ? multiply<true> : multiply<false>;

    kernel<<<dim3(ceil_div(N, BN), ceil_div(M, BM)), THREADS>>>(A, B, C, M, N, K);
}

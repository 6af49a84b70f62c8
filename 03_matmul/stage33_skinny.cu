// stage33: skinny matrices: a C with few rows or columns, at the rate of DRAM
//
// With M rows, each element of B is used for M multiply-adds: M / 2 operations per byte. Up to
// about 30 rows DRAM is the limit, not arithmetic. One thread uses an element of B, so a tile of it
// in shared memory has nothing to share: the large matrix goes to registers, the small one is in
// shared memory. Many loads are in flight.
//   few rows      lane: 4 columns of C   loads 8 rows of B, 4 words each; words of A are broadcast
//   few columns   lane: 4 k              loads 4 words of 8 rows of A; columns of B lie along K
// C has few tiles, so K is divided among blocks as in stage 10, for few rows also among warps. For
// few columns, lanes have parts of the same sums, and exchange half of them at a time (reduce).
// Look at: bytes / time.        make stage33 && ./stage33 -n 4x4096x65536     make diff A=10 B=33
// From: stage10
// This page is long because it has two kernels.
// Expect (cpu, 4x512x1024): shared_requests <= 0.04 * stage10.shared_requests
// Expect (cpu, 512x4x1024): shared_requests <= 0.03 * stage10.shared_requests
#include "tiles.h"

using stage10::finished, stage10::is_last_part, stage10::MAX_TILES, stage8::copy_async;

constexpr int WARPS = 8, THREADS = 32 * WARPS, BLOCKS = 2;
constexpr int MOST = 16;    // rows or columns of C at once
constexpr int COLS = 128;   // of C, per block of few_rows
constexpr int AHEAD = 8;    // rows of B that a lane of few_rows loads at once
constexpr int STEP = 256;   // k per step of few_columns; depth of a part along K: a multiple

// Which of the 128 words of a warp is word j of this lane: adjacent ones for loads of 16 aligned
// bytes; else 32 apart, so that adjacent lanes load adjacent words.
template <bool aligned> __device__ int place(int j)
{
    return aligned ? threadIdx.x % 32 * 4 + j : threadIdx.x % 32 + 32 * j;
}

// Loads this lane's four of the words first, first + 1, ... of a row of n words. Zeros past the
// end.
template <bool aligned>
__device__ void load_row(float (&word)[4], const float *row, int first, int n)
{
    if (aligned)
        *(float4 *)word =
            first + place<true>(0) < n ? *(float4 *)&row[first + place<true>(0)] : float4();
    for (int j = 0; j < 4 && !aligned; j++)
        word[j] = first + place<false>(j) < n ? row[first + place<false>(j)] : 0;
}

// The last block of a group, whose first element of C is C[row][col], adds the parts of the rows x
// cols elements. A part is an M x N matrix.
__device__ void add_parts(float *C, const float *parts, int M, int N, int row, int rows, int col,
                          int cols)
{
    if (gridDim.y == 1 || !is_last_part(&finished[blockIdx.x], 1, gridDim.y))
        return;
    for (int i = threadIdx.x; i < rows * cols; i += THREADS) {
        size_t at = (size_t)(row + i / cols) * N + col + i % cols;
        float sum = 0;
#pragma unroll 8   // loads in flight
        for (int part = 0; part < gridDim.y; part++)
            sum += parts[(size_t)part * M * N + at];
        C[at] = sum;
    }
}

// At most ROWS rows. A block computes COLS columns, for the part of K from blockIdx.y * depth on.
// Its warps take turns: 32 k each.
template <int ROWS, bool aligned>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    few_rows(const float *A, const float *B, float *C, int M, int N, int K, int depth, float *parts)
{
    const int SPACE = (ROWS + 3) / 4 * 4;   // for a column of A: whole pieces of 16 bytes
    __shared__ alignas(16) float a[WARPS][32][SPACE + 4];   // per warp: words of A, transposed
    __shared__ float part_sum[WARPS][COLS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, col = blockIdx.x * COLS;
    int first = blockIdx.y * depth, end = min(first + depth, K);
    alignas(16) float sum[ROWS][4] = {}, a_word[SPACE], b_word[AHEAD][4];

    for (int k0 = first + 32 * warp; k0 < end; k0 += 32 * WARPS) {
        __syncwarp();                     // no lane reads the words of the last 32 k again
        for (int m = 0; m < SPACE; m++)   // past the last row: zeros
            a[warp][lane][m] = m < M && k0 + lane < end ? A[(size_t)m * K + k0 + lane] : 0;
        __syncwarp();
        for (int k = 0; k < 32; k += AHEAD) {
#pragma unroll   // registers cannot be indexed dynamically
            for (int i = 0; i < AHEAD; i++)
                load_row<aligned>(b_word[i], B + (size_t)(k0 + k + i) * N, col,
                                  k0 + k + i < end ? N : 0);
#pragma unroll
            for (int i = 0; i < AHEAD; i++) {
                for (int m = 0; m < ROWS; m += 4)
                    *(float4 *)&a_word[m] = *(float4 *)&a[warp][k + i][m];
                for (int m = 0; m < ROWS; m++)
                    for (int j = 0; j < 4; j++)
                        sum[m][j] += a_word[m] * b_word[i][j];
            }
        }
    }
    float *to = gridDim.y > 1 ? parts + (size_t)blockIdx.y * M * N : C;
#pragma unroll
    for (int m = 0; m < ROWS; m++) {   // add the sums of the warps
        for (int j = 0; j < 4; j++)
            part_sum[warp][place<aligned>(j)] = sum[m][j];
        __syncthreads();
        float total = 0;
        for (int w = 0; w < WARPS && threadIdx.x < COLS; w++)
            total += part_sum[w][threadIdx.x];
        if (m < M && threadIdx.x < COLS && col + threadIdx.x < N)
            to[(size_t)m * N + col + threadIdx.x] = total;
        __syncthreads();   // the sums of the next row may be stored
    }
    add_parts(C, parts, M, N, 0, M, col, min(COLS, N - col));
}

// Adds each of the COUNT sums over all lanes. Lanes with this bit set keep the upper half of the
// sums, and send the lower half to the others, which keep that. Returns which sum is this lane's
// sum[0] in the end.
//   s0 s1 s2 s3 in lanes 0 and 16   ->   s0 s1 in lane 0, s2 s3 in lane 16   ->   ... (5 times)
template <int COUNT, int BIT, int N> __device__ int reduce(float (&sum)[N])
{
    if constexpr (BIT == 0)
        return 0;
    else {
        const int HALF = COUNT / 2;
        bool upper = threadIdx.x & BIT;
        for (int i = 0; i < HALF; i++) {
            float keep = upper ? sum[i + HALF] : sum[i], send = upper ? sum[i] : sum[i + HALF];
            sum[i] = keep + __shfl_xor_sync(~0u, send, BIT);
        }
        return (upper ? HALF : 0) + reduce<HALF, BIT / 2>(sum);
    }
}

// At most COLUMNS columns. A warp computes ROWS rows, for the part of K from blockIdx.y * depth on.
template <int COLUMNS, bool aligned, int ROWS = COLUMNS == MOST ? 4 : 8>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    few_columns(const float *A, const float *B, float *C, int M, int N, int K, int depth,
                float *parts)
{
    __shared__ alignas(16) float b[2][COLUMNS][STEP + 4];   // transposed, double-buffered
    int warp_row = (blockIdx.x * WARPS + threadIdx.x / 32) * ROWS;
    int first = blockIdx.y * depth, end = min(first + depth, K);
    float sum[ROWS * COLUMNS] = {};

    auto copy_tile = [&](int buffer, int k0) {
        for (int i = threadIdx.x; i < STEP * COLUMNS; i += THREADS)
            copy_async<1>(&b[buffer][i % COLUMNS][i / COLUMNS], B, k0 + i / COLUMNS, i % COLUMNS,
                          end, N);
        __pipeline_commit();
    };
    copy_tile(0, first);
    for (int k0 = first, buffer = 0; k0 < end; k0 += STEP, buffer ^= 1) {
        copy_tile(buffer ^ 1, k0 + STEP);   // past the end: zeros
        for (int k = 0; k < STEP; k += COLS) {
            alignas(16) float a_word[ROWS][4], b_word[4];
            for (int r = 0; r < ROWS; r++)
                load_row<aligned>(a_word[r], A + (size_t)min(warp_row + r, M - 1) * K, k0 + k, end);
            if (k == 0) {
                __pipeline_wait_prior(1);
                __syncthreads();   // the copies of all threads are complete
            }
            for (int n = 0; n < COLUMNS; n++) {
                for (int j = 0; j < 4; j++)
                    b_word[j] = b[buffer][n][k + place<aligned>(j)];
                for (int r = 0; r < ROWS; r++)
                    for (int j = 0; j < 4; j++)
                        sum[r * COLUMNS + n] += a_word[r][j] * b_word[j];
            }
        }
        __syncthreads();   // no thread reads this buffer again
    }
    int index = reduce<ROWS * COLUMNS, 16>(sum);
    float *to = gridDim.y > 1 ? parts + (size_t)blockIdx.y * M * N : C;
    for (int i = 0; i < ROWS * COLUMNS / 32; i++) {
        int row = warp_row + (index + i) / COLUMNS, col = (index + i) % COLUMNS;
        if (row < M && col < N)
            to[(size_t)row * N + col] = sum[i];
    }
    int block_row = blockIdx.x * WARPS * ROWS;
    add_parts(C, parts, M, N, block_row, min(WARPS * ROWS, M - block_row), 0, N);
}

// `groups` blocks compute C; K is divided so that blocks fill one wave.
template <class Kernel>
void launch(Kernel *kernel, int groups, const float *A, const float *B, float *C, int M, int N,
            int K)
{
    int parts = groups > MAX_TILES ? 1 : max(1, BLOCKS * multiprocessors() / groups);
    int depth = ceil_div(ceil_div(K, parts), STEP) * STEP;

    parts = ceil_div(K, depth);
    kernel<<<dim3(groups, parts), THREADS>>>(A, B, C, M, N, K, depth,
                                             (float *)scratch(4l * parts * M * N));
}

// C in slices of at most MOST rows.
void launch_rows(const float *A, const float *B, float *C, int M, int N, int K)
{
    for (; M > 0; M -= MOST, A += (size_t)MOST * K, C += (size_t)MOST * N) {
        bool aligned = N % 4 == 0;
        auto *kernel = M == 1 ? (aligned ? few_rows<1, true> : few_rows<1, false>)
                     : M <= 4 ? (aligned ? few_rows<4, true> : few_rows<4, false>)
                     : M <= 8 ? (aligned ? few_rows<8, true> : few_rows<8, false>)
                              : (aligned ? few_rows<MOST, true> : few_rows<MOST, false>);
        launch(kernel, ceil_div(N, COLS), A, B, C, min(M, MOST), N, K);
    }
}

void launch_columns(const float *A, const float *B, float *C, int M, int N, int K)
{
    bool aligned = K % 4 == 0;
    auto *kernel = N <= 4 ? (aligned ? few_columns<4, true> : few_columns<4, false>)
                 : N <= 8 ? (aligned ? few_columns<8, true> : few_columns<8, false>)
                          : (aligned ? few_columns<MOST, true> : few_columns<MOST, false>);

    launch(kernel, ceil_div(M, WARPS * (N > 8 ? 4 : 8)), A, B, C, M, N, K);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (N <= MOST && N < M)
        launch_columns(A, B, C, M, N, K);
    else
        launch_rows(A, B, C, M, N, K);
}

// stage34: skinny products: split-K, so that all blocks read B in one pass
//
// If A has few rows, as in a decoding step of a language model, a tile of 128 x 256 is almost
// empty. B has nearly all bytes: each word of it should be loaded once, and by all SMs. A block has
// 128 columns of B and a part of K (split-K). A lane keeps the sums of four columns and of all rows
// of A. Lane i loads word i of 32 words of each row of A; __shfl_sync() passes it to all lanes. The
// last block of a group adds the parts. This page is long: it shows how warps and blocks add sums.
//         K   _________           _______________
//      M  [______A_____]      K  |   |   |   |   |  part 0   a block: a part of 128 columns
//                                |---|---|---|---|  part 1   warp 0: k = 0 to 31, 256 to 287, ...
//                                |___|_B_|___|___|  part 2   warp 1: k = 32 to 63, ...
// Look at: load sectors.    make stage34 && ./stage34 -n 8x1024x512    make diff A=10 B=34
// From: stage10
// Expect (cpu, 8x1024x512): ld_sectors <= 1.1 * 512 * 1024 / 8
// Expect (cpu, 8x128x2048): atomic_requests == 8
// Expect (H200, 8x8192x8192): rate >= 1.5 * ref_cublas.rate
#include "last_part.h"
#include "matmul.h"

constexpr int COLS = 128, THREADS = 256, WARPS = THREADS / 32;   // columns and threads of a block
constexpr int MIN_DEPTH = 256, MAX_GROUPS = 4096;   // of a part along K; groups that have parts
constexpr int ROWS = 8;                             // of B, that a warp loads at once

__device__ int finished[MAX_GROUPS];   // parts done per group of columns; 0 between calls

// x = four words of row k of B, from column `col` on. aligned: they are adjacent, else 32 apart.
template <bool aligned>
__device__ void load_row(float (&x)[4], const float *B, int k, int end, int col, int N)
{
    const float *row = B + (size_t)k * N + col;

    if (aligned)
        *(float4 *)x = k < end && col < N ? __ldcs((const float4 *)row) : float4();
    for (int i = 0; i < 4 && !aligned; i++)
        x[i] = k < end && col + 32 * i < N ? __ldcs(row + 32 * i) : 0;
}

// S: rows of A, rounded up.
template <int S, bool aligned>
__global__ void __launch_bounds__(THREADS, S > 4 ? 2 : 4)
    multiply(const float *A, const float *B, float *C, int M, int N, int K, int depth,
             float *partial)
{
    __shared__ float warp_sums[WARPS][COLS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, parts = gridDim.y;
    int begin = blockIdx.y * depth, end = min(begin + depth, K), step = aligned ? 1 : 32;
    int first = aligned ? 4 * lane : lane, col = blockIdx.x * COLS + first;   // this lane's
    float *part = partial + (size_t)blockIdx.x * parts * S * COLS;            // those of this group
    float sum[S][4] = {}, total[S] = {};

    for (int k0 = begin + warp * 32; k0 < end; k0 += WARPS * 32) {
        float a[S];
        for (int s = 0; s < S; s++)
            a[s] = s < M && k0 + lane < end ? A[(size_t)s * K + k0 + lane] : 0;
        for (int k = 0; k < 32; k += ROWS) {
            alignas(16) float x[ROWS][4];
            for (int i = 0; i < ROWS; i++)
                load_row<aligned>(x[i], B, k0 + k + i, end, col, N);
            for (int i = 0; i < ROWS; i++)
                for (int s = 0; s < S; s++) {
                    float word = __shfl_sync(~0u, a[s], k + i);
                    for (int j = 0; j < 4; j++)
                        sum[s][j] += word * x[i][j];
                }
        }
    }
#pragma unroll   // registers cannot be indexed dynamically
    for (int s = 0; s < S; s++) {
        __syncthreads();   // the sums of the row before have been read
        for (int j = 0; j < 4; j++)
            warp_sums[warp][first + j * step] = sum[s][j];
        __syncthreads();
        if (threadIdx.x < COLS) {
            for (int w = 1; w < WARPS; w++)
                warp_sums[0][threadIdx.x] += warp_sums[w][threadIdx.x];
            part[(blockIdx.y * S + s) * COLS + threadIdx.x] = warp_sums[0][threadIdx.x];
        }
    }
    if (parts > 1 && !is_last_part(&finished[blockIdx.x], 1, parts))
        return;
    int n = blockIdx.x * COLS + threadIdx.x;
    if (threadIdx.x >= COLS || n >= N)
        return;
    for (int p = 0; p < parts; p++)
        for (int s = 0; s < S; s++)
            total[s] += part[(p * S + s) * COLS + threadIdx.x];
    for (int s = 0; s < S; s++)
        if (s < M)
            C[(size_t)s * N + n] = total[s];
}

template <int S> void launch(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto kernel = N % 4 ? multiply<S, false> : multiply<S, true>;
    int groups = ceil_div(N, COLS), blocks = (S > 4 ? 2 : 4) * multiprocessors();
    int parts = groups > MAX_GROUPS ? 1 : max(min(2 * blocks / groups, K / MIN_DEPTH), 1);
    int depth = ceil_div(K, parts);
    dim3 grid(groups, ceil_div(K, depth));

    kernel<<<grid, THREADS>>>(A, B, C, M, N, K, depth,
                              (float *)scratch(sizeof(float) * groups * grid.y * S * COLS));
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (M > 16)
        return refuse("M of at most 16 only");
    auto *run = M == 1 ? launch<1> : M <= 4 ? launch<4> : M <= 8 ? launch<8> : launch<16>;
    run(A, B, C, M, N, K);
}

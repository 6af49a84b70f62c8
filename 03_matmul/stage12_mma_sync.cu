// stage12: the warp tile of stage 7 and the buffers of stage 8 for mma.sync, and a swizzle
//
// A warp of stage 11 waits for its loads, and uses a fragment once or twice. Here it has 64 x 64
// sums: 4 or 8 times. The copies of the next two steps are in flight, in pieces of 16 bytes.
//   cp.async    global memory to DEPTH buffers in shared memory (multistage pipeline)
//   ldmatrix    shared memory to fragments; B is transposed on the way
//   mma.sync    fragments to sums
// Chunk c of 16 bytes of row r is stored at c ^ r % 8: the 8 rows that ldmatrix reads at once are
// in different banks, and rows stay aligned (swizzle). mma.sync has two thirds of Hopper's peak.
// Look at: shared wavefronts; the rate without one of the ideas (WITHOUT=1 to 4).
// make stage12 && ./stage12        make diff A=11 B=12        make stage12 WITHOUT=1 && ./stage12
// Needs: sm_80
// Type: bf16
// Expect (cpu, 512x512x256, bf16): ld_bytes == stage11.ld_bytes / 4
// Expect (cpu, 512x512x256, bf16): shared_wavefronts == 4 * shared_requests
// Expect (sm_90, 4096, bf16): rate >= 8 * stage11.rate
#include <cuda_pipeline_primitives.h>

#include "bf16_mma.h"

#ifndef WITHOUT
#define WITHOUT 0   // 1: the swizzle; 2: warp tiles of 64 x 64; 3: a third buffer; 4: large tiles
#endif
// block tile; warp tile
constexpr int BM = WITHOUT == 4 ? 64 : 128, BN = BM, BK = 64;
constexpr int WM = WITHOUT == 2 || WITHOUT == 4 ? 32 : 64, WN = WM;
constexpr int THREADS = BM / WM * (BN / WN) * 32, DEPTH = WITHOUT == 3 ? 2 : 3;

struct Tiles {
    bf16 A[BM * BK], B[BK * BN];
};

// Where a tile with rows of COLS elements has [row][col]. col is a multiple of 8.
template <int COLS> __device__ int swizzled(int row, int col)
{
    return row * COLS + (col ^ (WITHOUT == 1 ? 0 : row % 8 * 8));
}

// Starts to copy a ROWS x COLS tile of a rows x cols matrix, from [row][col] on. Outside the
// matrix, zeros are stored instead. Rows have a multiple of 8 elements: no chunk is partly outside.
template <int ROWS, int COLS>
__device__ void copy_tile(bf16 *tile, const bf16 *from, int row, int col, int rows, int cols)
{
    int c = threadIdx.x % (COLS / 8) * 8;

#pragma unroll
    for (int i = 0; i < ROWS; i += THREADS * 8 / COLS) {
        int r = threadIdx.x / (COLS / 8) + i;
        // PTX: __pipeline_memcpy_async() with a number of zeros that varies makes two copies of it
        copy_async_16(tile + swizzled<COLS>(r, c), from + (size_t)(row + r) * cols + col + c,
                      row + r < rows && col + c < cols ? 16 : 0);
    }
}

__global__ __launch_bounds__(THREADS, 2) void multiply(const bf16 *A, const bf16 *B, bf16 *C, int M,
                                                       int N, int K)
{
    extern __shared__ __align__(128) Tiles smem[];
    int block_row = blockIdx.y * BM, block_col = blockIdx.x * BN, steps = ceil_div(K, BK);
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int row = warp / (BN / WN) * WM, col = warp % (BN / WN) * WN;   // warp tile in the block tile
    float sum[WM / 16][WN / 8][4] = {};

    auto copy_tiles = [&](int step) {
        if (step < steps) {
            copy_tile<BM, BK>(smem[step % DEPTH].A, A, block_row, step * BK, M, K);
            copy_tile<BK, BN>(smem[step % DEPTH].B, B, step * BK, block_col, K, N);
        }
        __pipeline_commit();   // every step adds a group, even if empty: the wait counts groups
    };
    for (int step = 0; step < DEPTH - 1; step++)
        copy_tiles(step);
    for (int step = 0; step < steps; step++) {
        __pipeline_wait_prior(DEPTH - 2);
        __syncthreads();   // the tiles of this step are complete; no thread reads those before
        copy_tiles(step + DEPTH - 1);
        Tiles &t = smem[step % DEPTH];
#pragma unroll   // the loads of a k overlap the products of the one before
        for (int k = 0; k < BK; k += 16) {
            unsigned a[WM / 16][4], b[WN / 16][4];
            for (int m = 0; m < WM / 16; m++)
                ldmatrix(a[m], t.A + swizzled<BK>(row + m * 16 + lane % 16, k + lane / 16 * 8));
            for (int n = 0; n < WN / 16; n++)
                ldmatrix_trans(b[n],
                               t.B + swizzled<BN>(k + lane % 16, col + n * 16 + lane / 16 * 8));
            for (int m = 0; m < WM / 16; m++)
                for (int n = 0; n < WN / 8; n++)
                    mma_m16n8k16(sum[m][n], a[m], b[n / 2] + n % 2 * 2);
        }
    }
    for (int m = 0; m < WM / 16; m++)
        for (int n = 0; n < WN / 8; n++)
            for (int i = 0; i < 4; i += 2) {
                int r = block_row + row + m * 16 + lane / 4 + i * 4;
                int c = block_col + col + n * 8 + lane % 4 * 2;
                if (r < M && c < N)
                    *(unsigned *)(C + (size_t)r * N + c) =
                        pack_bf16(sum[m][n][i], sum[m][n][i + 1]);
            }
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    if (N % 8 || K % 8)
        return refuse("N and K in multiples of 8 only");
    dim3 tiles(ceil_div(N, BN), ceil_div(M, BM));

    if (allow_shared(multiply, DEPTH * sizeof(Tiles)))
        multiply<<<tiles, THREADS, DEPTH * sizeof(Tiles)>>>(A, B, C, M, N, K);
}

// stage11: tensor cores: one instruction of a warp multiplies 16 x 16 by 16 x 8 (mma.sync)
//
// An SM does 128 FMAs of fp32 per cycle; its tensor cores do 2048 in bf16, with sums in fp32. So
// this is stage 3 with elements of 16 bits. Four warps compute 32 x 32 of C, each 16 x 16: two
// products side by side. ldmatrix loads A and B as the warp needs them. Which lane holds A's
//   columns   0 1   2 3   4 5   6 7 | 8 9  ...        its a[0]: left half of rows 0 to 7;
//   row 0      0     1     2     3  |  0  ...         a[1]: of rows 8 to 15; a[2], a[3]: right
//   row 1      4     5     6     7  |  4  ...         half. B: rows and columns exchanged.
//   row 7     28    29    30    31  | 28  ...         Sums: the left half of this picture.
// Rows of 80 bytes: the 8 rows that ldmatrix reads at once are in different banks (padding).
// Look at: shared requests.        make stage11 && ./stage11 -n 33x35x37        make diff A=3 B=11
// From: stage3
// Needs: sm_80
// Type: bf16
// Expect (cpu, 256x256x64, bf16): mma_products == flops / 4096
// Expect (cpu, 256x256x64, bf16): shared_wavefronts == ld_requests + 4 * mma_products
#include "bf16_mma.h"

#define TILE 32       // rows and columns of C per block, and depth of the tiles along K
#define THREADS 128   // four warps, 16 x 16 of C each

__global__ void multiply(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    __shared__ alignas(16) bf16 tile_a[TILE][TILE + 8], tile_b[TILE][TILE + 8];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int block_row = blockIdx.y * TILE, block_col = blockIdx.x * TILE;   // in C
    int row = warp / 2 * 16, col = warp % 2 * 16;                       // of this warp, in the tile
    float sum[2][4] = {};                                               // two products of 16 x 8
    const bf16 zero = __float2bfloat16(0);

    for (int k0 = 0; k0 < K; k0 += TILE) {
        for (int i = threadIdx.x; i < TILE * TILE; i += THREADS) {
            int y = i / TILE, x = i % TILE, m = block_row + y, n = block_col + x;
            tile_a[y][x] = m < M && k0 + x < K ? A[m * K + k0 + x] : zero;
            tile_b[y][x] = k0 + y < K && n < N ? B[(k0 + y) * N + n] : zero;
        }
        __syncthreads();   // both tiles are complete
        for (int k = 0; k < TILE; k += 16) {
            unsigned a[4], b[4];
            // a lane gives the address of 8 elements of a row: row lane % 16, left or right half
            ldmatrix(a, &tile_a[row + lane % 16][k + lane / 16 * 8]);
            ldmatrix_trans(b, &tile_b[k + lane % 16][col + lane / 16 * 8]);
            mma_m16n8k16(sum[0], a, b);       // columns col to col + 7
            mma_m16n8k16(sum[1], a, b + 2);   // the next 8
        }
        __syncthreads();   // no warp still reads the tiles
    }
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < 4; i++) {
            int m = block_row + row + lane / 4 + i / 2 * 8;
            int n = block_col + col + p * 8 + lane % 4 * 2 + i % 2;
            if (m < M && n < N)
                C[m * N + n] = __float2bfloat16(sum[p][i]);
        }
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    multiply<<<dim3(ceil_div(N, TILE), ceil_div(M, TILE)), THREADS>>>(A, B, C, M, N, K);
}

// exercise18: fragments by hand: which lane needs which elements for mma.sync
//
// Task: do this after stage 11. There, ldmatrix brings each element to the lane that needs it. Here
// the tile of B is stored transposed, so that two elements of a column of B are in one word, and
// ordinary loads can fill the fragments. Write load_a(), load_b() and the stores of the sums. It is
// solved if ./exercise18 finds no wrong element, and at 64x64x64 makes at most 1024 requests to
// shared memory: one load per word of a fragment.
//
//   a[0], a[1]   row lane / 4 and 8 rows further       columns 2 (lane % 4) and the next
//   a[2], a[3]   the same rows                         8 columns further
//   b[0], b[1]   column lane / 4                       rows 2 (lane % 4) and the next; 8 further
//
// Hint: Which word of row lane / 4 has columns 2 (lane % 4) and the next? An unsigned is two bf16.
// Hint: The transposed tile has a row per column of B: word k of row n has rows k and k + 1 of
// column n. Which row of tile_b does lane 9 read for b[0]?
// Hint: sum[0] and sum[1] are columns 2 (lane % 4) and the next of row lane / 4; sum[2] and sum[3]
// are 8 rows further. Add where the product is: block, warp, product. Check both bounds.
//
// Needs: sm_80
// Type: bf16
// Points 4: correct
// Points 3 (cpu, 64x64x64, bf16): shared_requests >= 600 and shared_requests <= 1024
// Points 2 (cpu, 64x64x64, bf16): ld_requests <= 512 and st_requests <= 256 and kernels == 1
// Points 1 (gpu, 2048x2048x2048, bf16): rate >= 0.01 * ref_cublas_bf16.rate
// Check (cpu, 33003x5x3, bf16)
// Check (cpu, 5x33003x3, bf16)
#include "bf16_mma.h"

#define TILE 32       // rows and columns of C per block, and depth of the tiles along K
#define THREADS 128   // four warps, 16 x 16 of C each
#define PITCH (TILE + 8)

// The words of A of this lane, for a product whose first element of A is tile[row][k].
__device__ void load_a(unsigned (&a)[4], const bf16 (*tile)[PITCH], int row, int k)
{
#ifdef SOLUTION
    int lane = threadIdx.x % 32;

    for (int i = 0; i < 4; i++)
        a[i] = *(const unsigned *)&tile[row + lane / 4 + i % 2 * 8][k + lane % 4 * 2 + i / 2 * 8];
#else
    a[0] = a[1] = a[2] = a[3] = 0;   // TODO: two elements of A per word
#endif
}

// The words of B of this lane, for a product whose first element of B is row k, column col: it is
// tile[col][k], because the tile is transposed.
__device__ void load_b(unsigned (&b)[2], const bf16 (*tile)[PITCH], int k, int col)
{
#ifdef SOLUTION
    int lane = threadIdx.x % 32;

    for (int i = 0; i < 2; i++)
        b[i] = *(const unsigned *)&tile[col + lane / 4][k + lane % 4 * 2 + i * 8];
#else
    b[0] = b[1] = 0;                 // TODO: two elements of B per word
#endif
}

__global__ void multiply(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    __shared__ alignas(16) bf16 tile_a[TILE][PITCH], tile_b[TILE][PITCH];   // tile_b: transposed
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int block_row = blockIdx.y * TILE, block_col = blockIdx.x * TILE;   // in C
    int row = warp / 2 * 16, col = warp % 2 * 16;                       // of this warp, in the tile
    float sum[2][4] = {};                                               // two products of 16 x 8
    const bf16 zero = __float2bfloat16(0);

    for (int k0 = 0; k0 < K; k0 += TILE) {
        for (int i = threadIdx.x; i < TILE * TILE; i += THREADS) {
            int y = i / TILE, x = i % TILE, m = block_row + y, n = block_col + x;
            tile_a[y][x] = m < M && k0 + x < K ? A[m * K + k0 + x] : zero;
            tile_b[x][y] = k0 + y < K && n < N ? B[(k0 + y) * N + n] : zero;
        }
        __syncthreads();
        for (int k = 0; k < TILE; k += 16) {
            unsigned a[4], b[2];
            load_a(a, tile_a, row, k);
            for (int p = 0; p < 2; p++) {
                load_b(b, tile_b, k, col + p * 8);
                mma_m16n8k16(sum[p], a, b);
            }
        }
        __syncthreads();
    }
#ifdef SOLUTION
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < 4; i++) {
            int m = block_row + row + lane / 4 + i / 2 * 8;
            int n = block_col + col + p * 8 + lane % 4 * 2 + i % 2;
            if (m < M && n < N)
                C[m * N + n] = __float2bfloat16(sum[p][i]);
        }
#else
    // TODO: store the sums
    (void)sum, (void)lane, (void)row, (void)col;
#endif
}

void matmul(const bf16 *A, const bf16 *B, bf16 *C, int M, int N, int K)
{
    multiply<<<dim3(ceil_div(N, TILE), ceil_div(M, TILE)), THREADS>>>(A, B, C, M, N, K);
}

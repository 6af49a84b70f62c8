// exercise3: double buffering: one barrier per step, and the next loads during the arithmetic
//
// Task: do this after stage 3. It loads a tile, waits, multiplies, and waits again. Here each tile
// has two buffers, which the steps use in turn. Write the loop: a thread loads its two words of the
// next step into registers, multiplies the tiles of this step, and then stores the two words into
// the other buffers. One barrier per step is enough. It is solved if ./exercise3 finds no wrong
// element and no race, half the barriers of stage 2, whose tiles have the same size, and all global
// loads but those of step 0 `ahead of use`: in their step, the warp makes more loads from the tiles
// after them than before them. This row counts the order in the source. (nvcc may move loads up by
// itself, but it cannot move the stores down, past the multiplication. Stage 8 does the same with
// asynchronous copies, which need no registers.)
//
//   step t       barrier    load words of t + 1    multiply tiles of t    store words of t + 1
//   buffer                  global -> registers          t % 2                 (t + 1) % 2
//
// Hint: At the end of step t, threads store into buffer (t + 1) % 2. In which step was this buffer
// read last? Which barrier is between those reads and these stores?
// Hint: Before the loop, load the words of step 0 and store them into buffer 0. In step t, the
// barrier comes first: it makes buffer t % 2 complete, and all threads have finished step t - 1.
// Hint: A step has this order: the barrier; the loads of the next words into registers; the
// products of the tile that is complete; the stores of the next words. Which of the two buffers
// has each part? What do the last step's loads give, and does it matter?
//
// Points 3: correct
// Points 3 (cpu, 64x64x256): barriers <= 16 * 8 * 17 and ld_requests <= 4608 and kernels == 1
// Points 3 (cpu, 64x64x256): ld_ahead >= 0.75 * ld_requests and ld_requests <= 4608
// Points 1 (gpu, 2048x2048x2048): rate >= 0.08 * ref_cublas.rate
// Check (cpu, 33003x5x3)
// Check (cpu, 5x33003x3)
#include "matmul.h"

#define TILE 16   // rows and columns of C per block

// This thread's word of the tile of A, or B, that starts at k0. Outside the matrix it is 0.
__device__ float word_of_a(const float *A, int row, int k0, int M, int K)
{
    int k = k0 + threadIdx.x;
    return row < M && k < K ? A[row * K + k] : 0;
}

__device__ float word_of_b(const float *B, int col, int k0, int N, int K)
{
    int k = k0 + threadIdx.y;
    return k < K && col < N ? B[k * N + col] : 0;
}

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile_a[2][TILE][TILE];
    __shared__ float tile_b[2][TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;   // this thread's element of C
    int col = blockIdx.x * TILE + tx;

    float sum = 0;
#ifdef SOLUTION
    tile_a[0][ty][tx] = word_of_a(A, row, 0, M, K);
    tile_b[0][ty][tx] = word_of_b(B, col, 0, N, K);
    for (int t = 0; t * TILE < K; t++) {
        __syncthreads();   // buffer t % 2 is complete; no thread still reads the other
        float a = word_of_a(A, row, (t + 1) * TILE, M, K);
        float b = word_of_b(B, col, (t + 1) * TILE, N, K);
        for (int k = 0; k < TILE; k++)
            sum += tile_a[t % 2][ty][k] * tile_b[t % 2][k][tx];
        tile_a[(t + 1) % 2][ty][tx] = a;
        tile_b[(t + 1) % 2][ty][tx] = b;
    }
#else
    // TODO: fill buffer 0; then the loop over the steps
#endif
    if (row < M && col < N)
        C[row * N + col] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, TILE), ceil_div(M, TILE)), block(TILE, TILE);

    multiply<<<grid, block>>>(A, B, C, M, N, K);
}

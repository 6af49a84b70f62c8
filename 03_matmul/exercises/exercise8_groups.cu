// exercise8: commit groups: a pipeline of asynchronous copies that waits for the right group
//
// Task: do this after stage 8. Tiles are those of stage 3, in four buffers. copy_tiles() starts
// the copies of a step; it is given. Write the prologue and the loop: commit a group per step, wait
// until the tiles of this step are complete, and refill the buffer that is free. One barrier per
// step is enough. It is solved if ./exercise8 finds no wrong element and no read of a copy in
// flight, with one barrier per step, and if nearly all copies are `ahead of use`: in flight during
// the multiplication of other tiles.
//
//   step t       wait for group t    barrier    copy tiles of t + 3    multiply tiles of t
//   buffer                                         (t + 3) % 4                t % 4
//
// Hint: After the prologue, how many groups may be incomplete, so that the tiles of step 0 are
// complete? And in step 1, after step 0 has committed one more?
// Hint: The prologue commits DEPTH - 1 groups, and each step one, also if it starts no copies. So
// before the wait of step t there are DEPTH - 1 + t groups, and group t must be complete: all but
// the last DEPTH - 2.
// Hint: A step has this order: the wait; the barrier; the copy of a later tile, if there is one;
// its commit; the products. How many steps ahead is that copy, and which number does
// __pipeline_wait_prior() take so that the group of this step is complete?
//
// Points 3: correct
// Points 3 (cpu, 64x64x256): barriers <= 16 * 8 * 16 and ld_requests <= 4096 and kernels == 1
// Points 3 (cpu, 64x64x256): ld_ahead >= 0.9 * ld_requests and copies_in_flight >= 3.5
// Points 1 (gpu, 2048x2048x2048): rate >= 0.08 * ref_cublas.rate
// Check (cpu, 33003x5x3)
// Check (cpu, 5x33003x3)
#include "copies.h"

using stage8::copy_async;

#define TILE 16   // rows and columns of C per block
#define DEPTH 4   // buffers in shared memory

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile_a[DEPTH][TILE][TILE];
    __shared__ float tile_b[DEPTH][TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;   // this thread's element of C
    int col = blockIdx.x * TILE + tx;
    int steps = ceil_div(K, TILE);
    float sum = 0;

    // Starts to copy this thread's words of the tiles of a step. Words outside become 0.
    auto copy_tiles = [&](int step) {
        copy_async<1>(&tile_a[step % DEPTH][ty][tx], A, row, step * TILE + tx, M, K);
        copy_async<1>(&tile_b[step % DEPTH][ty][tx], B, step * TILE + ty, col, K, N);
    };
#ifdef SOLUTION
    for (int step = 0; step < DEPTH - 1; step++) {
        if (step < steps)
            copy_tiles(step);
        __pipeline_commit();
    }
    for (int step = 0; step < steps; step++) {
        __pipeline_wait_prior(DEPTH - 2);
        __syncthreads();   // the tiles of all threads; and no thread reads the other buffer
        if (step + DEPTH - 1 < steps)
            copy_tiles(step + DEPTH - 1);
        __pipeline_commit();
        for (int k = 0; k < TILE; k++)
            sum += tile_a[step % DEPTH][ty][k] * tile_b[step % DEPTH][k][tx];
    }
#else
    // TODO: the prologue; then per step: wait, barrier, copy, commit, multiply
    (void)&copy_tiles, (void)steps;
#endif
    if (row < M && col < N)
        C[row * N + col] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, TILE), ceil_div(M, TILE)), block(TILE, TILE);

    multiply<<<grid, block>>>(A, B, C, M, N, K);
}

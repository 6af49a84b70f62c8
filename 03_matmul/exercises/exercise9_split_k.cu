// exercise9: split-K with atomics: several blocks per tile, for a small C and a long K
//
// Task: do this after stage 10. With M = N = 32 and K = 2048, stage 3 has four blocks, and most SMs
// of a GPU are idle. Here a third dimension of the grid divides K: block z of a tile sums a part of
// the steps, and adds its sum to C with an atomic. Write the range of steps in the kernel, the
// addition, and in matmul() what must happen to C before. It is solved if ./exercise9 finds no
// wrong element, and each part adds each element once, without more loads than stage 3.
//
//   steps along K     0 1 2 ... 15 | 16 17 ... 31 | ...       128 steps, PARTS = 8
//   block z           0            | 1            | ...
//
// Hint: With `steps` steps and `parts` parts, at which step does part z start? Choose a formula
// that is right if parts does not divide steps, and with which every step is in one part.
// Hint: Part z has steps z * steps / parts to (z + 1) * steps / parts - 1. What does C contain when
// the first block adds to it? (`--check` calls matmul() twice, and fills C with NaN before.)
// Hint: C must be 0 before the first block adds to it, and on the same stream as the kernel, so
// a memset of the stream orders the two. Which kind of addition allows several blocks on one
// element? (The order of the additions differs between runs, and so do the last bits.)
//
// Points 5: correct
// Points 2 (cpu, 32x32x2048): atomic_requests == 8 * 4 * 8
// Points 2 (cpu, 32x32x2048): ld_requests == 4 * 128 * 8 * 2 and warp_ld_requests <= 34
// Points 1 (gpu, 64x64x65536): rate >= 0.04 * ref_cublas.rate
// Check (cpu, 33003x5x3)
// Check (cpu, 5x33003x3)
#include "matmul.h"

#define TILE 16   // rows and columns of C per block
#define PARTS 8   // parts of K, at most

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;   // this thread's element of C
    int col = blockIdx.x * TILE + tx;
#ifdef SOLUTION
    int steps = ceil_div(K, TILE), parts = gridDim.z, part = blockIdx.z;
    int first = part * steps / parts, end = (part + 1) * steps / parts;
#else
    // TODO: the steps of this block
    int first = 0, end = 0;
#endif

    float sum = 0;
    for (int step = first; step < end; step++) {
        int k0 = step * TILE;
        tile_a[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0;
        tile_b[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0;
        __syncthreads();   // both tiles are complete
        for (int k = 0; k < TILE; k++)
            sum += tile_a[ty][k] * tile_b[k][tx];
        __syncthreads();   // no thread still reads the tiles
    }
#ifdef SOLUTION
    if (row < M && col < N)
        atomicAdd(&C[row * N + col], sum);
#else
    // TODO: add the sum to C
#endif
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int parts = min(PARTS, ceil_div(K, TILE));
    dim3 grid(ceil_div(N, TILE), ceil_div(M, TILE), parts), block(TILE, TILE);

#ifdef SOLUTION
    cudaMemsetAsync(C, 0, sizeof *C * M * N, cudaStreamPerThread);
#else
    // TODO: what must C contain?
#endif
    multiply<<<grid, block>>>(A, B, C, M, N, K);
}

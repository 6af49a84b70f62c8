// stage3: bounds checks and zero padding, for any M, N and K
//
// Stage 2 refuses sizes that are not multiples of TILE. Here the grid covers C with tiles that may
// extend beyond its edges, and a thread loads 0 for a word outside of A or B. Zeros add nothing, so
// the inner loop needs no check. No thread may return early: it loads for others.
//
//   +-------+-------+-------+
//   | tile  | tile  | ti:000|     C ends at the colon. The threads to the right of it
//   +-------+-------+-------+     load zeros, reach every barrier and store nothing.
//
// Look at: the rate, which hardly changes. Checks are integer instructions, and shared memory is
// the limit. (make sass: nvcc unrolls the loop over k0 of stage 2 four times, and this one not.)
// make stage3 && ./stage3        make diff A=2 B=3        ./stage3 -n 257x257x65
// Expect (cpu, 256x256x64): ld_requests == stage2.ld_requests
// Expect (cpu, 257x257x65): barriers == 17 * 17 * 5 * 2 * 8
// Expect (sm_90, 4096x4096x4096): rate >= 0.98 * stage2.rate
#include "matmul.h"

#ifndef TILE
#define TILE 16   // rows and columns of C per block
#endif
static_assert(TILE >= 1 && TILE <= 32, "TILE must be 1 to 32: a block has at most 1024 threads");

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;   // this thread's element of C
    int col = blockIdx.x * TILE + tx;

    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        tile_a[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0;
        tile_b[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0;
        __syncthreads();   // both tiles are complete
        for (int k = 0; k < TILE; k++)
            sum += tile_a[ty][k] * tile_b[k][tx];
        __syncthreads();   // no thread still reads the tiles
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    dim3 grid(ceil_div(N, TILE), ceil_div(M, TILE)), block(TILE, TILE);

    multiply<<<grid, block>>>(A, B, C, M, N, K);
}

// stage4: several elements a thread. A quarter of the threads, each with four loads on their way at
// once.
//
// Two of stage 3's blocks of 1024 threads fill an SM, with one load of 4 bytes in flight a thread:
// 8 KiB at best, and nothing while they wait at the barrier or store. Change: a thread takes ROWS
// elements of the tile, STEP rows apart, and asks for all of them before it uses the first. Eight
// blocks of 256 threads fill an SM: 32 KiB in flight, and some load while others store.
//
// make stage4 && ./stage4; make diff A=3 B=4; make stage4 ROWS=8 && ./stage4
//
// Expect (cpu, 1024x1024): ld_requests == stage3.ld_requests
// Expect (cpu, 1024x1024): shared_wavefronts == shared_requests
// Expect (cpu, 1024x1024): barriers == stage3.barriers / 4
// Expect (sm_90, 16384x16384): rate >= 1.9 * stage3.rate
#include "transpose.h"

#ifndef TILE
#define TILE 32
#endif
#ifndef ROWS
#define ROWS 4
#endif
#define STEP (TILE / ROWS)
static_assert(TILE % ROWS == 0 && TILE * STEP <= 1024,
              "ROWS must divide TILE and leave at most 1024 threads");

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    float v[ROWS] = {};   // zero where the tile reaches past the matrix

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;

    for (int i = 0; i < ROWS; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = in[(y + i * STEP) * cols + x];
    for (int i = 0; i < ROWS; i++)
        tile[threadIdx.y + i * STEP][threadIdx.x] = v[i];
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < ROWS; i++)
        if (x < rows && y + i * STEP < cols)
            out[(y + i * STEP) * rows + x] = tile[threadIdx.x][threadIdx.y + i * STEP];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 block(TILE, STEP);
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}

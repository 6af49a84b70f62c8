// stage4: thread coarsening (more bytes in flight)
//
// Two blocks of stage 3 fill an SM: 2048 threads with one load of 4 bytes each, at most 8 KiB in
// flight, and a block has no load in flight while it stores. Here a block has a quarter of the
// threads. Each moves ROWS elements, STEP rows apart, and issues all its loads before it uses the
// first. An SM has 8 blocks of 256: at most 32 KiB in flight, and some load while others store.
//
//   rows of a 32x32 tile, block of 32x8:    0 to 7   8 to 15   16 to 23   24 to 31
//   loaded by thread (tx, ty) into:         v[0]     v[1]      v[2]       v[3]
//
// Look at: stage 3's counts in half of the time. The last claim: 2 blocks of 1024 threads per SM in
// both, once with 8 KiB in flight, once with 32.
// make stage4 && ./stage4        make diff A=3 B=4        make stage4 ROWS=1
// Expect (cpu, 1024x1024): warp_ld_requests == 4
// Expect (sm_90, 16384x16384): rate >= 1.6 * stage3.rate
// Expect (H200, 16384x16384): stage4[TILE=64 ROWS=4].rate >= 1.7 * stage4[TILE=32 ROWS=1].rate
#include "transpose.h"

#ifndef TILE
#define TILE 32
#endif
#ifndef ROWS
#define ROWS (TILE / 8)   // of the tile, per thread: one element in each
#endif
#define STEP (TILE / ROWS)   // rows of the block: 8 by default
static_assert(TILE % ROWS == 0 && TILE * STEP <= 1024,
              "ROWS must divide TILE and leave at most 1024 threads");

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    float v[ROWS] = {};   // zero where the tile reaches past the matrix

    int x = blockIdx.x * TILE + threadIdx.x;   // column of `in`
    int y = blockIdx.y * TILE + threadIdx.y;   // row of `in`

    // all loads first: nvcc unrolls the loops, and v is in registers
    for (int i = 0; i < ROWS; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = in[(y + i * STEP) * cols + x];
    for (int i = 0; i < ROWS; i++)
        tile[threadIdx.y + i * STEP][threadIdx.x] = v[i];
    __syncthreads();   // a thread reads what other threads stored

    // blockIdx.x and .y are swapped, threadIdx is not: lanes still have consecutive columns
    x = blockIdx.y * TILE + threadIdx.x;   // column of `out`
    y = blockIdx.x * TILE + threadIdx.y;   // row of `out`
    for (int i = 0; i < ROWS; i++)
        if (x < rows && y + i * STEP < cols)
            out[(y + i * STEP) * rows + x] = tile[threadIdx.x][threadIdx.y + i * STEP];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    if (ceil_div(rows, TILE) > 65535)   // gridDim.y; only tiles of fewer than 32 reach it
        return refuse("at most 65535 tiles of rows: take a larger TILE");
    dim3 block(TILE, STEP);
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}

// stage5: larger tile (longer rows, more elements per thread)
//
// In stage 4 a block moves 32x32 elements, in rows of 128 bytes. Here TILE is 64, and no other line
// changes. A block still has 8 rows of threads. So it moves rows of 256 bytes, and each thread
// loads 8 elements before it uses the first:
//
//                     row of a tile   threads per block   loads per thread   in flight per SM
//   stage 4, 32x32      128 bytes            256                 4           at most 32 KiB
//   here, 64x64         256 bytes            512                 8           at most 64 KiB
//
// Look at: the rate. ROWS separates the two: on an H200 the large tile alone gains 1 %, 8 elements
// alone gain 4 %, and both together 11 %: they help each other. On an H100 both gain 3 %.
// make stage5 && ./stage5        make diff A=4 B=5        make stage5 TILE=32 ROWS=8
// Expect (cpu, 1024x1024): warp_ld_requests == 2 * stage4.warp_ld_requests
// Expect (H200, 16384x16384): stage5[TILE=64 ROWS=8].rate >= 1.05 * stage5[TILE=32 ROWS=8].rate
// Expect (H200, 16384x16384): stage5[TILE=64 ROWS=4].rate <= 1.03 * stage5[TILE=32 ROWS=4].rate
#include "transpose.h"

#ifndef TILE
#define TILE 64
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

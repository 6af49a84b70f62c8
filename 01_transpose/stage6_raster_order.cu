// stage6: raster order of blocks (contiguous stores, scattered loads)
//
// Raster order: the order in which blocks visit the tiles. As measured, blockIdx.x changes first;
// CUDA does not promise it. A row of tiles of `in` is a column of tiles of `out`, so blocks that
// run together have long runs of bytes in only one of the two. In stage 5 they load whole rows of
// tiles, and store scattered pieces of 256 bytes. Here blockIdx.x and blockIdx.y are swapped:
// scattered loads, contiguous stores. As measured, scattered stores are the slower ones.
//
//   start order     stage 5:   in  0 1   out  0 2       here:   in  0 2   out  0 1
//   of the blocks                  2 3        1 3                   1 3        2 3
//
// Look at: the same counts as stage 5, and a higher rate at 16384x16384 and 4099x8191.
// make stage6 && ./stage6        make diff A=5 B=6
// Expect (H200, 16384x16384): stage6[TILE=32 ROWS=4].rate >= 1.05 * stage5[TILE=32 ROWS=4].rate
// Expect (sm_90, 4099x8191): rate >= 1.1 * stage5.rate
// Expect (sm_90, 16384x16384): rate >= ref_cublas.rate
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

    int x = blockIdx.y * TILE + threadIdx.x;   // column of `in`
    int y = blockIdx.x * TILE + threadIdx.y;   // row of `in`

    // all loads first: nvcc unrolls the loops, and v is in registers
    for (int i = 0; i < ROWS; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = in[(y + i * STEP) * cols + x];
    for (int i = 0; i < ROWS; i++)
        tile[threadIdx.y + i * STEP][threadIdx.x] = v[i];
    __syncthreads();   // a thread reads what other threads stored

    // .x and .y change places against the load, threadIdx does not: lanes have consecutive columns
    x = blockIdx.x * TILE + threadIdx.x;   // column of `out`
    y = blockIdx.y * TILE + threadIdx.y;   // row of `out`
    for (int i = 0; i < ROWS; i++)
        if (x < rows && y + i * STEP < cols)
            out[(y + i * STEP) * rows + x] = tile[threadIdx.x][threadIdx.y + i * STEP];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    if (ceil_div(cols, TILE) > 65535)   // gridDim.y; only tiles of fewer than 32 reach it
        return refuse("at most 65535 tiles of columns: take a larger TILE");
    dim3 block(TILE, STEP);
    dim3 grid(ceil_div(rows, TILE), ceil_div(cols, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}

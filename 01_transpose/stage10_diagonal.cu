// stage10: diagonal block order (against partition camping, for GPUs before 2010)
//
// Those GPUs had up to 8 memory partitions, which alternated every 256 bytes. Blocks of stage 4
// that run together store to one column of tiles: with rows of 2^n bytes, all in one partition.
// Here blocks follow diagonals.
//
//   order of blocks, stage 4     0  1  2  3          here        0  4  8 12
//   (4 x 4 tiles of `in`)        4  5  6  7                     13  1  5  9
//   the last row is not shown    8  9 10 11                     10 14  2  6
// Look at: equal counts, 6 % less rate (H200). Of 44 us, the divisions cost 16 and the order 28.
// TILE=64 ROWS=8: 3 % less rate. DIAGONAL=0: the same divisions, and the order of stage 6.
// From: stage4
// make stage10 && ./stage10        make diff A=4 B=10        make stage10 DIAGONAL=0
// Expect (sm_90, 16384x16384): rate <= 0.97 * stage4.rate
// Expect (H200, 16384x16384): stage10[DIAGONAL=0].rate >= 1.05 * stage10[DIAGONAL=1].rate
// Expect (H200, 16384x16384): stage10[TILE=64 ROWS=8].rate >= 0.96 * stage4[TILE=64 ROWS=8].rate
#include "transpose.h"

#ifndef TILE
#define TILE 32
#endif
#ifndef ROWS
#define ROWS (TILE / 8)   // of the tile, per thread: one element in each
#endif
#ifndef DIAGONAL
#define DIAGONAL 1   // 0: along the columns of tiles of `in`, as in stage 6
#endif
#define STEP (TILE / ROWS)   // rows of the block: 8 by default
static_assert(TILE % ROWS == 0 && TILE * STEP <= 1024,
              "ROWS must divide TILE and leave at most 1024 threads");

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    float v[ROWS] = {};   // zero where the tile reaches past the matrix

    int number = blockIdx.y * gridDim.x + blockIdx.x;   // in the order in which blocks start
    int tile_row = number % gridDim.y;                  // the tile of this block, along a diagonal
    int tile_col = (number / gridDim.y + DIAGONAL * tile_row) % gridDim.x;
    int x = tile_col * TILE + threadIdx.x;   // column of `in`
    int y = tile_row * TILE + threadIdx.y;   // row of `in`

    // all loads first: nvcc unrolls the loops, and v is in registers
    for (int i = 0; i < ROWS; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = in[(y + i * STEP) * cols + x];
    for (int i = 0; i < ROWS; i++)
        tile[threadIdx.y + i * STEP][threadIdx.x] = v[i];
    __syncthreads();   // a thread reads what other threads stored

    x = tile_row * TILE + threadIdx.x;   // column of `out`
    y = tile_col * TILE + threadIdx.y;   // row of `out`
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

// stage3: shared-memory padding (no bank conflicts)
//
// In stage 2 a warp reads a column of a tile that is 32 words wide. All words of a column are in
// one bank, so the request is served in 32 passes (wavefronts). Here a row has 33 words, the last
// one unused: each row starts one bank later. A column is in 32 banks, and takes 1 wavefront.
//
//   bank of tile[row][col]    col 0   col 1   ...   col 31
//   row 0                       0       1             31
//   row 1                       1       2              0
//   row 31                     31       0             30       here (row + col) % 32, stage 2: col
//
// Look at: wavefronts per shared load, 1 instead of 32. The lecture's ladder ends here.
// make stage3 && ./stage3        make diff A=2 B=3        make stage3 TILE=16 (2 each: why?)
// Expect (cpu, 1024x1024): shared_wavefronts == shared_requests
// Expect (sm_90, 16384x16384): rate >= 1.6 * stage2.rate
// Expect (sm_90, 16384x16384): rate <= stage0.rate
#include "transpose.h"

#ifndef TILE
#define TILE 32
#endif
static_assert(TILE <= 32, "a block has TILE x TILE threads, at most 1024");

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int x = blockIdx.x * TILE + threadIdx.x;   // column of `in`
    int y = blockIdx.y * TILE + threadIdx.y;   // row of `in`

    if (x < cols && y < rows)
        tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();   // a thread reads what other threads stored

    // blockIdx.x and .y are swapped, threadIdx is not: lanes still have consecutive columns
    x = blockIdx.y * TILE + threadIdx.x;   // column of `out`
    y = blockIdx.x * TILE + threadIdx.y;   // row of `out`
    if (x < rows && y < cols)
        out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    if (ceil_div(rows, TILE) > 65535)   // gridDim.y; only tiles of fewer than 32 reach it
        return refuse("at most 65535 tiles of rows: take a larger TILE");
    dim3 block(TILE, TILE);
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}

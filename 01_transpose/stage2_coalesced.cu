// stage2: coalesced loads and stores through a shared-memory tile
//
// Stage 1 stores down a column of `out`: each warp touches 32 sectors to write 128 bytes.
// Here a block stores a 32x32 tile of `in` in shared memory by rows, reads it by columns, and
// stores it to `out` by rows: 4 sectors per request on both sides. The column access has moved to
// shared memory, where all 32 words of a column share one bank: a 32-way bank conflict, served in
// 32 passes (wavefronts) instead of 1.
//
//   in:  row y   [x0 x1 ... x31]        tile[ty][tx]   row access: 1 wavefront
//   out: row x   [y0 y1 ... y31]        tile[tx][ty]   column access: 32 wavefronts
//
// Look at: wavefronts per shared request, 16.5: 1 for a store, 32 for a load.
// make stage2 && ./stage2        make diff A=1 B=2
// Expect (cpu, 1024x1024): st_sectors == 4 * st_requests
// Expect (cpu, 1024x1024): shared_wavefronts == 33 * shared_requests / 2
// Expect (sm_90, 16384x16384): rate >= 1.7 * stage1.rate
#include "transpose.h"

#ifndef TILE
#define TILE 32
#endif
static_assert(TILE <= 32, "a block has TILE x TILE threads, at most 1024");

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];

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

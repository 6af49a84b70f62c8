// stage2: coalesced. Turn the tile round in shared memory, so that both global sides run along
// rows.
//
// Stage 1 wrote one float into each of 32 sectors. Change: a block reads its tile by rows into
// shared memory, and after the barrier each warp takes a column of the tile and writes it as a row
// of the output. What is new and bad: the 32 floats of a column lie 32 words apart, all in one of
// the 32 banks, so that one request takes 32 wavefronts.
//
// make stage2 && ./stage2; make diff A=1 B=2
//
// Expect (cpu, 1024x1024): st_sectors == 4 * st_requests
// Expect (cpu, 1024x1024): shared_wavefronts == 33 * shared_requests / 2
// Expect (sm_90, 16384x16384): rate >= 1.7 * stage1.rate
// Expect (sm_90, 16384x16384): rate <= 0.6 * stage0.rate
#include "transpose.h"

#ifndef TILE
#define TILE 32
#endif
static_assert(TILE >= 1 && TILE <= 32, "a block has at most 1024 threads");

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE];

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;

    if (x < cols && y < rows)
        tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < rows && y < cols)
        out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 block(TILE, TILE);
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}

// stage3: no bank conflicts. One unused column in the tile, and the columns come out in one
// wavefront.
//
// Stage 2 read columns of a tile that is 32 words wide: 32 floats from one bank. Change: the tile
// is 33 words wide, so that neighbours in a column lie in neighbouring banks. One character in the
// declaration, and the end of the slides' ladder.
//
// make stage3 && ./stage3; make diff A=2 B=3
//
// Expect (cpu, 1024x1024): shared_wavefronts == shared_requests
// Expect (cpu, 1024x1024): st_sectors == 4 * st_requests
// Expect (sm_90, 16384x16384): rate >= 1.6 * stage2.rate
// Expect (sm_90, 16384x16384): rate <= stage0.rate
#include "transpose.h"

#ifndef TILE
#define TILE 32
#endif
static_assert(TILE >= 1 && TILE <= 32, "a block has at most 1024 threads");

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

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

// stage1: naive transpose. The copy with the output index turned round, and it is several times
// slower.
//
// Change: thread (x, y) writes out[x][y]. A warp still reads 32 neighbours, but its 32 writes go to
// 32 different rows of the output: one request touches 32 sectors and uses 4 bytes of each.
//
// make stage1 && ./stage1; make diff A=0 B=1
//
// Expect (cpu, 1024x1024): ld_sectors == 4 * ld_requests
// Expect (cpu, 1024x1024): st_sectors == 32 * st_requests
// Expect (sm_90, 16384x16384): rate <= 0.3 * stage0.rate
#include "transpose.h"

#ifndef TILE
#define TILE 32
#endif
static_assert(TILE >= 1 && TILE <= 32, "a block has at most 1024 threads");

__global__ void transpose_naive(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;

    if (x < cols && y < rows)
        out[x * rows + y] = in[y * cols + x];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 block(TILE, TILE);
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    transpose_naive<<<grid, block>>>(in, out, rows, cols);
}

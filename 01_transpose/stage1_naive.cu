// stage1: naive transpose (uncoalesced stores)
//
// Stage 0 with the output index swapped: thread (x, y) stores out[x][y]. A warp still loads 32
// consecutive floats, but stores them down a column of `out`, each to another row: one request
// touches 32 sectors and uses 4 of the 32 bytes of each.
//
//   in    row y        lanes 0 1 2 ... 31     1 request, 4 sectors
//   out   row x        lane 0                 1 request, 32 sectors
//         row x + 1    lane 1
//         row x + 2    lane 2 ...
//
// Look at: sectors per store request, 32 instead of 4. The rate is below a third of the copy's.
// make stage1 && ./stage1        make diff A=0 B=1
// Expect (cpu, 1024x1024): ld_sectors == 4 * ld_requests
// Expect (cpu, 1024x1024): st_sectors == 32 * st_requests
// Expect (sm_90, 16384x16384): rate <= 0.3 * stage0.rate
#include "transpose.h"

#define TILE 32

__global__ void transpose_naive(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * TILE + threadIdx.x;   // column of `in`
    int y = blockIdx.y * TILE + threadIdx.y;   // row of `in`

    if (x < cols && y < rows)
        out[x * rows + y] = in[y * cols + x];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 block(TILE, TILE);
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    transpose_naive<<<grid, block>>>(in, out, rows, cols);
}

// stage0: copy. The slides' measure for every transpose: the same bytes, and nothing turned round.
//
// One thread an element, in blocks of TILE x TILE. A warp reads 32 neighbouring floats and writes
// 32 neighbouring floats: one request each way, of four 32-byte sectors, all of whose bytes are
// used. Nothing is wasted, and yet one float a thread keeps too few bytes on their way for today's
// memory: ref_memcpy is twice as fast, and from stage 4 on transposes overtake this copy.
//
// make stage0 && ./stage0
//
// Computes: copy
// Expect (cpu, 1024x1024): ld_sectors == 4 * ld_requests
// Expect (cpu, 1024x1024): st_sectors == 4 * st_requests
// Expect (sm_90, 16384x16384): rate <= 0.5 * ref_memcpy.rate
#include "transpose.h"

#ifndef TILE
#define TILE 32
#endif
static_assert(TILE >= 1 && TILE <= 32, "a block has at most 1024 threads");

__global__ void copy(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;

    if (x < cols && y < rows)
        out[y * cols + x] = in[y * cols + x];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 block(TILE, TILE);
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    copy<<<grid, block>>>(in, out, rows, cols);
}

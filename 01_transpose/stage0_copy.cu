// stage0: copy (coalesced, one float per thread)
//
// The lecture's reference for a transpose: the same bytes, without the transposition. Each thread
// copies one float. A warp loads 32 consecutive floats and stores 32 consecutive floats: one
// request each, which takes 4 sectors of 32 bytes, and all of their bytes are used.
//
//   lane       0 ... 7    8 ... 15   16 ... 23   24 ... 31
//   in, out    sector 0   sector 1   sector 2    sector 3
//
// Look at: sectors per request, 4 for loads and for stores. One float per thread keeps too few
// bytes in flight: ref_memcpy and stages 4 to 8 are 1.5 to 2.2 times as fast (H100, H200).
// make stage0 && ./stage0
// Computes: copy
// Expect (cpu, 1024x1024): ld_sectors == 4 * ld_requests
// Expect (cpu, 1024x1024): st_sectors == 4 * st_requests
// Expect (sm_90, 16384x16384): rate <= 0.65 * ref_memcpy.rate
#include "transpose.h"

#define TILE 32   // a block copies TILE x TILE floats, one per thread

__global__ void copy(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * TILE + threadIdx.x;   // column of `in`
    int y = blockIdx.y * TILE + threadIdx.y;   // row of `in`

    if (x < cols && y < rows)
        out[y * cols + x] = in[y * cols + x];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 block(TILE, TILE);
    // ceil_div(a, b): a / b, rounded up
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    copy<<<grid, block>>>(in, out, rows, cols);
}

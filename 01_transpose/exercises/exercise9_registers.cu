// exercise9: transpose in registers: full sectors on both sides, without shared memory
//
// Task: do this after stage 7. Each thread transposes a tile of 4x4 floats: it loads a float4 from
// each of four rows of `in`, and stores a float4 to each of four rows of `out`. The kernel has the
// loads and stores, but the wrong thread for each tile: lanes along x only. Run ./exercise9: a
// store request takes 32 sectors, of 16 bytes each. Place the 32 lanes so that both sides use every
// byte of each sector: a warp has 4 threads along x and 8 along y. Sizes are multiples of 4.
//
// Hint: A load request touches one row of `in` per ty. How many floats of a row do the lanes with
// the same ty load together? How many of a row of `out` do those with the same tx store?
// Hint: A sector is 8 floats, two float4. So at least two lanes must be neighbors along x for the
// loads, and two along y for the stores. 4 lanes along x load 2 full sectors of 8 rows.
// Hint: Let 4 lanes lie along x and 8 along y. Which tile has the warp then, in columns and
// rows? Let the 8 warps of a block be adjacent: where in the block's columns does warp
// threadIdx.y start? The grid follows from the tile of the block.
//
// Points 1: correct
// Points 1 (cpu, 256x256): ld_requests == 512 and ld_sectors == 8192
// Points 6 (cpu, 256x256): st_requests == 512 and st_sectors == 8192
// Points 1 (cpu, 256x256): barriers + shared_bytes == 0 and st_requests == 512
// Points 1 (gpu, 16384x16384): rate >= 0.3 * ref_memcpy.rate
// Check (cpu, 70004x8)
// Check (cpu, 8x70004)
#include "transpose.h"

#define BLOCK_COLS 128   // of `in`, for 8 warps
#define BLOCK_ROWS 32

__global__ void transpose_registers(const float *in, float *out, int rows, int cols)
{
#ifdef SOLUTION
    int tx = threadIdx.x % 4, ty = threadIdx.x / 4;                // of the lane, in its warp
    int x = blockIdx.x * BLOCK_COLS + 16 * threadIdx.y + 4 * tx;   // first of 4 columns of `in`
    int y = blockIdx.y * BLOCK_ROWS + 4 * ty;                      // first of 4 rows
#else
    // TODO: place the lanes of a warp: 4 along x, 8 along y
    int x = blockIdx.x * BLOCK_COLS + 4 * threadIdx.x;   // first of 4 columns of `in`
    int y = blockIdx.y * BLOCK_ROWS + 4 * threadIdx.y;   // first of 4 rows
#endif
    float4 v[4];

    if (x >= cols || y >= rows)
        return;
    for (int i = 0; i < 4; i++)
        v[i] = *(const float4 *)&in[(y + i) * cols + x];
    *(float4 *)&out[(x + 0) * rows + y] = make_float4(v[0].x, v[1].x, v[2].x, v[3].x);
    *(float4 *)&out[(x + 1) * rows + y] = make_float4(v[0].y, v[1].y, v[2].y, v[3].y);
    *(float4 *)&out[(x + 2) * rows + y] = make_float4(v[0].z, v[1].z, v[2].z, v[3].z);
    *(float4 *)&out[(x + 3) * rows + y] = make_float4(v[0].w, v[1].w, v[2].w, v[3].w);
}

void transpose(const float *in, float *out, int rows, int cols)
{
    if (rows % 4 || cols % 4)   // reports why, and launches nothing
        return refuse("multiples of 4 only");
    dim3 block(32, 8);
    dim3 grid(ceil_div(cols, BLOCK_COLS), ceil_div(rows, BLOCK_ROWS));

    transpose_registers<<<grid, block>>>(in, out, rows, cols);
}

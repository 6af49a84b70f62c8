// exercise4: find the bug: a block that transposes several tiles
//
// Task: do this after stage 4. A block of this kernel transposes four neighboring tiles, one after
// the other, so the grid has a quarter of the blocks. `./exercise4` reports a fault, and on a GPU
// some elements of `out` are sometimes wrong. Which two accesses race, which threads make them, and
// in which iterations of the loop? Correct it with as few barriers as possible.
//
// Question: Which two accesses to `tile` race?
// a) A store, and the read of the same word in the same iteration.
// b) Two stores of different warps to the same word, in the same iteration.
// c) A read by a slow warp, and a store by a fast warp that is in the next iteration.
// d) A read and a store of one warp, in two iterations.
// Answer: c
//
// Hint: Read the report: which array is it, and which two lines? The line that writes is before the
// line that reads, and a barrier is between them. So is it the write of the same iteration, or that
// of another one?
// Hint: There are 8 warps, and each runs at its own speed. A warp that has stored its part of tile
// 0 goes on. What does it do next, while another warp still stores tile 0?
// Hint: All warps must have read the tile before any of them writes the next one to it. What makes
// the warps of a block wait for each other, where in the loop must it be, and in which iterations?
//
// Points 3: correct
// Points 1: answer
// Points 4 (cpu, 256x256): barriers <= 1024 and warp_ld_requests == 16 and
//     ld_sectors + st_sectors == 16384
// Points 1 (cpu, 256x256): barriers <= 896 and warp_ld_requests == 16
// Points 1 (gpu, 16384x16384): rate >= 0.6 * ref_memcpy.rate
// Check (cpu, 40001x5)
// Check (cpu, 5x70001)
#include "transpose.h"

#define TILE 32
#define TILES 4   // of a block, side by side in `in`
#define ROWS 4
#define STEP (TILE / ROWS)   // rows of the block

__global__ void transpose_tiles(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int y0 = blockIdx.y * TILE;   // first row of the tiles in `in`

    for (int t = 0; t < TILES; t++) {
        int x0 = (blockIdx.x * TILES + t) * TILE;   // first column of this tile in `in`
        float v[ROWS] = {};                         // zero where the tile reaches past the matrix

        int x = x0 + threadIdx.x;   // column of `in`
        int y = y0 + threadIdx.y;   // row of `in`
        for (int i = 0; i < ROWS; i++)
            if (x < cols && y + i * STEP < rows)
                v[i] = in[(y + i * STEP) * cols + x];
        for (int i = 0; i < ROWS; i++)
            tile[threadIdx.y + i * STEP][threadIdx.x] = v[i];
        __syncthreads();

        x = y0 + threadIdx.x;   // column of `out`
        y = x0 + threadIdx.y;   // row of `out`
        for (int i = 0; i < ROWS; i++)
            if (x < rows && y + i * STEP < cols)
                out[(y + i * STEP) * rows + x] = tile[threadIdx.x][threadIdx.y + i * STEP];
#ifdef SOLUTION
        if (t + 1 < TILES)     // the same in all threads
            __syncthreads();   // all warps have read the tile before the next one replaces it
#else
#endif
    }
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 block(TILE, STEP);
    dim3 grid(ceil_div(cols, TILE * TILES), ceil_div(rows, TILE));

    transpose_tiles<<<grid, block>>>(in, out, rows, cols);
}

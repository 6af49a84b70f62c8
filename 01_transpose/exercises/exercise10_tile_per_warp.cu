// exercise10: a tile per warp: no warp waits for another one
//
// Task: do this after stage 4. The barrier of stage 4 stops a block of 8 warps until its slowest
// load has arrived. Here each warp has a warp tile, 32x32 floats in shared memory: it loads the 32
// rows, and stores 32 rows of `out`. Then only the lanes of one warp exchange data, and
// __syncwarp() is enough. Load ROWS = 8 rows before the first use, four times. Solved: right at any
// size, no barrier of the block, 4 sectors per request, 1 wavefront per shared request.
//
// Hint: Which lanes read what a lane has stored to the tile: those of its warp, or also others?
// What must __syncwarp() separate?
// Hint: Lane l is threadIdx.x, and the warp is threadIdx.y. A warp loads row r of its tile with one
// request: tile[threadIdx.y][r][l]. How wide must a row be for the reads by column?
// Hint: First all 32 rows are loaded, ROWS at a time as in stage 4, and stored to the tile of
// this warp. What must come before the first read? Then the warp writes one row of `out` after
// another. Which column of the tile is row c of it, and which row of the tile has lane l?
//
// Points 2: correct
// Points 3 (cpu, 256x256): barriers == 0 and shared_wavefronts == 4096 and
//     ld_sectors + st_sectors == 16384
// Points 2 (cpu, 256x256): shared_wavefronts == 4096 and ld_sectors + st_sectors == 16384
// Points 2 (cpu, 256x256): ld_sectors + st_sectors == 16384
// Points 1 (gpu, 16384x16384): rate >= 0.5 * ref_memcpy.rate
// Check (cpu, 40001x5)
// Check (cpu, 5x70001)
#include "transpose.h"

#define TILE 32
#define WARPS 8   // of a block, each with a tile
#define ROWS 8    // of the tile, loaded before the first is used

__global__ void transpose_warps(const float *in, float *out, int rows, int cols)
{
#ifdef SOLUTION
    __shared__ float tile[WARPS][TILE][TILE + 1];
#else
    __shared__ float tile[WARPS][TILE][TILE];
#endif
    int l = threadIdx.x;
    int tile_x = blockIdx.x * WARPS + threadIdx.y;   // of this warp, along a row of `in`
    int tile_y = blockIdx.y;

#ifdef SOLUTION
    int x = tile_x * TILE + l;   // column of `in`

    for (int r = 0; r < TILE; r += ROWS) {
        float v[ROWS] = {};   // zero where the tile reaches past the matrix

        for (int i = 0; i < ROWS; i++)
            if (x < cols && tile_y * TILE + r + i < rows)
                v[i] = in[(tile_y * TILE + r + i) * cols + x];
        for (int i = 0; i < ROWS; i++)
            tile[threadIdx.y][r + i][l] = v[i];
    }
    __syncwarp();   // lanes read what other lanes of the warp stored

    x = tile_y * TILE + l;   // column of `out`
    for (int c = 0; c < TILE; c++)
        if (x < rows && tile_x * TILE + c < cols)
            out[(tile_x * TILE + c) * rows + x] = tile[threadIdx.y][l][c];
#else
    // TODO: load the tile of this warp by rows of `in`, and store it by rows of `out`
#endif
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 block(32, WARPS);
    dim3 grid(ceil_div(ceil_div(cols, TILE), WARPS), ceil_div(rows, TILE));

    transpose_warps<<<grid, block>>>(in, out, rows, cols);
}

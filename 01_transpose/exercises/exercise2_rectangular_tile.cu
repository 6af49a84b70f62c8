// exercise2: rectangular tile: 64 rows x 32 columns of `in`, eight loads in flight per thread
//
// Task: do this after stage 4. Write the kernel for a tile of 64 rows and 32 columns of `in`, and a
// block of 32x8 threads. Each thread loads eight elements before it uses the first. In `out` the
// tile has 32 rows and 64 columns, so a block stores pieces of 256 bytes, twice as long as in stage
// 4. Solved: any size is right; global requests take 4 sectors, shared requests 1 wavefront; there
// are half as many barriers as in stage 4, and at most 8448 bytes of shared memory.
//
// Hint: How many of the 64 rows does the block load at a time? Which element of v belongs to which
// row? How wide must a row of the tile be, so that 32 lanes read a column from 32 banks?
// Hint: The loads are those of stage 4, with eight rows per thread: row threadIdx.y + i * STEP. A
// warp has 32 lanes, and a row of the tile in `out` has 64 columns. So how often must a warp store
// to one row of `out`?
// Hint: Store in two loops: over the rows of `out`, and over its two halves of 32 columns. A row
// of `out` is a column of the tile, so which index of the tile does the lane choose, and which
// one the loop over rows? In `out` both indices are relative to the corner of the tile: which of
// TILE_ROWS and TILE_COLS belongs to blockIdx.x there?
//
// Points 2: correct
// Points 1 (cpu, 256x256): ld_sectors + st_sectors == 16384
// Points 2 (cpu, 256x256): shared_wavefronts == 4096 and ld_sectors + st_sectors == 16384
// Points 3 (cpu, 256x256): barriers == 256 and ld_sectors + st_sectors == 16384
// Points 1 (cpu, 256x256): shared_bytes >= 8192 and shared_bytes <= 8448
// Points 1 (gpu, 16384x16384): rate >= 0.75 * ref_memcpy.rate
// Check (cpu, 70001x5)
// Check (cpu, 5x70001)
#include "transpose.h"

#define TILE_ROWS 64   // of `in`
#define TILE_COLS 32
#define STEP 8                     // rows of the block
#define LOADS (TILE_ROWS / STEP)   // per thread

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
#ifdef SOLUTION
    __shared__ float tile[TILE_ROWS][TILE_COLS + 1];
    float v[LOADS] = {};   // zero where the tile reaches past the matrix

    int x = blockIdx.x * TILE_COLS + threadIdx.x;   // column of `in`
    int y = blockIdx.y * TILE_ROWS + threadIdx.y;   // row of `in`

    for (int i = 0; i < LOADS; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = in[(y + i * STEP) * cols + x];
    for (int i = 0; i < LOADS; i++)
        tile[threadIdx.y + i * STEP][threadIdx.x] = v[i];
    __syncthreads();

    x = blockIdx.y * TILE_ROWS + threadIdx.x;   // column of `out`, and x + 32
    y = blockIdx.x * TILE_COLS + threadIdx.y;   // row of `out`
    for (int i = 0; i < TILE_COLS / STEP; i++)
        for (int j = 0; j < TILE_ROWS; j += 32)
            if (x + j < rows && y + i * STEP < cols)
                out[(y + i * STEP) * rows + x + j] = tile[threadIdx.x + j][threadIdx.y + i * STEP];
#else
    __shared__ float tile[TILE_ROWS][TILE_COLS];
    float v[LOADS] = {};   // zero where the tile reaches past the matrix

    // TODO: load the tile by rows of `in`, transpose it in shared memory, store it by rows of `out`
#endif
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 block(32, STEP);
    dim3 grid(ceil_div(cols, TILE_COLS), ceil_div(rows, TILE_ROWS));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}

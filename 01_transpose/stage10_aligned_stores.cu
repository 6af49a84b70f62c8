// stage10: sector-aligned stores for any shape
//
// Stage 4 takes any shape, but at 4099x8191 its rate falls by a third: rows of `out` do not start
// at a sector, so two blocks each write a part of the sector between them. Here each piece of a row
// starts 0 to 7 floats earlier, at a sector. The tile has a halo for these floats: 8 rows of `in`.
//
//   sectors of a row of out    |........|........|........|........|
//   pieces in stage 4          ...aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbb
//   pieces here                |aaaaaaaaaaaaaaaa|bbbbbbbbbbbbbbbb|
//
// Eight 4-byte loads in flight per thread and stage 8's raster order are nearly as fast as float4.
// From: stage4
// make stage10 && ./stage10 -n 4099x8191        make diff A=4 B=10
// Expect (cpu, 1023x1025): st_sectors <= 4 * st_requests
// Expect (sm_90, 16384x16384): rate >= 0.98 * stage8.rate
// Expect (sm_90, 4099x8191): rate >= 1.4 * stage4.rate
#include "transpose.h"

#define TILE 64
#define SECTOR 8               // floats
#define STEP SECTOR            // rows of the block, so that y % SECTOR is the same in all passes
#define PASSES (TILE / STEP)   // rows per thread

__global__ void transpose_tile(const float *in, float *out, int rows, int cols, int sheared)
{
    __shared__ float tile[SECTOR + TILE][TILE + 1];   // the first SECTOR rows are the halo
    float above = 0, v[PASSES] = {};                  // zero where the tile reaches past the matrix

    int left = (blockIdx.z * gridDim.y + blockIdx.y) * TILE;   // first column of the tile in `in`
    int top = blockIdx.x * TILE;                               // first row
    int x = left + threadIdx.x;                                // column of `in`
    int y = top + threadIdx.y;                                 // row of `in`

    for (int i = 0; i < PASSES; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = in[(y + i * STEP) * cols + x];
    if (sheared && x < cols && y >= SECTOR && y - SECTOR < rows)
        above = in[(y - SECTOR) * cols + x];
    for (int i = 0; i < PASSES; i++)
        tile[SECTOR + threadIdx.y + i * STEP][threadIdx.x] = v[i];
    if (sheared)
        tile[threadIdx.y][threadIdx.x] = above;
    __syncthreads();

    y = left + threadIdx.y;   // row of `out`
    // floats between the start of a sector and column `top` of row y: (y * rows + top) % SECTOR
    int back = y % SECTOR * (rows % SECTOR) % SECTOR;
    x = top - back + threadIdx.x;   // column of `out`
    for (int i = 0; i < PASSES; i++)
        if (x >= 0 && x < rows && y + i * STEP < cols)
            out[(y + i * STEP) * rows + x] =
                tile[SECTOR - back + threadIdx.x][threadIdx.y + i * STEP];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    // the most floats that a piece starts earlier; 0 if every row of `out` starts at a sector
    int sheared = rows % SECTOR ? SECTOR - 1 : 0;
    int across = ceil_div(cols, TILE);
    int layers = ceil_div(across, 65535);   // 65535 is the largest gridDim.y
    dim3 block(TILE, STEP);
    dim3 grid(ceil_div(rows + sheared, TILE), ceil_div(across, layers), layers);

    transpose_tile<<<grid, block>>>(in, out, rows, cols, sheared);
}

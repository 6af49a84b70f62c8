// stage5: diagonal order of blocks. What quadrupled the rate in 2009 does nothing today, or harm.
//
// Memory was then split into six or eight partitions of 256 bytes, one after the other. Blocks that
// run together write below one another, so that with rows of 2^n bytes all of them met in the same
// partition ("partition camping"). Change: blocks count along diagonals of the grid. Since 2010 the
// hardware mixes all bits of an address to choose the partition, and nothing is left to cure.
//
// make stage5 && ./stage5; make diff A=4 B=5
//
// Expect (cpu, 1024x1024): ld_sectors == stage4.ld_sectors
// Expect (cpu, 1024x1024): st_sectors == stage4.st_sectors
// Expect (sm_90, 16384x16384): rate <= 0.97 * stage4.rate
#include "transpose.h"

#ifndef TILE
#define TILE 32
#endif
#ifndef ROWS
#define ROWS 4
#endif
#define STEP (TILE / ROWS)
static_assert(TILE % ROWS == 0 && TILE * STEP <= 1024,
              "ROWS must divide TILE and leave at most 1024 threads");

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    float v[ROWS] = {};   // zero where the tile reaches past the matrix

    int number = blockIdx.y * gridDim.x + blockIdx.x;
    int block_y = number % gridDim.y;
    int block_x = (number / gridDim.y + block_y) % gridDim.x;
    int x = block_x * TILE + threadIdx.x;
    int y = block_y * TILE + threadIdx.y;

    for (int i = 0; i < ROWS; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = in[(y + i * STEP) * cols + x];
    for (int i = 0; i < ROWS; i++)
        tile[threadIdx.y + i * STEP][threadIdx.x] = v[i];
    __syncthreads();

    x = block_y * TILE + threadIdx.x;
    y = block_x * TILE + threadIdx.y;
    for (int i = 0; i < ROWS; i++)
        if (x < rows && y + i * STEP < cols)
            out[(y + i * STEP) * rows + x] = tile[threadIdx.x][threadIdx.y + i * STEP];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 block(TILE, STEP);
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}

// stage6: raster order of blocks (contiguous stores, scattered loads)
//
// float4 must be aligned to 16 bytes, so stages 6 to 8 refuse sizes that are not multiples of 4.
// What made them fast does not need float4: this is stage 4 with stage 6's tile of 64x64, which
// gives a thread eight loads in flight, and with stage 8's order of blocks.
//
//                  tile     rows per thread     in flight per thread     order of blocks
//   stage 4        32x32           4            4 loads x  4 bytes       along rows of `in`
//   stage 8        64x64           2            2 loads x 16 bytes       along rows of `out`
//   here           64x64           8            8 loads x  4 bytes       along rows of `out`
//
// Look at: stage 8's rate with four times its load requests. Requests are not the limit.
// From: stage4
// make stage10 && ./stage10        make diff A=4 B=10
// Expect (cpu, 1024x1024): ld_requests == 4 * stage8.ld_requests
// Expect (sm_90, 16384x16384): rate >= 0.98 * stage8.rate
#include "transpose.h"

#define TILE 64
#define ROWS 8
#define STEP (TILE / ROWS)   // rows of the block

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    float v[ROWS] = {};   // zero where the tile reaches past the matrix

    int x = blockIdx.y * TILE + threadIdx.x;   // column of `in`
    int y = blockIdx.x * TILE + threadIdx.y;   // row of `in`

    for (int i = 0; i < ROWS; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = in[(y + i * STEP) * cols + x];
    for (int i = 0; i < ROWS; i++)
        tile[threadIdx.y + i * STEP][threadIdx.x] = v[i];
    __syncthreads();

    x = blockIdx.x * TILE + threadIdx.x;   // column of `out`
    y = blockIdx.y * TILE + threadIdx.y;   // row of `out`
    for (int i = 0; i < ROWS; i++)
        if (x < rows && y + i * STEP < cols)
            out[(y + i * STEP) * rows + x] = tile[threadIdx.x][threadIdx.y + i * STEP];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 block(TILE, STEP);
    dim3 grid(ceil_div(rows, TILE), ceil_div(cols, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}

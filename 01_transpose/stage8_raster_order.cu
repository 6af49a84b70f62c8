// stage8: blocks down the columns. Blocks that run together write neighbouring memory, and reads
// are scattered instead.
//
// The hardware starts blocks in the order of blockIdx.x. In stage 7 that runs along a row of tiles:
// the SMs together read whole rows of the input, and write pieces of 256 bytes, each in another row
// of the output. Scattered writes cost more than scattered reads, as the rates show. Change: x and
// y change places in the grid. Compare with stage 5, which scatters both sides. Is what is still
// missing to ref_memcpy the price of the scattered reads? A copy that takes its tiles in this order
// would tell: question 5 of the week.
//
// make stage8 && ./stage8; make diff A=7 B=8
//
// Expect (cpu, 1024x1024): ld_sectors == stage7.ld_sectors
// Expect (cpu, 1024x1024): st_sectors == stage7.st_sectors
// Expect (sm_90, 16384x16384): rate >= 1.015 * stage7.rate
// Expect (sm_90, 16384x16384): rate >= 1.03 * ref_cublas.rate
// Expect (sm_90, 16384x16384): rate >= 0.96 * ref_memcpy.rate
#include "transpose.h"

#ifndef TILE
#define TILE 64
#endif
#define CHUNKS (TILE / 4)
#define STEP (TILE / 2)
static_assert(TILE == 32 || TILE == 64, "TILE must be 32 or 64");

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 tile[TILE][CHUNKS];
    float4 v[2] = {};   // zero where the tile reaches past the matrix

    int x = blockIdx.y * TILE + 4 * threadIdx.x;
    int y = blockIdx.x * TILE + threadIdx.y;

    for (int i = 0; i < 2; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = *(const float4 *)&in[(y + i * STEP) * cols + x];
    for (int i = 0; i < 2; i++) {
        int row = threadIdx.y + i * STEP;
        tile[row][threadIdx.x ^ row / 4 % 8] = v[i];
    }
    __syncthreads();

    int chunk = threadIdx.y / 2;
    int half = (threadIdx.y ^ threadIdx.x / 8) % 2;
    float2 w[4];
    for (int i = 0; i < 4; i++)
        w[i] = ((const float2 *)&tile[4 * threadIdx.x + i][chunk ^ threadIdx.x % 8])[half];

    x = blockIdx.x * TILE + 4 * threadIdx.x;
    y = blockIdx.y * TILE + 4 * chunk + 2 * half;
    if (x < rows && y < cols) {
        *(float4 *)&out[y * rows + x] = make_float4(w[0].x, w[1].x, w[2].x, w[3].x);
        *(float4 *)&out[(y + 1) * rows + x] = make_float4(w[0].y, w[1].y, w[2].y, w[3].y);
    }
}

void transpose(const float *in, float *out, int rows, int cols)
{
    if (rows % 4 || cols % 4)
        return refuse("multiples of 4 only");
    dim3 block(CHUNKS, STEP);
    dim3 grid(ceil_div(rows, TILE), ceil_div(cols, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}

// stage6: float4. Sixteen bytes a load and store, and rows of 256 bytes.
//
// Stage 4 needs one instruction for each float. Change: tiles of 64 x 64, whose rows threads load
// and store as float4: a quarter of the requests, twice the bytes in flight. Shared memory still
// takes single floats, since a tile 65 words wide puts its rows at odd addresses. And padding
// fails: threads 8 apart in a row are 32 words apart, one bank, whatever the width. Two wavefronts
// a request.
//
// make stage6 && ./stage6; make diff A=4 B=6; make stage6 ROWS=4 && ./stage6
//
// Expect (cpu, 1024x1024): ld_requests == stage4.ld_requests / 4
// Expect (cpu, 1024x1024): ld_sectors == stage4.ld_sectors
// Expect (cpu, 1024x1024): shared_wavefronts == 2 * shared_requests
// Expect (sm_90, 16384x16384): rate >= 1.1 * stage4.rate
#include "transpose.h"

#ifndef TILE
#define TILE 64
#endif
#ifndef ROWS
#define ROWS 2
#endif
#define STEP (TILE / ROWS)
static_assert(TILE % (4 * ROWS) == 0 && TILE / 4 * STEP <= 1024,
              "4 * ROWS must divide TILE and leave at most 1024 threads");

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    float4 v[ROWS] = {};   // zero where the tile reaches past the matrix

    int x = blockIdx.x * TILE + 4 * threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;

    for (int i = 0; i < ROWS; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = *(const float4 *)&in[(y + i * STEP) * cols + x];
    for (int i = 0; i < ROWS; i++) {
        float *row = &tile[threadIdx.y + i * STEP][4 * threadIdx.x];
        row[0] = v[i].x, row[1] = v[i].y, row[2] = v[i].z, row[3] = v[i].w;
    }
    __syncthreads();

    x = blockIdx.y * TILE + 4 * threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int i = 0; i < ROWS; i++) {
        float *column = &tile[4 * threadIdx.x][threadIdx.y + i * STEP];
        float4 four = make_float4(column[0], column[TILE + 1], column[2 * (TILE + 1)],
                                  column[3 * (TILE + 1)]);
        if (x < rows && y + i * STEP < cols)
            *(float4 *)&out[(y + i * STEP) * rows + x] = four;
    }
}

void transpose(const float *in, float *out, int rows, int cols)
{
    if (rows % 4 || cols % 4)
        return refuse("multiples of 4 only");
    dim3 block(TILE / 4, STEP);
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}

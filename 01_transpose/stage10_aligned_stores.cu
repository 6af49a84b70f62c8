// stage10: any shape at full rate. Where rows are not multiples of 32 bytes, each row of the output
// begins its pieces where a sector begins.
//
// Stages 6 to 8 want float4, and stage 4 on a matrix of 4099 x 8191 falls to two thirds of its
// rate: a piece of a row of the output begins and ends inside a 32-byte sector, and two blocks
// write a part of it each. Change: a row's piece is moved back by 0 to 7 floats, to where its
// sector begins. The tile holds 8 more rows of the input, from above it, so that there is something
// to write. Single floats again: with eight loads a thread on their way and the order of stage 8
// they are nearly as fast as float4.
//
// make stage10 && ./stage10; ./stage10 -n 4099x8191; ./stage4 -n 4099x8191
//
// Expect (cpu, 1024x1024): st_sectors == 4 * st_requests
// Expect (cpu, 1024x1024): shared_wavefronts == shared_requests
// Expect (cpu, 1023x1025): st_sectors <= 4 * st_requests
// Expect (sm_90, 16384x16384): rate >= 0.98 * stage8.rate
// Expect (sm_90, 16384x16384): rate >= 1.02 * ref_cublas.rate
// Expect (sm_90, 4099x8191): rate >= 0.9 * ref_memcpy.rate
// Expect (sm_90, 4099x8191): rate >= 1.4 * stage4.rate
#include "transpose.h"

#define TILE 64
#define SECTOR 8      // floats
#define STEP SECTOR   // rows a pass: y % SECTOR is the same in all passes
#define PASSES (TILE / STEP)

__global__ void transpose_tile(const float *in, float *out, int rows, int cols, int sheared)
{
    __shared__ float tile[SECTOR + TILE][TILE + 1];
    float above = 0, v[PASSES] = {};   // zero where the tile reaches past the matrix

    int left = (blockIdx.z * gridDim.y + blockIdx.y) * TILE;
    int top = blockIdx.x * TILE;
    int x = left + threadIdx.x;
    int y = top + threadIdx.y;

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

    y = left + threadIdx.y;
    // so far into a sector does place `top` of row y lie
    int back = y % SECTOR * (rows % SECTOR) % SECTOR;
    x = top - back + threadIdx.x;
    for (int i = 0; i < PASSES; i++)
        if (x >= 0 && x < rows && y + i * STEP < cols)
            out[(y + i * STEP) * rows + x] =
                tile[SECTOR - back + threadIdx.x][threadIdx.y + i * STEP];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    // the last tile of a column may have to move back so far
    int sheared = rows % SECTOR ? SECTOR - 1 : 0;
    int across = ceil_div(cols, TILE);
    int layers = ceil_div(across, 65535);   // a grid has no more blocks than that along y
    dim3 block(TILE, STEP);
    dim3 grid(ceil_div(rows + sheared, TILE), ceil_div(across, layers), layers);

    transpose_tile<<<grid, block>>>(in, out, rows, cols, sheared);
}

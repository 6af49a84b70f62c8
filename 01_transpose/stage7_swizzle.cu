// stage7: swizzle. Shared memory without padding and without conflicts, 16 bytes in and 8 bytes
// out.
//
// Stage 6 makes 16 shared requests, of two wavefronts each, for every 4 global ones. Change: the
// tile holds chunks of four floats, and the chunk of column c in row r lies at place c ^ (r / 4 %
// 8) of its row. So eight threads find all 32 banks once, along a row and down a column. A thread
// takes the same half of four chunks below one another and turns the 4 x 2 floats round in
// registers; threads 8 apart take different halves, since a wavefront of 8-byte reads serves 16
// threads. Half the wavefronts, and the rate stays: the limit is elsewhere.
//
// make stage7 && ./stage7; make diff A=6 B=7
//
// Expect (cpu, 1024x1024): shared_requests == 3 * stage6.shared_requests / 8
// Expect (cpu, 1024x1024): shared_wavefronts == stage6.shared_wavefronts / 2
// Expect (sm_90, 16384x16384): rate >= 0.98 * stage6.rate
// Expect (sm_90, 16384x16384): rate <= 1.02 * stage6.rate
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

    int x = blockIdx.x * TILE + 4 * threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;

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

    x = blockIdx.y * TILE + 4 * threadIdx.x;
    y = blockIdx.x * TILE + 4 * chunk + 2 * half;
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
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}

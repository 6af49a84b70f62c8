// stage8: raster order of blocks (contiguous stores, scattered loads)
//
// Stage 7 is limited by memory, which is faster on long runs of bytes. The blocks that run together
// can have long runs in `in` or in `out`, not in both: a row of tiles of one is a column of the
// other. Blocks start in the order of blockIdx.x: in stage 7 they load whole rows of tiles and
// store scattered pieces of 256 bytes. Here x and y are swapped: scattered loads, contiguous
// stores. Both orders move the same bytes; measured, scattered stores are the slower ones.
//
//   start order     stage 7:   in  0 1   out  0 2       here:   in  0 2   out  0 1
//   of the blocks                  2 3        1 3                   1 3        2 3
//
// Look at: the same counts as stage 7, a higher rate.
// make stage8 && ./stage8        make diff A=7 B=8
// Expect (cpu, 1024x1024): st_sectors == stage7.st_sectors
// Expect (sm_90, 16384x16384): rate >= 1.015 * stage7.rate
// Expect (sm_90, 16384x16384): rate >= 1.035 * ref_cublas.rate
#include "transpose.h"

#define TILE 64
#define CHUNKS (TILE / 4)   // of 4 floats, in a row of the tile
#define STEP (TILE / 2)     // rows of the block

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 tile[TILE][CHUNKS];
    float4 v[2] = {};   // zero where the tile reaches past the matrix

    int x = blockIdx.y * TILE + 4 * threadIdx.x;   // first of 4 columns of `in`
    int y = blockIdx.x * TILE + threadIdx.y;       // row of `in`

    for (int i = 0; i < 2; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = *(const float4 *)&in[(y + i * STEP) * cols + x];
    for (int i = 0; i < 2; i++) {
        int row = threadIdx.y + i * STEP;
        tile[row][threadIdx.x ^ (row / 4 % 8)] = v[i];   // swizzle: chunk threadIdx.x of this row
    }
    __syncthreads();

    int chunk = threadIdx.y / 2;   // this thread reads columns 4 * chunk + 2 * half and the next
    int half = (threadIdx.y ^ (threadIdx.x / 8)) % 2;   // of the chunk
    float2 w[4];
    for (int i = 0; i < 4;
         i++)   // of rows 4 * threadIdx.x + i, whose row / 4 % 8 is threadIdx.x % 8
        w[i] = ((const float2 *)&tile[4 * threadIdx.x + i][chunk ^ (threadIdx.x % 8)])[half];

    x = blockIdx.x * TILE + 4 * threadIdx.x;        // first of 4 columns of `out`
    y = blockIdx.y * TILE + 4 * chunk + 2 * half;   // first of 2 rows of `out`
    if (x < rows && y < cols) {   // cols is a multiple of 4: then row y + 1 is inside as well
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

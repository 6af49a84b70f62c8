// stage8: XOR swizzle of the shared-memory tile (no padding, no bank conflicts)
#include "transpose.h"

#define TILE 64
#define ROWS 4
#define STEP (TILE / ROWS)   // rows of the block

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float4 tile[TILE][TILE / 4];   // a row is 16 chunks of 4 floats
    float4 v[ROWS] = {};                      // zero where the tile reaches past the matrix

    int x = blockIdx.y * TILE + 4 * threadIdx.x;   // first of 4 columns of `in`
    int y = blockIdx.x * TILE + threadIdx.y;       // row of `in`

    for (int i = 0; i < ROWS; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = *(const float4 *)&in[(y + i * STEP) * cols + x];
    for (int i = 0; i < ROWS; i++) {
        int row = threadIdx.y + i * STEP;
        tile[row][threadIdx.x ^ row / 4] = v[i];   // swizzle: chunk threadIdx.x of this row
    }
    __syncthreads();

    for (int i = 0; i < 4;
         i++)   // chunk threadIdx.y of rows 4 * threadIdx.x to 4 * threadIdx.x + 3
        v[i] = tile[4 * threadIdx.x + i][threadIdx.y ^ threadIdx.x];

    x = blockIdx.x * TILE + 4 * threadIdx.x;   // first of 4 columns of `out`
    y = blockIdx.y * TILE + 4 * threadIdx.y;   // first of 4 rows of `out`
    if (x < rows &&
        y < cols) {   // cols is a multiple of 4: then the other 3 rows are inside as well
        *(float4 *)&out[(y + 0) * rows + x] = make_float4(v[0].x, v[1].x, v[2].x, v[3].x);
        *(float4 *)&out[(y + 1) * rows + x] = make_float4(v[0].y, v[1].y, v[2].y, v[3].y);
        *(float4 *)&out[(y + 2) * rows + x] = make_float4(v[0].z, v[1].z, v[2].z, v[3].z);
        *(float4 *)&out[(y + 3) * rows + x] = make_float4(v[0].w, v[1].w, v[2].w, v[3].w);
    }
}

void transpose(const float *in, float *out, int rows, int cols)
{
    if (rows % 4 || cols % 4)
        return refuse("multiples of 4 only");
    dim3 block(TILE / 4, STEP);
    dim3 grid(ceil_div(rows, TILE), ceil_div(cols, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}

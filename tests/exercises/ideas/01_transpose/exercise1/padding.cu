// Graded: 3 partial: no: is 4224, must be (at (most|least) )?4096$
// Padding instead of a swizzle.
#include "transpose.h"

#define TILE 32
#define ROWS 4
#define STEP (TILE / ROWS)   // rows of the block

// Returns the position of element (row, col) in its row of the tile, from 0 to TILE - 1.
__device__ int position(int, int col) { return col; }

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    float v[ROWS] = {};   // zero where the tile reaches past the matrix

    int x = blockIdx.x * TILE + threadIdx.x;   // column of `in`
    int y = blockIdx.y * TILE + threadIdx.y;   // row of `in`

    for (int i = 0; i < ROWS; i++)
        if (x < cols && y + i * STEP < rows)
            v[i] = in[(y + i * STEP) * cols + x];
    for (int i = 0; i < ROWS; i++) {
        int row = threadIdx.y + i * STEP;
        tile[row][position(row, threadIdx.x)] = v[i];
    }
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;   // column of `out`
    y = blockIdx.x * TILE + threadIdx.y;   // row of `out`
    for (int i = 0; i < ROWS; i++)
        if (x < rows && y + i * STEP < cols)
            out[(y + i * STEP) * rows + x] =
                tile[threadIdx.x][position(threadIdx.x, threadIdx.y + i * STEP)];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 block(TILE, STEP);
    dim3 grid(ceil_div(cols, TILE), ceil_div(rows, TILE));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}

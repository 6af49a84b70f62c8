// wrong: uninitialized read of shared memory: no thread writes the last column of the tile
//
// Rejected: unwritten_shared\.cu:[0-9]+: .*uninitialized read of tile
#include "transpose.h"

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];

    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;

    if (x < cols && y < rows && threadIdx.x < 31)
        tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();

    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    if (x < rows && y < cols)
        out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 block(32, 32);
    dim3 grid(ceil_div(cols, 32), ceil_div(rows, 32));

    transpose_tile<<<grid, block>>>(in, out, rows, cols);
}

// wrong: misses the last, partial tile. The grid is rounded down, with one block at least.
//
// Rejected: elements of 'out' are wrong, [0-9]+ of them never written
// Rejected (gpu): elements of 'out' are wrong, [0-9]+ of them never written
#include "transpose.h"

__global__ void transpose_naive(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;

    if (x < cols && y < rows)
        out[x * rows + y] = in[y * cols + x];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    dim3 block(32, 32);
    dim3 grid(cols < 32 ? 1 : cols / 32, rows < 32 ? 1 : rows / 32);

    transpose_naive<<<grid, block>>>(in, out, rows, cols);
}

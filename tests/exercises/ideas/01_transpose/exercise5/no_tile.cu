// Graded: 4 partial: no: is 0, must be (at (most|least) )?8448$
// The bug is avoided: no tile.
// Answer: b
#include "transpose.h"

__global__ void naive(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;

    if (x < cols && y < rows)
        out[x * rows + y] = in[y * cols + x];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    naive<<<dim3(ceil_div(cols, 32), ceil_div(rows, 8)), dim3(32, 8)>>>(in, out, rows, cols);
}

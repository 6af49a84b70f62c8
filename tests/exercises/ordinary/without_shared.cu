// Graded: 6 partial: ^st_sectors .* .128x128, float.: no: is 16384, must be .*2048$
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

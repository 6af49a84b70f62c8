// Graded: 0 wrong: ^WRONG at 1x1
#include "transpose.h"

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    // TODO: load a tile, wait, and store it
}

void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}

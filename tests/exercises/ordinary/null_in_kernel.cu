// Graded: 0 wrong: null_in_kernel.cu:[0-9]*: read of a null pointer
#include "transpose.h"

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(nullptr, out,
                                                                                  rows, cols);
}

// Graded: 0 uncompiled: ^line 20: undefined reference to 'helper'
#include "transpose.h"

// Here: transpose_tile of honest.cu

int helper(int n);
void transpose(const float *in, float *out, int rows, int cols)
{
    helper(rows);
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}

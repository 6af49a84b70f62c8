// Graded: 0 wrong: null_pointer.cu:24: write to a null pointer in host code
#include "transpose.h"

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    int *sizes = nullptr;

    sizes[0] = rows;
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}

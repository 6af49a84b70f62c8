// Graded: 9 solved:
#include "transpose.h"
#include <stdio.h>

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    printf("transpose: %d x %d, %p to %p\n", rows, cols, (const void *)in, (void *)out);
    fprintf(stderr, "%s\n", "to stderr");
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}

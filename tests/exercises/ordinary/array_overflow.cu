// Graded: 0 wrong: array_overflow.cu:26: index out of bounds in host code
#include "transpose.h"

#include <cstdio>

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    int a[4];
    for (int i = 0; i <= 4; i++)
        a[i] = i;
    printf("%d\n", a[rows & 3]);
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}

// Graded: 0 uncompiled: ^open_quote.cu:24:.* missing terminating
#include "transpose.h"

#include <cstdio>

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    puts("abc);
    transpose_tile<<<1, 1>>>(in, out, rows, cols);
}

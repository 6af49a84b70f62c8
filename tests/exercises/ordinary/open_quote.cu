// Graded: 0 uncompiled: ^open_quote.cu:22:.* missing terminating
#include "transpose.h"

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    puts("abc);
    transpose_tile<<<1, 1>>>(in, out, rows, cols);
}

// Graded: 0 wrong: prints_device_text.cu:25: host code reads or writes device memory
#include "transpose.h"

#include <cstdio>

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    char b[9];
    snprintf(b, sizeof b, "%.4s", (const char *)in);
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}

// Graded: 0 stopped: ^stopped at [0-9x]*: it printed more than [0-9]* bytes$
#include "transpose.h"

#include <cstdio>

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    for (int i = 0; i < 400; i++)
        puts("a line of text that a student has forgotten to remove from the program, and that is "
             "long");
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}

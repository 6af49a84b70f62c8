// Graded: 0 wrong: ^WRONG at 1x1: reads_on_the_host.cu:[0-9]*:
#include "transpose.h"

void transpose(const float *in, float *out, int rows, int cols)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            out[j * rows + i] = in[i * cols + j];
}

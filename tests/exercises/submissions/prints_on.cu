// Graded: 0 stopped: ^stopped at 1x1: it printed more than [0-9]* bytes$
#include "transpose.h"

#include <cstdio>

void transpose(const float *in, float *out, int rows, int cols)
{
    for (;;)
        puts("right");
}

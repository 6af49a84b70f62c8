// Graded: 0 wrong: ^WRONG at 1x1: endless_kernel.cu:[0-9]*: no progress
#include "transpose.h"

__global__ void wait(const float *in)
{
    while (((volatile const float *)in)[0] != 12345.5f)
        ;
}

void transpose(const float *in, float *out, int rows, int cols) { wait<<<1, 1>>>(in); }

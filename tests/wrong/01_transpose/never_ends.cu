// wrong: waits for a flag that no thread sets (deadlock)
//
// Rejected: never_ends\.cu:[0-9]+: .*no progress
#include "transpose.h"

__global__ void transpose_naive(const float *in, float *out, int rows, int cols, volatile int *flag)
{
    int i = blockIdx.x * 256 + threadIdx.x;

    while (*flag == 0)
        ;
    if (i < rows * cols)
        out[i % cols * rows + i / cols] = in[i];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_naive<<<ceil_div(rows * cols, 256), 256>>>(in, out, rows, cols,
                                                         (int *)scratch(sizeof(int)));
}

// wrong: turns a square in place as well: the input is changed. The output is right.
//
// Rejected: 'in'
// Rejected (gpu): 'in'
#include "transpose.h"

__global__ void transpose_naive(float *in, float *out, int rows, int cols)
{
    int i = blockIdx.x * 256 + threadIdx.x;

    if (i < rows * cols) {
        out[i % cols * rows + i / cols] = in[i];
        in[i] = 0;
    }
}

void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_naive<<<ceil_div(rows * cols, 256), 256>>>((float *)in, out, rows, cols);
}

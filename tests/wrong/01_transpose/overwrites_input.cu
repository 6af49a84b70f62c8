// wrong: changes the input: also transposes squares in place. The output is correct.
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

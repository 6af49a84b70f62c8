// wrong: writes one element past the end of the output. All others are correct.
//
// Rejected: past_the_end\.cu:[0-9]+: .*(out of bounds|beyond|past)
// Rejected (gpu): 'out'
#include "transpose.h"

__global__ void transpose_naive(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.x * 256 + threadIdx.x;

    if (i < rows * cols)
        out[i % cols * rows + i / cols] = in[i];
    if (i == 0)
        out[rows * cols] = 0;
}

void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_naive<<<ceil_div(rows * cols, 256), 256>>>(in, out, rows, cols);
}

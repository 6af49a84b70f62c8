// wrong: stores NaN in place of one element. A check of the form `err > tolerance` accepts it.
//
// Rejected: 1 of [0-9]+ elements of 'out' are wrong, 1 of them NaN
// Rejected (gpu): 1 of [0-9]+ elements of 'out' are wrong, 1 of them NaN
#include "transpose.h"

__global__ void transpose_naive(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.x * 256 + threadIdx.x;

    if (i < rows * cols)
        out[i % cols * rows + i / cols] = i == 0 ? sqrtf(-1.0f) : in[i];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_naive<<<ceil_div(rows * cols, 256), 256>>>(in, out, rows, cols);
}

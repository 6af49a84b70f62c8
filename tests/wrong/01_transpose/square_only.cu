// wrong: correct for squares only: assumes output rows as long as input rows
//
// Rejected: elements of 'out' are wrong
// Rejected (gpu): elements of 'out' are wrong
#include "transpose.h"

__global__ void square_only(const float *in, float *out, int rows, int cols)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    int x = i % cols, y = i / cols;
    long long to = (long long)x * cols + y;

    if (i < rows * cols && to < rows * cols)
        out[to] = in[i];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    square_only<<<ceil_div(rows * cols, 256), 256>>>(in, out, rows, cols);
}

// wrong: correct in the first call only: the second finds a flag in scratch memory and stores
// nothing
//
// Rejected: the first call was correct; this second call
// Rejected (gpu): the first call was correct; this second call
#include "transpose.h"

__global__ void transpose_once(const float *in, float *out, int rows, int cols, int *done)
{
    int i = blockIdx.x * 256 + threadIdx.x;

    if (i < rows * cols && !*done)
        out[i % cols * rows + i / cols] = in[i];
}

__global__ void set(int *done) { *done = 1; }

void transpose(const float *in, float *out, int rows, int cols)
{
    int *done = (int *)scratch(sizeof *done);

    transpose_once<<<ceil_div(rows * cols, 256), 256>>>(in, out, rows, cols, done);
    set<<<1, 1>>>(done);
}

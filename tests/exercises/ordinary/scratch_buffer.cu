// Graded: 9 solved:
#include "transpose.h"

// In two steps: a copy into scratch memory, then its transposition.
__global__ void copy(const float *in, float *to, int n)
{
    int i = blockIdx.x * 256 + threadIdx.x;

    if (i < n)
        to[i] = in[i];
}

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    float *copied = (float *)scratch(sizeof(float) * rows * cols);

    copy<<<ceil_div(rows * cols, 256), 256>>>(in, copied, rows * cols);
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(copied, out, rows,
                                                                                  cols);
}

// Graded: 0 uncompiled: ^undefined reference to .transpose.
#include "transpose.h"

__global__ void transpose_tile(const float *in, float *out, int rows, int cols) {}

void transpose_matrix(const float *in, float *out, int rows, int cols)
{
    transpose_tile<<<1, 32>>>(in, out, rows, cols);
}

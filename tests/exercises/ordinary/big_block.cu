// Graded: 0 wrong|stopped: (invalid configuration|cudaErrorInvalidConfiguration)
#include "transpose.h"

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(64, 32)>>>(in, out, rows,
                                                                                   cols);
}

// Graded: 9 solved:
#include "transpose.h"

namespace {
namespace student {
// Here: transpose_tile of honest.cu
}   // namespace student
}   // namespace

void transpose(const float *in, float *out, int rows, int cols)
{
    student::transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(
        in, out, rows, cols);
}

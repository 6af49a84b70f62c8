// Graded: 9 solved:
#include "transpose.h"
#include <algorithm>
#include <utility>

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    int side = std::min(32, std::max(rows, 32)), a = cols, b = rows;

    std::swap(a, b);
    transpose_tile<<<dim3(ceil_div(b, side), ceil_div(a, side)), dim3(32, 8)>>>(in, out, rows,
                                                                                cols);
}

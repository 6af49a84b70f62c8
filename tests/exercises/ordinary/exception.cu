// Graded: 0 stopped|uncompiled: .
#include "transpose.h"
#include <vector>

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    std::vector<int> none;

    none.at(rows) = 1;
    transpose_tile<<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows,
                                                                                  cols);
}

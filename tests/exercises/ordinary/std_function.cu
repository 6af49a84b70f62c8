// Graded: 9 solved:
#include "transpose.h"
#include <functional>
#include <memory>

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    std::function<void(dim3)> launch = [=](dim3 grid) {
        transpose_tile<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
    };
    auto grid = std::make_unique<dim3>(ceil_div(cols, 32), ceil_div(rows, 32));

    launch(*grid);
}

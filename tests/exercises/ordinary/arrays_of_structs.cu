// Graded: 9 solved:
#include "transpose.h"
#include <array>
#include <optional>
#include <tuple>

// Here: transpose_tile of honest.cu

void transpose(const float *in, float *out, int rows, int cols)
{
    std::array<int, 2> size = { rows, cols };
    auto [height, width] = std::make_tuple(size[0], size[1]);
    std::optional<dim3> grid = dim3(ceil_div(width, 32), ceil_div(height, 32));

    transpose_tile<<<grid.value_or(dim3(1)), dim3(32, 8)>>>(in, out, rows, cols);
}

// Graded: 9 solved:
#include "transpose.h"
#include <array>
#include <optional>
#include <tuple>

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;

    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < cols && y + i < rows)
            tile[i][threadIdx.x] = in[(y + i) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32;
    for (int i = threadIdx.y; i < 32; i += 8)
        if (x < rows && y + i < cols)
            out[(y + i) * rows + x] = tile[threadIdx.x][i];
}

void transpose(const float *in, float *out, int rows, int cols)
{
    std::array<int, 2> size = { rows, cols };
    auto [height, width] = std::make_tuple(size[0], size[1]);
    std::optional<dim3> grid = dim3(ceil_div(width, 32), ceil_div(height, 32));

    transpose_tile<<<grid.value_or(dim3(1)), dim3(32, 8)>>>(in, out, rows, cols);
}

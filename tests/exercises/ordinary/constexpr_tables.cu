// Graded: 9 solved:
#include "transpose.h"
#include <array>
constexpr std::array<int, 4> make_steps()
{
    std::array<int, 4> a{};
    for (int i = 0; i < 4; ++i)
        a[i] = i * 8;
    return a;
}
inline constexpr auto steps = make_steps();
constexpr int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
enum class Side : unsigned char { in, out };
enum { TILE = 0x20, ROWS = 0b1000, BIG = 1'000'000 };
static_assert(factorial(5) == 120);
template <Side side> __device__ constexpr int base(int block)
{
    if constexpr (side == Side::in)
        return block * TILE;
    else
        return block * TILE + 0;
}
__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = base<Side::in>(blockIdx.x) + threadIdx.x, y = base<Side::in>(blockIdx.y) + threadIdx.y;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        constexpr int s = 8;
        if (x < cols && y + k * s < rows)
            tile[threadIdx.y + k * s][threadIdx.x] = in[(y + k * s) * cols + x];
    }
    __syncthreads();
    x = base<Side::out>(blockIdx.y) + threadIdx.x;
    y = base<Side::out>(blockIdx.x) + threadIdx.y;
    for (int k = 0; k < 4; k++)
        if (x < rows && y + k * 8 < cols)
            out[(y + k * 8) * rows + x] = tile[threadIdx.x][threadIdx.y + k * 8];
}
void transpose(const float *in, float *out, int rows, int cols)
{
    static_assert(steps[3] == 24, "");
    transpose_tile<<<dim3(ceil_div(cols, TILE), ceil_div(rows, TILE)), dim3(TILE, ROWS)>>>(
        in, out, rows, cols);
}

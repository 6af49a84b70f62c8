// Graded: 9 solved:
#include "transpose.h"
#include <functional>
template <class F> __device__ __forceinline__ void for_rows(int count, int step, F &&f)
{
    for (int i = 0; i < count; i += step)
        f(i);
}
__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];
    auto index = [=](int r, int c, int ld) -> int { return r * ld + c; };
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for_rows(32, 8, [&](int i) {
        if (x < cols && y + i < rows)
            tile[threadIdx.y + i][threadIdx.x] = in[index(y + i, x, cols)];
    });
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    auto store = [&, n = 8](auto i) mutable {
        n++;
        if (x < rows && y + i < cols)
            out[index(y + i, x, rows)] = tile[threadIdx.x][threadIdx.y + i];
    };
    for_rows(32, 8, store);
}
void transpose(const float *in, float *out, int rows, int cols)
{
    const auto div = [](auto a, auto b) { return (a + b - 1) / b; };
    std::function<int(int)> tiles = [](int n) { return (n + 31) / 32; };
    auto run = [&] {
        transpose_tile<<<dim3(div(cols, 32), tiles(rows)), dim3(32, 8)>>>(in, out, rows, cols);
    };
    run();
}

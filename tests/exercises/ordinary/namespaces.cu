// Graded: 9 solved:
#include "transpose.h"
#include <algorithm>
using namespace std;
namespace cfg {
constexpr int tile = 32, rows = 8;
inline namespace v1 {
using index_t = long long;
}
}   // namespace cfg
namespace a::b {
__device__ inline int two() { return 2; }
}   // namespace a::b
namespace ab = a::b;
namespace {
using cfg::index_t;

__global__ void transpose_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * cfg::tile / ab::two() * 2 + threadIdx.x, y = blockIdx.y * 32;

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

struct [[nodiscard]] Grid final {
    dim3 g;
    explicit Grid(int rows, int cols) noexcept : g(ceil_div(cols, 32), ceil_div(rows, 32)) {}
    operator dim3() const { return g; }
};
}   // namespace
[[maybe_unused]] static int unused_function(int a = 3, double b = 1e-3) { return a + int(b); }
[[nodiscard]] static inline int checked(int v) { return v; }
[[deprecated("old")]] void old();
void transpose(const float *in, float *out, int rows, int cols)
{
    [[maybe_unused]] int n = max(1, min(rows, cols)), m = std::max<int>(2, n),
                         k = std::clamp(n, 1, 5);
    int value = checked(n);
    switch (value & 1) {
    case 0: ++value; [[fallthrough]];
    default: --value;
    }
    const auto &[gx, gy, gz] = Grid(rows, cols).g;
    if (const int v = value; v >= 0)
        transpose_tile<<<dim3(gx, gy, gz), dim3(cfg::tile, cfg::rows)>>>(in, out, rows, cols);
}

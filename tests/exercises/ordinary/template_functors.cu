// Graded: 9 solved:
#include "transpose.h"
#include <type_traits>
namespace detail {
template <typename T> struct Identity {
    __host__ __device__ constexpr T operator()(T v) const { return v; }
};
template <typename T, template <typename> class Op, typename... Rest> struct Chain {
    static __device__ T apply(T v) { return Op<T>()(v); }
};
template <typename T> struct Traits;
template <> struct Traits<float> {
    enum { width = sizeof(float) };
    using type = float;
    static constexpr int pad = 1;
};
template <typename Derived> struct Base {
    __device__ float get(int i, int j) const
    {
        return static_cast<const Derived *>(this)->at(i, j);
    }
};
template <typename T> struct View : Base<View<T>> {
    const T *p;
    int ld;
    __device__ View(const T *p, int ld) : p(p), ld(ld) {}
    __device__ T at(int i, int j) const { return p[i * ld + j]; }
};
}   // namespace detail
template <typename T, typename F>
__global__ void transpose_any(const T *in, T *out, int rows, int cols, F f)
{
    static_assert(std::is_same<T, float>::value, "float only");
    __shared__ typename detail::Traits<T>::type tile[32][32 + detail::Traits<T>::pad];
    detail::View<T> v(in, cols);
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (x < cols && y + i < rows)
            tile[threadIdx.y + i][threadIdx.x] =
                detail::Chain<T, detail::Identity, int>::apply(f(v.get(y + i, x)));
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (x < rows && y + i < cols)
            out[(y + i) * rows + x] = tile[threadIdx.x][threadIdx.y + i];
}
void transpose(const float *in, float *out, int rows, int cols)
{
    transpose_any<float, detail::Identity<float>>
        <<<dim3(ceil_div(cols, 32), ceil_div(rows, 32)), dim3(32, 8)>>>(in, out, rows, cols,
                                                                        detail::Identity<float>{});
}

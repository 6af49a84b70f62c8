// The rounding modes of CUDA's floating-point functions: toward zero (_rz), up (_ru), down (_rd). A
// result that is rounded to nearest is followed by a step to its neighbor if the exact result is on
// the other side. The sign of the rounding error is found with a type W in which products of two
// values of type T are exact.
#ifndef EMU_ROUNDING_H
#define EMU_ROUNDING_H

enum emu_rounding { EMU_RZ, EMU_RU, EMU_RD };

#ifdef __SIZEOF_FLOAT128__
typedef __float128 emu_quad;
#else
typedef long double emu_quad;   // 113 bits, as on aarch64
#endif

// Neighbors of a finite value: toward larger values, or smaller ones. That of infinity is the
// largest finite value.
template <class T, class Bits> __device__ inline T emu_neighbor(T v, bool up)
{
    Bits bits;

    __builtin_memcpy(&bits, &v, sizeof bits);
    if (v == 0)
        bits = (Bits)1 | (Bits)!up << (8 * sizeof bits - 1);
    else
        bits += (v > 0) == up ? 1 : -1;
    __builtin_memcpy(&v, &bits, sizeof bits);
    return v;
}
// `error`: has the sign of the exact result minus `nearest`.
template <class W, class T> __device__ inline T emu_rounded(emu_rounding mode, T nearest, W error)
{
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    bool up = error > 0 && (mode == EMU_RU || (mode == EMU_RZ && nearest < 0)),
         down = error < 0 && (mode == EMU_RD || (mode == EMU_RZ && nearest > 0));

    return up || down ? emu_neighbor<T, Bits>(nearest, up) : nearest;
}

template <class W, class T>
__device__ inline T emu_fma_rounded(emu_rounding mode, T a, T b, T c, T nearest)
{
    if (!isfinite(a) || !isfinite(b) || !isfinite(c))
        return nearest;
    // sum + rest is the exact result (Knuth's TwoSum)
    W product = (W)a * b, sum = product + c, part = sum - product,
      rest = (product - (sum - part)) + (c - part), error = sum - nearest;

    if (mode == EMU_RD && sum == 0 && (signbit(a) != signbit(b)) != signbit(c))
        return (T)-0.0;   // the sum of a value and its negative
    return emu_rounded(mode, nearest, error != 0 ? error : rest);
}
template <class W, class T>
__device__ inline T emu_quotient_rounded(emu_rounding mode, T a, T b, T nearest)
{
    if (!isfinite(a) || !isfinite(b) || b == 0)
        return nearest;
    W error = (W)a - (W)nearest * b;
    return emu_rounded(mode, nearest, b < 0 ? -error : error);
}
template <class W, class T> __device__ inline T emu_root_rounded(emu_rounding mode, T a, T nearest)
{
    return isfinite(a) && a > 0 ? emu_rounded(mode, nearest, (W)a - (W)nearest * nearest) : nearest;
}

// Functions of type T with the prefixes that CUDA gives them.
#define EMU_ROUNDED(T, W, p, fused, root, suffix, mode)                                           \
    __device__ inline T p##add##suffix(T a, T b)                                                  \
    {                                                                                             \
        return emu_fma_rounded<W, T>(mode, a, 1, b, a + b);                                       \
    }                                                                                             \
    __device__ inline T p##sub##suffix(T a, T b)                                                  \
    {                                                                                             \
        return emu_fma_rounded<W, T>(mode, a, 1, -b, a - b);                                      \
    }                                                                                             \
    __device__ inline T p##mul##suffix(T a, T b)                                                  \
    {                                                                                             \
        T nearest = a * b;                                                                        \
        return isfinite(a) && isfinite(b) ? emu_rounded(mode, nearest, (W)a * b - (W)nearest)     \
                                          : nearest;                                              \
    }                                                                                             \
    __device__ inline T p##div##suffix(T a, T b)                                                  \
    {                                                                                             \
        return emu_quotient_rounded<W, T>(mode, a, b, a / b);                                     \
    }                                                                                             \
    __device__ inline T p##rcp##suffix(T a)                                                       \
    {                                                                                             \
        return emu_quotient_rounded<W, T>(mode, 1, a, 1 / a);                                     \
    }                                                                                             \
    __device__ inline T p##sqrt##suffix(T a) { return emu_root_rounded<W, T>(mode, a, root(a)); } \
    __device__ inline T __##fused##suffix(T a, T b, T c)                                          \
    {                                                                                             \
        return emu_fma_rounded<W, T>(mode, a, b, c, fused(a, b, c));                              \
    }
#define EMU_CONVERTED(name, T, W, To, suffix, mode)                                     \
    __device__ inline To name##suffix(T v)                                              \
    {                                                                                   \
        return isfinite((double)v) ? emu_rounded(mode, (To)v, (W)v - (W)(To)v) : (To)v; \
    }
#define EMU_ROUNDING_MODE(suffix, mode)                                           \
    EMU_ROUNDED(float, double, __f, fmaf, sqrtf, suffix, mode)                    \
    EMU_ROUNDED(double, emu_quad, __d, fma, sqrt, suffix, mode)                   \
    EMU_CONVERTED(__double2float, double, double, float, suffix, mode)            \
    EMU_CONVERTED(__int2float, int, double, float, suffix, mode)                  \
    EMU_CONVERTED(__uint2float, unsigned, double, float, suffix, mode)            \
    EMU_CONVERTED(__ll2float, long long, emu_quad, float, suffix, mode)           \
    EMU_CONVERTED(__ull2float, unsigned long long, emu_quad, float, suffix, mode) \
    EMU_CONVERTED(__ll2double, long long, emu_quad, double, suffix, mode)         \
    EMU_CONVERTED(__ull2double, unsigned long long, emu_quad, double, suffix, mode)
EMU_ROUNDING_MODE(_rz, EMU_RZ)
EMU_ROUNDING_MODE(_ru, EMU_RU)
EMU_ROUNDING_MODE(_rd, EMU_RD)
#undef EMU_ROUNDING_MODE
#undef EMU_CONVERTED
#undef EMU_ROUNDED

#endif

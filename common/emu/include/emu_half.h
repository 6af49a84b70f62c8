// 16-bit floating-point types for cuda_fp16.h and cuda_bf16.h. Arithmetic is in float, which is
// precise enough that rounding the result again is exact for + - * / and sqrt. Fused operations are
// in double.
#ifndef EMU_HALF_H
#define EMU_HALF_H

#include "cuda_runtime.h"

extern "C" {
// Rounds a float to 16 bits, to nearest, ties to even. `exponent`: bits of the format's exponent.
// The conversions are functions of the runtime: in line, g++ needs minutes and gigabytes for
// kernels with a thousand of them in unrolled loops.
unsigned short emu_to_16_bits(float value, int exponent) __attribute__((const));
float emu_from_16_bits(unsigned short bits, int exponent) __attribute__((const));
}

template <int EXPONENT> __device__ inline unsigned short emu_to_16(float value)
{
    return emu_to_16_bits(value, EXPONENT);
}
template <int EXPONENT> __device__ inline float emu_from_16(unsigned short bits)
{
    return EXPONENT == 8 ? __uint_as_float((unsigned)bits << 16) : emu_from_16_bits(bits, EXPONENT);
}

// Defines TYPE and TYPE2, a pair, of the format with EXPONENT bits of exponent.
#define EMU_HALF_TYPES(TYPE, TYPE2, EXPONENT)                                         \
    struct TYPE {                                                                     \
        unsigned short emu_bits;                                                      \
        TYPE() = default;                                                             \
        __device__ TYPE(float v) : emu_bits(emu_to_16<EXPONENT>(v)) {}                \
        __device__ TYPE(double v) : emu_bits(emu_to_16<EXPONENT>((float)v)) {}        \
        __device__ TYPE(int v) : emu_bits(emu_to_16<EXPONENT>((float)v)) {}           \
        __device__ TYPE(unsigned v) : emu_bits(emu_to_16<EXPONENT>((float)v)) {}      \
        __device__ TYPE(long long v) : emu_bits(emu_to_16<EXPONENT>((float)v)) {}     \
        __device__ operator float() const { return emu_from_16<EXPONENT>(emu_bits); } \
    };                                                                                \
    struct EMU_ALIGNED(4) TYPE2 {                                                     \
        TYPE x, y;                                                                    \
        EMU_ASSIGN(TYPE2, emu_bits4)                                                  \
        TYPE2() = default;                                                            \
        __device__ TYPE2(TYPE a, TYPE b) : x(a), y(b) {}                              \
    };

#define EMU_HALF_OPERATOR(TYPE, TYPE2, op, name)                                             \
    __device__ inline TYPE operator op(const TYPE &a, const TYPE &b)                         \
    {                                                                                        \
        return (float)a op(float) b;                                                         \
    }                                                                                        \
    __device__ inline TYPE2 operator op(const TYPE2 &a, const TYPE2 &b)                      \
    {                                                                                        \
        return { a.x op b.x, a.y op b.y };                                                   \
    }                                                                                        \
    __device__ inline TYPE &operator op##=(TYPE &a, const TYPE &b) { return a = a op b; }    \
    __device__ inline TYPE2 &operator op##=(TYPE2 &a, const TYPE2 &b) { return a = a op b; } \
    __device__ inline TYPE __h##name(TYPE a, TYPE b) { return a op b; }                      \
    __device__ inline TYPE __h##name##_rn(TYPE a, TYPE b) { return a op b; }                 \
    __device__ inline TYPE2 __h##name##2(TYPE2 a, TYPE2 b) { return a op b; }

// Comparisons of pairs return 1.0 or 0.0 in each half.
#define EMU_HALF_COMPARE(TYPE, TYPE2, op, name)                          \
    __device__ inline bool operator op(const TYPE &a, const TYPE &b)     \
    {                                                                    \
        return (float)a op(float) b;                                     \
    }                                                                    \
    __device__ inline bool __h##name(TYPE a, TYPE b) { return a op b; }  \
    __device__ inline TYPE2 __h##name##2(TYPE2 a, TYPE2 b)               \
    {                                                                    \
        return { TYPE((float)(a.x op b.x)), TYPE((float)(a.y op b.y)) }; \
    }                                                                    \
    __device__ inline bool __hb##name##2(TYPE2 a, TYPE2 b) { return a.x op b.x && a.y op b.y; }

#define EMU_HALF_FUNCTION(TYPE, TYPE2, name, f)                          \
    __device__ inline TYPE h##name(TYPE v) { return TYPE((float)f(v)); } \
    __device__ inline TYPE2 h2##name(TYPE2 v) { return { h##name(v.x), h##name(v.y) }; }

#define EMU_HALF_ARITHMETIC(TYPE, TYPE2)                                              \
    EMU_HALF_OPERATOR(TYPE, TYPE2, +, add)                                            \
    EMU_HALF_OPERATOR(TYPE, TYPE2, -, sub)                                            \
    EMU_HALF_OPERATOR(TYPE, TYPE2, *, mul)                                            \
    EMU_HALF_OPERATOR(TYPE, TYPE2, /, div)                                            \
    EMU_HALF_COMPARE(TYPE, TYPE2, ==, eq)                                             \
    EMU_HALF_COMPARE(TYPE, TYPE2, !=, ne)                                             \
    EMU_HALF_COMPARE(TYPE, TYPE2, <, lt)                                              \
    EMU_HALF_COMPARE(TYPE, TYPE2, <=, le)                                             \
    EMU_HALF_COMPARE(TYPE, TYPE2, >, gt)                                              \
    EMU_HALF_COMPARE(TYPE, TYPE2, >=, ge)                                             \
    __device__ inline TYPE __hneg(TYPE v) { return -(float)v; }                       \
    __device__ inline TYPE2 __hneg2(TYPE2 v) { return { __hneg(v.x), __hneg(v.y) }; } \
    __device__ inline TYPE operator-(const TYPE &v) { return __hneg(v); }             \
    __device__ inline TYPE2 operator-(const TYPE2 &v) { return __hneg2(v); }          \
    __device__ inline TYPE __habs(TYPE v) { return fabsf(v); }                        \
    __device__ inline TYPE2 __habs2(TYPE2 v) { return { __habs(v.x), __habs(v.y) }; } \
    __device__ inline TYPE __hfma(TYPE a, TYPE b, TYPE c)                             \
    {                                                                                 \
        double sum = (double)(float)a * (float)b + (float)c;                          \
        float rounded = (float)sum; /* to odd, so that rounding again is exact */     \
        if (rounded != sum && !(__float_as_uint(rounded) & 1))                        \
            rounded = nextafterf(rounded, rounded < sum ? INFINITY : -INFINITY);      \
        return rounded;                                                               \
    }                                                                                 \
    __device__ inline TYPE2 __hfma2(TYPE2 a, TYPE2 b, TYPE2 c)                        \
    {                                                                                 \
        return { __hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y) };                      \
    }                                                                                 \
    __device__ inline TYPE __hmax(TYPE a, TYPE b) { return fmaxf(a, b); }             \
    __device__ inline TYPE __hmin(TYPE a, TYPE b) { return fminf(a, b); }             \
    __device__ inline TYPE2 __hmax2(TYPE2 a, TYPE2 b)                                 \
    {                                                                                 \
        return { __hmax(a.x, b.x), __hmax(a.y, b.y) };                                \
    }                                                                                 \
    __device__ inline TYPE2 __hmin2(TYPE2 a, TYPE2 b)                                 \
    {                                                                                 \
        return { __hmin(a.x, b.x), __hmin(a.y, b.y) };                                \
    }                                                                                 \
    __device__ inline bool __hisnan(TYPE v) { return std::isnan((float)v); }          \
    __device__ inline int __hisinf(TYPE v)                                            \
    {                                                                                 \
        return std::isinf((float)v) ? (float)v < 0 ? -1 : 1 : 0;                      \
    }                                                                                 \
    EMU_HALF_FUNCTION(TYPE, TYPE2, sqrt, sqrtf)                                       \
    EMU_HALF_FUNCTION(TYPE, TYPE2, rsqrt, rsqrtf)                                     \
    EMU_HALF_FUNCTION(TYPE, TYPE2, rcp, 1 / (float))                                  \
    EMU_HALF_FUNCTION(TYPE, TYPE2, exp, expf)                                         \
    EMU_HALF_FUNCTION(TYPE, TYPE2, exp2, exp2f)                                       \
    EMU_HALF_FUNCTION(TYPE, TYPE2, log, logf)                                         \
    EMU_HALF_FUNCTION(TYPE, TYPE2, log2, log2f)                                       \
    EMU_HALF_FUNCTION(TYPE, TYPE2, sin, sinf)                                         \
    EMU_HALF_FUNCTION(TYPE, TYPE2, cos, cosf)                                         \
    EMU_HALF_FUNCTION(TYPE, TYPE2, floor, floorf)                                     \
    EMU_HALF_FUNCTION(TYPE, TYPE2, ceil, ceilf)                                       \
    EMU_HALF_FUNCTION(TYPE, TYPE2, trunc, truncf)                                     \
    EMU_HALF_FUNCTION(TYPE, TYPE2, rint, rintf)                                       \
    TYPE atomicAdd(TYPE *address, TYPE value);                                        \
    TYPE2 atomicAdd(TYPE2 *address, TYPE2 value);

// Functions whose names contain that of the format: N is half or bfloat16, N2 is half2 or
// bfloat162.
#define EMU_HALF_CONVERSIONS(TYPE, TYPE2, N, N2)                                                  \
    __device__ inline TYPE __float2##N(float v) { return v; }                                     \
    __device__ inline TYPE __float2##N##_rn(float v) { return v; }                                \
    __device__ inline TYPE __double2##N(double v) { return v; }                                   \
    __device__ inline TYPE __int2##N##_rn(int v) { return v; }                                    \
    __device__ inline TYPE __uint2##N##_rn(unsigned v) { return v; }                              \
    __device__ inline TYPE __ll2##N##_rn(long long v) { return v; }                               \
    __device__ inline float __##N##2float(TYPE v) { return v; }                                   \
    __device__ inline int __##N##2int_rn(TYPE v) { return __float2int_rn(v); }                    \
    __device__ inline int __##N##2int_rz(TYPE v) { return __float2int_rz(v); }                    \
    __device__ inline unsigned __##N##2uint_rn(TYPE v) { return __float2uint_rn(v); }             \
    __device__ inline unsigned __##N##2uint_rz(TYPE v) { return __float2uint_rz(v); }             \
    __device__ inline unsigned short __##N##_as_ushort(TYPE v) { return v.emu_bits; }             \
    __device__ inline short __##N##_as_short(TYPE v) { return (short)v.emu_bits; }                \
    __device__ inline TYPE __ushort_as_##N(unsigned short bits)                                   \
    {                                                                                             \
        TYPE v;                                                                                   \
        v.emu_bits = bits;                                                                        \
        return v;                                                                                 \
    }                                                                                             \
    __device__ inline TYPE __short_as_##N(short v) { return __ushort_as_##N((unsigned short)v); } \
    __device__ inline TYPE2 __float2##N2##_rn(float v) { return { v, v }; }                       \
    __device__ inline TYPE2 __floats2##N2##_rn(float a, float b) { return { a, b }; }             \
    __device__ inline TYPE2 __float22##N2##_rn(float2 v) { return { v.x, v.y }; }                 \
    __device__ inline float2 __##N2##2float2(TYPE2 v) { return { v.x, v.y }; }                    \
    __device__ inline TYPE2 __##N##2##N2(TYPE v) { return { v, v }; }                             \
    __device__ inline TYPE2 __halves2##N2(TYPE a, TYPE b) { return { a, b }; }                    \
    __device__ inline TYPE2 make_##N2(TYPE a, TYPE b) { return { a, b }; }                        \
    __device__ inline TYPE __low2##N(TYPE2 v) { return v.x; }                                     \
    __device__ inline TYPE __high2##N(TYPE2 v) { return v.y; }                                    \
    __device__ inline TYPE2 __low2##N2(TYPE2 v) { return { v.x, v.x }; }                          \
    __device__ inline TYPE2 __high2##N2(TYPE2 v) { return { v.y, v.y }; }                         \
    __device__ inline TYPE2 __lows2##N2(TYPE2 a, TYPE2 b) { return { a.x, b.x }; }                \
    __device__ inline TYPE2 __highs2##N2(TYPE2 a, TYPE2 b) { return { a.y, b.y }; }               \
    __device__ inline TYPE2 __lowhigh2highlow(TYPE2 v) { return { v.y, v.x }; }                   \
    __device__ inline float __low2float(TYPE2 v) { return v.x; }                                  \
    __device__ inline float __high2float(TYPE2 v) { return v.y; }

#endif

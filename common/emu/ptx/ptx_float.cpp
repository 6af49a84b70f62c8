// Handlers of inline PTX: floating-point arithmetic and conversions (PTX ISA, "Floating Point
// Instructions", "Half Precision Floating-Point Instructions", "cvt").
#include <algorithm>

#include "ptx_types.h"

namespace emu {
namespace ptx {

Handler *integer_sum(const Instruction &);
Handler *integer_product(const Instruction &);
Handler *integer_quotient(const Instruction &);
Handler *integer_min(const Instruction &);
Handler *integer_max(const Instruction &);
Handler *integer_neg(const Instruction &);
Handler *integer_abs(const Instruction &);

namespace {

const std::string &type_of(const Instruction &in) { return in.parts.back(); }
bool is_float(const Instruction &in)
{
    return type_of(in).find('f') != std::string::npos;   // f32, f16x2, bf16 ...
}

// ---- values ----

// What an instruction does with its result and subnormal values.
constexpr uint32_t FTZ = 1, SATURATE = 2, RELU = 4, KEEPS_NAN = 8;

uint32_t flags_of(const Instruction &in)
{
    return FTZ * in.has("ftz") | SATURATE * in.has("sat") | RELU * in.has("relu") |
           KEEPS_NAN * in.has("NaN");
}

float flushed(float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; }

// Finishes a result by the flags.
template <class T> T finished(uint32_t flags, T v)
{
    if (!flags)
        return v;
    if (flags & SATURATE)
        v = v > 0 ? v < 1 ? v : (T)1 : (T)0;   // NaN becomes 0
    if (flags & RELU)
        v = v != v ? v : v > 0 ? v : (T)0;
    if constexpr (sizeof(T) == 4)
        if (flags & FTZ)
            v = flushed(v);
    return v;
}

emu_rounding direction(uint32_t mode)
{
    return mode == TO_ZERO ? EMU_RZ : mode == UP ? EMU_RU : EMU_RD;
}

// Operations on values of type V, float or double, with a rounding mode.
struct Sum {
    template <class V> static V of(uint32_t mode, V a, V b, V)
    {
        return mode ? Fused::of<V>(mode, a, 1, b) : a + b;
    }
    struct Fused {
        template <class V> static V of(uint32_t mode, V a, V b, V c)
        {
            using W = std::conditional_t<sizeof(V) == 4, double, emu_quad>;
            V nearest = std::fma(a, b, c);
            return mode ? emu_fma_rounded<W, V>(direction(mode), a, b, c, nearest) : nearest;
        }
    };
};
typedef Sum::Fused Fused;
struct Difference {
    template <class V> static V of(uint32_t mode, V a, V b, V c)
    {
        return Sum::of<V>(mode, a, -b, c);
    }
};
struct Product {
    template <class V> static V of(uint32_t mode, V a, V b, V)
    {
        return mode ? Fused::of<V>(mode, a, b, std::signbit(a) != std::signbit(b) ? (V)-0.0 : (V)0)
                    : a * b;
    }
};
struct Quotient {
    template <class V> static V of(uint32_t mode, V a, V b, V)
    {
        using W = std::conditional_t<sizeof(V) == 4, double, emu_quad>;
        return mode ? emu_quotient_rounded<W, V>(direction(mode), a, b, a / b) : a / b;
    }
};
struct Reciprocal {
    template <class V> static V of(uint32_t mode, V a, V, V)
    {
        return Quotient::of<V>(mode, 1, a, a);
    }
};
struct Root {
    template <class V> static V of(uint32_t mode, V a, V, V)
    {
        using W = std::conditional_t<sizeof(V) == 4, double, emu_quad>;
        return mode ? emu_root_rounded<W, V>(direction(mode), a, std::sqrt(a)) : std::sqrt(a);
    }
};
struct Least {
    template <class V> static V of(uint32_t, V a, V b, V)
    {
        return a == b && std::signbit(a) ? a : std::fmin(a, b);
    }
};
struct Most {
    template <class V> static V of(uint32_t, V a, V b, V)
    {
        return a == b && std::signbit(a) ? b : std::fmax(a, b);
    }
};
// Functions of one value.
#define FUNCTION(Name, expression)                                                      \
    struct Name {                                                                       \
        template <class V> static V of(uint32_t, V a, V, V) { return (V)(expression); } \
    };
FUNCTION(InverseRoot, 1 / std::sqrt((double)a))
FUNCTION(Sine, std::sin((double)a))
FUNCTION(Cosine, std::cos((double)a))
FUNCTION(Logarithm, std::log2((double)a))
FUNCTION(Power, std::exp2((double)a))
FUNCTION(Tangent, std::tanh((double)a))
FUNCTION(Negative, -a)
FUNCTION(Magnitude, std::fabs(a))
#undef FUNCTION
struct Sign {   // copysign d, a, b: b with the sign of a
    template <class V> static V of(uint32_t, V a, V b, V) { return std::copysign(b, a); }
};

// ---- handlers ----

constexpr uint32_t ROUND = 0, FLAGS = 1;   // places in Instruction::detail

// One result of type T from N operands. 16-bit floats are computed with as floats, and rounded once
// more, which is exact for sums and products; fused ones are in double.
template <class T, class F, int N> T computed(const Instruction &in, T a, T b, T c)
{
    uint32_t mode = in.detail[ROUND], flags = in.detail[FLAGS];

    if constexpr (std::is_floating_point<T>::value) {
        if constexpr (sizeof(T) == 4)
            if (flags & FTZ) {
                a = flushed(a);
                b = flushed(b);
                c = flushed(c);
            }
        T r = F::template of<T>(mode, a, b, c);
        if ((flags & KEEPS_NAN) && (a != a || b != b))
            r = (T)NAN;
        return finished(flags, r);
    } else {
        float x = a, y = b, z = c;
        if (std::is_same<F, Fused>::value) {
            double sum = (double)x * y + z;
            float r = (float)sum;   // rounded to odd, so that rounding again is exact
            if (r != sum && !(as<uint32_t>(bits_of(r)) & 1))
                r = std::nextafter(r, r < sum ? INFINITY : -INFINITY);
            return finished(flags & ~FTZ, r);
        }
        float r = F::template of<float>(0, x, y, z);
        if ((flags & KEEPS_NAN) && (x != x || y != y))
            r = NAN;
        return finished(flags & ~FTZ, r);
    }
}

template <class T, class F, int N> struct Compute {
    static void run(const Instruction &in, Operands &o)
    {
        T a = as<T>(o.bits(1)), b = N > 1 ? as<T>(o.bits(2)) : a, c = N > 2 ? as<T>(o.bits(3)) : a;
        o.write(0, bits_of(computed<T, F, N>(in, a, b, c)));
    }
};
template <class T, class F, int N> struct Compute<Pair<T>, F, N> {
    static void run(const Instruction &in, Operands &o)
    {
        auto a = as<Pair<T>>(o.bits(1)), b = N > 1 ? as<Pair<T>>(o.bits(2)) : a,
             c = N > 2 ? as<Pair<T>>(o.bits(3)) : a;
        Pair<T> r = { computed<T, F, N>(in, a.low, b.low, c.low),
                      computed<T, F, N>(in, a.high, b.high, c.high) };
        o.write(0, bits_of(r));
    }
};
// Sums, products and fused ones of one size, without flags: the usual case.
template <class V, class F> void plain(const Instruction &, Operands &o)
{
    o.write(0, bits_of(F::template of<V>(0, as<V>(o.bits(1)), as<V>(o.bits(2)),
                                         o.count() > 3 ? as<V>(o.bits(3)) : (V)0)));
}

template <class F, int N> Handler *floats(const Instruction &in)
{
    in.detail[ROUND] = round_of(in);
    in.detail[FLAGS] = flags_of(in);
    if (in.operands.size() != N + 1 ||
        !has_only(in, "rn rz rm rp ftz sat relu NaN approx full noftz"))
        return nullptr;
    if (N > 1 && !in.detail[ROUND] && !in.detail[FLAGS] && type_of(in) == "f32")
        return plain<float, F>;
    return with_float(type_of(in),
                      [](auto t) -> Handler * { return Compute<decltype(t), F, N>::run; });
}
template <class F, int N, Handler *(*INTEGER)(const Instruction &)>
Handler *either(const Instruction &in)
{
    return is_float(in) ? floats<F, N>(in) : INTEGER(in);
}

// min.f32 and max.f32 with three operands.
template <class F, Handler *(*INTEGER)(const Instruction &)> Handler *extreme(const Instruction &in)
{
    return either<F, 2, INTEGER>(in);
}

enum Test : uint32_t { FINITE, INFINITE, NUMBER, NOTANUMBER, NORMAL, SUBNORMAL };
template <class T> void testp(const Instruction &in, Operands &o)
{
    T v = as<T>(o.bits(1));
    switch (in.detail[0]) {
    case FINITE: return o.write(0, std::isfinite(v));
    case INFINITE: return o.write(0, std::isinf(v));
    case NUMBER: return o.write(0, !std::isnan(v));
    case NOTANUMBER: return o.write(0, std::isnan(v));
    case NORMAL: return o.write(0, std::isnormal(v));
    default: o.write(0, std::fpclassify(v) == FP_SUBNORMAL);
    }
}
Handler *testp_of(const Instruction &in)
{
    static const char *const names[] = { "finite",     "infinite", "number",
                                         "notanumber", "normal",   "subnormal" };
    for (uint32_t i = 0; i < 6; i++)
        if (in.has(names[i])) {
            in.detail[0] = i;
            return type_of(in) == "f64" ? testp<double> : testp<float>;
        }
    return nullptr;
}

// ---- conversions ----

// A value that is converted: exact.
struct Exact {
    bool is_integer, is_negative;
    uint64_t magnitude;   // of an integer
    double value;         // of a float
};

enum Type : uint32_t { U8, S8, U16, S16, U32, S32, U64, S64, F16, BF16, TF32, F32, F64, TYPES };

int type_named(const std::string &name)
{
    static const char *const names[] = { "u8",  "s8",  "u16",  "s16",  "u32", "s32", "u64",
                                         "s64", "f16", "bf16", "tf32", "f32", "f64" };
    for (int i = 0; i < (int)TYPES; i++)
        if (name == names[i])
            return i;
    return -1;
}
unsigned bits_of_type(uint32_t t)
{
    return t >= F16 ? t == F64 ? 64 : t >= TF32 ? 32 : 16 : 8u << t / 2;
}

Exact exact(uint32_t type, uint64_t bits)
{
    Exact e = { type < F16, false, 0, 0 };

    if (e.is_integer) {
        unsigned n = bits_of_type(type);
        int64_t v = (int64_t)(bits << (64 - n)) >> (64 - n);
        e.is_negative = type % 2 && v < 0;
        e.magnitude = e.is_negative ? 0 - (uint64_t)v : bits << (64 - n) >> (64 - n);
        return e;
    }
    e.value = type == F16  ? (float)as<Half>(bits)
            : type == BF16 ? (float)as<Bfloat>(bits)
            : type == F64  ? as<double>(bits)
                           : as<float>(bits);
    return e;
}

// Does rounding by `mode` go to a larger magnitude than that of the next value toward zero?
// `rest` is compared with half a step: below 0, 0, or above; `is_odd`: of the value toward zero.
bool rounds_away(uint32_t mode, bool is_negative, int rest, bool is_odd)
{
    switch (mode) {
    case TO_ZERO: return false;
    case UP: return !is_negative;
    case DOWN: return is_negative;
    case AWAY: return rest >= 0;
    default: return rest > 0 || (rest == 0 && is_odd);
    }
}

// The magnitude of `v`, rounded to `digits` binary digits of a format whose smallest step is
// 2^least and whose values are below 2^most. Larger ones become infinite, or by the mode the
// largest value.
double rounded(uint32_t mode, bool is_negative, double v, uint64_t sticky, int digits, int least,
               int most)
{
    if (v == 0 || !std::isfinite(v))
        return v;
    int exponent;
    std::frexp(v, &exponent);
    int step = std::max(exponent - digits, least);
    double scaled = std::ldexp(v, -step), floor = std::floor(scaled), part = scaled - floor;
    int rest = part < 0.5 ? -1 : part > 0.5 || sticky ? 1 : 0;
    if ((part != 0 || sticky) && rounds_away(mode, is_negative, rest, std::fmod(floor, 2) != 0))
        floor += 1;
    double r = std::ldexp(floor, step),
           largest = std::ldexp(2 - std::ldexp(1, 1 - digits), most - 1);
    if (r <= largest)
        return r;
    return mode == NEAREST || mode == AWAY || (mode == UP && !is_negative) ||
                   (mode == DOWN && is_negative)
             ? INFINITY
             : largest;
}

uint64_t to_float(uint32_t type, uint32_t mode, uint32_t flags, bool is_finite, const Exact &e)
{
    static const struct {
        int digits, least, most;
    } formats[TYPES] = { {},
                         {},
                         {},
                         {},
                         {},
                         {},
                         {},
                         {},
                         { 11, -24, 16 },
                         { 8, -133, 128 },
                         { 11, -136, 128 },
                         { 24, -149, 128 },
                         { 53, -1074, 1024 } };
    auto &f = formats[type];
    bool is_negative = e.is_integer ? e.is_negative : std::signbit(e.value);
    double v = std::fabs(e.value);
    uint64_t sticky = 0;

    if (e.is_integer) {   // a double has 53 digits
        uint64_t m = e.magnitude;
        if (m >> 53 && type != F64) {
            sticky = m & 0x7ff;
            m &= ~(uint64_t)0x7ff;
        }
        v = (double)m;
        if (type == F64 && m >> 53) {
            uint64_t low = m & 0x7ff, high = m & ~(uint64_t)0x7ff;
            unsigned lost = 11 - (unsigned)__builtin_clzll(m);
            low = m & (((uint64_t)1 << lost) - 1);
            high = m - low;
            uint64_t half = (uint64_t)1 << (lost - 1);
            v = (double)high;
            if (low &&
                rounds_away(mode, is_negative, low < half ? -1 : low > half, high >> lost & 1))
                v += (double)((uint64_t)1 << lost);
        }
    }
    if (std::isnan(v))
        return type == F16 || type == BF16 ? 0x7fff : type == F64 ? 0x7fffffffffffffff : 0x7fffffff;
    if (type != F64 || !e.is_integer)
        v = rounded(mode, is_negative, v, sticky, f.digits, f.least, f.most);
    if (is_finite && std::isinf(v))
        v = std::ldexp(2 - std::ldexp(1, 1 - f.digits), f.most - 1);
    if ((flags & RELU) && is_negative)
        v = 0, is_negative = false;
    if (flags & SATURATE)
        v = is_negative ? 0 : std::min(v, 1.0), is_negative = false;
    if ((flags & FTZ) && type == F32)
        v = flushed((float)v);
    if (is_negative)
        v = -v;
    return type == F16  ? bits_of(Half((float)v))
         : type == BF16 ? bits_of(Bfloat((float)v))
         : type == F64  ? bits_of(v)
                        : bits_of((float)v);
}

uint64_t to_integer(uint32_t type, uint32_t mode, const Exact &e, bool is_clamped)
{
    unsigned n = bits_of_type(type);
    bool is_signed = type % 2;
    uint64_t most = is_signed ? ((uint64_t)1 << (n - 1)) - 1 : ~(uint64_t)0 >> (64 - n),
             least = is_signed ? most + 1 : 0;   // magnitudes
    uint64_t m = e.magnitude;
    bool is_negative = e.is_negative;

    if (!e.is_integer) {
        if (std::isnan(e.value))
            return n == 64 ? (uint64_t)1 << 63 : 0;
        is_negative = e.value < 0;
        double v = std::fabs(e.value), floor = std::floor(v), part = v - floor;
        if (part != 0 &&
            rounds_away(mode, is_negative, part < 0.5 ? -1 : part > 0.5, std::fmod(floor, 2) != 0))
            floor += 1;
        m = floor >= 18446744073709551616.0 ? ~(uint64_t)0 : (uint64_t)floor;
        is_clamped = true;
    }
    if (is_clamped)
        m = std::min(m, is_negative ? least : most);
    uint64_t v = is_negative ? 0 - m : m;
    return is_signed ? (uint64_t)((int64_t)(v << (64 - n)) >> (64 - n)) : v << (64 - n) >> (64 - n);
}

// cvt.rn.ftz.d.s d, a. detail: [0] mode, [1] flags, [2] the type of d, [3] of a, [4] .satfinite,
// [5] the result is a float with an integral value.
uint64_t converted(const Instruction &in, uint64_t bits)
{
    uint32_t to = in.detail[2], flags = in.detail[1];
    Exact e = exact(in.detail[3], bits);

    if ((flags & FTZ) && in.detail[3] == F32)
        e.value = flushed((float)e.value);
    if (in.detail[5] && std::isfinite(e.value)) {
        double v = e.value, floor = std::floor(std::fabs(v)), part = std::fabs(v) - floor;
        if (part != 0 && rounds_away(in.detail[0], v < 0, part < 0.5 ? -1 : part > 0.5,
                                     std::fmod(floor, 2) != 0))
            floor += 1;
        e.value = std::copysign(floor, v);
    }
    return to < F16 ? to_integer(to, in.detail[0], e, flags & SATURATE)
                    : to_float(to, in.detail[5] ? (uint32_t)NEAREST : in.detail[0], flags,
                               in.detail[4], e);
}
void cvt(const Instruction &in, Operands &o) { o.write(0, converted(in, o.bits(1))); }
void cvt_pair(const Instruction &in, Operands &o)
{
    o.write(0, (converted(in, o.bits(1)) & 0xffff) << 16 | (converted(in, o.bits(2)) & 0xffff));
}
// float to 16 bits and back, to nearest
template <class T> void narrow(const Instruction &, Operands &o)
{
    o.write(0, bits_of(T(o.f32(1))));
}
template <class T> void narrow_pair(const Instruction &, Operands &o)
{
    Pair<T> r = { T(o.f32(2)), T(o.f32(1)) };
    o.write(0, bits_of(r));
}
template <class T> void widen(const Instruction &, Operands &o)
{
    o.write_f32(0, as<T>(o.bits(1)));
}
// Rounds the fraction to 10 bits, ties away from zero.
void to_tf32(const Instruction &, Operands &o)
{
    uint32_t v = o.u32(1);
    o.write(0, (v & 0x7fffffff) > 0x7f800000 ? 0x7fffffffu : (v + 0x1000) & ~0x1fffu);
}

// cvt.pack.sat.u8.s32.b32 d, a, b, c
template <class T> void pack_bytes(const Instruction &, Operands &o)
{
    o.write(0, emu_pack_bytes<T>(o.u32(1), o.u32(2), o.u32(3)));
}
// cvt.pack.sat.u16.s32 d, a, b: b in the lower half
void pack_halves(const Instruction &in, Operands &o)
{
    auto half = [&](unsigned i) {
        return (uint32_t)to_integer(in.detail[2], 0, exact(S32, o.bits(i)), true) & 0xffff;
    };
    o.write(0, half(1) << 16 | half(2));
}

Handler *cvt_of(const Instruction &in)
{
    size_t n = in.parts.size();

    if (n < 3)
        return nullptr;
    if (in.has("pack")) {
        in.detail[2] = in.parts[3] == "u16" ? U16 : S16;
        return in.name == "cvt.pack.sat.u8.s32.b32" ? pack_bytes<emu_u8>
             : in.name == "cvt.pack.sat.s8.s32.b32" ? pack_bytes<emu_s8>
             : in.name == "cvt.pack.sat.u16.s32" || in.name == "cvt.pack.sat.s16.s32" ? pack_halves
                                                                                      : nullptr;
    }
    if (!has_only(in, "rn rz rm rp rna rni rzi rmi rpi ftz sat satfinite relu", 2))
        return nullptr;
    std::string to = in.parts[n - 2], from = in.parts[n - 1];
    bool is_pair = to == "f16x2" || to == "bf16x2";
    int d = type_named(is_pair ? to.substr(0, to.size() - 2) : to), a = type_named(from);

    if (d < 0 || a < 0 || in.operands.size() != (is_pair ? 3 : 2))
        return nullptr;
    in.detail[0] = round_of(in);
    in.detail[1] = flags_of(in);
    in.detail[2] = (uint32_t)d;
    in.detail[3] = (uint32_t)a;
    in.detail[4] = in.has("satfinite");
    in.detail[5] = in.has("rni") || in.has("rzi") || in.has("rmi") || in.has("rpi");
    bool is_plain = !in.detail[0] && !in.detail[1] && !in.detail[4] && !in.detail[5];
    if (is_plain && a == F32 && (d == F16 || d == BF16))
        return is_pair  ? d == F16 ? narrow_pair<Half> : narrow_pair<Bfloat>
              : d == F16 ? narrow<Half>
                        : narrow<Bfloat>;
    if (is_plain && d == F32 && (a == F16 || a == BF16))
        return a == F16 ? widen<Half> : widen<Bfloat>;
    if (d == TF32 && in.detail[0] == AWAY && !in.detail[1] && !in.detail[4])
        return to_tf32;
    return is_pair ? cvt_pair : cvt;
}

}   // namespace

static const Opcode all[] = {
    { "add", either<Sum, 2, integer_sum> },
    { "sub", either<Difference, 2, integer_sum> },
    { "mul",
      [](const Instruction &in) {
          return is_float(in) ? floats<Product, 2>(in) : integer_product(in);
      } },
    { "mad", either<Fused, 3, integer_product> },
    { "fma", floats<Fused, 3> },
    { "div", either<Quotient, 2, integer_quotient> },
    { "min", extreme<Least, integer_min> },
    { "max", extreme<Most, integer_max> },
    { "neg", either<Negative, 1, integer_neg> },
    { "abs", either<Magnitude, 1, integer_abs> },
    { "rcp", floats<Reciprocal, 1> },
    { "sqrt", floats<Root, 1> },
    { "rsqrt", floats<InverseRoot, 1> },
    { "sin", floats<Sine, 1> },
    { "cos", floats<Cosine, 1> },
    { "lg2", floats<Logarithm, 1> },
    { "ex2", floats<Power, 1> },
    { "tanh", floats<Tangent, 1> },
    { "copysign", floats<Sign, 2> },
    { "testp", testp_of },
    { "cvt", cvt_of },
};

}   // namespace ptx
}   // namespace emu

// Handlers of inline PTX: integers, logic, comparisons, moves (PTX ISA, "Integer Arithmetic
// Instructions", "Logic and Shift Instructions", "Comparison and Selection Instructions", "mov").
#include <algorithm>
#include <functional>

#include "include/cuda_runtime.h"
#include "lanes/cluster.h"
#include "ptx_types.h"

namespace emu {
namespace ptx {

namespace {

typedef unsigned __int128 Wide;

template <class T> T get(const Operands &o, unsigned i) { return (T)o.bits(i); }
template <class T> using Unsigned = std::make_unsigned_t<T>;

const std::string &type_of(const Instruction &in) { return in.parts.back(); }

// d = F(a, b), and so on.
template <class T, class F> void one(const Instruction &, Operands &o)
{
    o.write(0, (uint64_t)F()(get<T>(o, 1)));
}
template <class T, class F> void two(const Instruction &, Operands &o)
{
    o.write(0, (uint64_t)F()(get<T>(o, 1), get<T>(o, 2)));
}

// For instructions of which the choice has understood the other parts of the name.
template <class F> Handler *two_of(const Instruction &in)
{
    return with_integer(type_of(in), [](auto t) -> Handler * { return two<decltype(t), F>; });
}
template <class F> Handler *two_integers(const Instruction &in)
{
    return has_only(in, "") ? two_of<F>(in) : nullptr;
}
template <class F> Handler *one_integer(const Instruction &in)
{
    return !has_only(in, "")
             ? nullptr
             : with_integer(type_of(in), [](auto t) -> Handler * { return one<decltype(t), F>; });
}

// ---- sums and products ----

struct Plus {
    template <class T> T operator()(T a, T b) { return (T)((uint64_t)a + (uint64_t)b); }
};
struct Minus {
    template <class T> T operator()(T a, T b) { return (T)((uint64_t)a - (uint64_t)b); }
};
struct Times {
    template <class T> T operator()(T a, T b) { return (T)((uint64_t)a * (uint64_t)b); }
};
struct TimesHigh {
    template <class T> T operator()(T a, T b)
    {
        return (T)((Wide)((__int128)a * (__int128)b) >> 8 * sizeof(T));
    }
};
// Division by zero: all bits are set.
struct Quotient {
    template <class T> T operator()(T a, T b)
    {
        return b == 0 ? (T)-1 : b == (T)-1 && (T)-1 < 0 ? (T)(0 - (uint64_t)a) : (T)(a / b);
    }
};
struct Remainder {
    template <class T> T operator()(T a, T b)
    {
        return b == 0 ? a : b == (T)-1 && (T)-1 < 0 ? (T)0 : (T)(a % b);
    }
};
struct Least {
    template <class T> T operator()(T a, T b) { return std::min(a, b); }
};
struct Most {
    template <class T> T operator()(T a, T b) { return std::max(a, b); }
};
struct Negative {
    template <class T> T operator()(T a) { return (T)(0 - (uint64_t)a); }
};
struct Magnitude {
    template <class T> T operator()(T a) { return a < 0 ? (T)(0 - (uint64_t)a) : a; }
};

int32_t clamped(int64_t v)
{
    return (int32_t)std::min<int64_t>(std::max<int64_t>(v, INT32_MIN), INT32_MAX);
}

void add_saturated(const Instruction &, Operands &o)
{
    o.write(0, (uint32_t)clamped((int64_t)get<int32_t>(o, 1) + get<int32_t>(o, 2)));
}
void sub_saturated(const Instruction &, Operands &o)
{
    o.write(0, (uint32_t)clamped((int64_t)get<int32_t>(o, 1) - get<int32_t>(o, 2)));
}

// With the carry: detail[0]: it is read; detail[1]: it is written; detail[2]: a difference.
template <class T> void with_carry(const Instruction &in, Operands &o)
{
    bool is_difference = in.detail[2];
    uint64_t carry = in.detail[0] ? o.lane.carry : 0;
    Wide a = get<T>(o, 1), b = get<T>(o, 2), r = is_difference ? a - b - carry : a + b + carry;

    o.write(0, (uint64_t)r);
    if (in.detail[1])
        o.lane.carry = (uint8_t)(r >> 8 * sizeof(T) & 1);
}

Handler *sum(const Instruction &in)
{
    bool is_difference = in.parts[0][0] == 's', reads = in.parts[0].back() == 'c',
         writes = in.has("cc");

    if (!has_only(in, "cc sat"))
        return nullptr;
    if (reads || writes) {
        in.detail[0] = reads;
        in.detail[1] = writes;
        in.detail[2] = is_difference;
        return type_of(in).find("64") != std::string::npos ? with_carry<uint64_t>
                                                           : with_carry<uint32_t>;
    }
    if (in.has("sat"))
        return type_of(in) != "s32" ? nullptr : is_difference ? sub_saturated : add_saturated;
    return is_difference ? two_of<Minus>(in) : two_of<Plus>(in);
}

template <class T> void mul_wide(const Instruction &, Operands &o)
{
    o.write(0, (uint64_t)get<T>(o, 1) * (uint64_t)get<T>(o, 2));
}
template <class T> void mad_wide(const Instruction &, Operands &o)
{
    o.write(0, (uint64_t)get<T>(o, 1) * (uint64_t)get<T>(o, 2) + o.bits(3));
}
// detail: as in with_carry; [2]: the upper half of the product.
template <class T> void mad(const Instruction &in, Operands &o)
{
    Wide product = (Wide)((__int128)get<T>(o, 1) * (__int128)get<T>(o, 2));
    Unsigned<T> part = (Unsigned<T>)(in.detail[2] ? product >> 8 * sizeof(T) : product);
    Wide r = (Wide)part + (Unsigned<T>)o.bits(3) + (in.detail[0] ? o.lane.carry : 0);

    o.write(0, (uint64_t)r);
    if (in.detail[1])
        o.lane.carry = (uint8_t)(r >> 8 * sizeof(T) & 1);
}
void mad_high_saturated(const Instruction &, Operands &o)
{
    int64_t product = (int64_t)get<int32_t>(o, 1) * get<int32_t>(o, 2) >> 32;
    o.write(0, (uint32_t)clamped(product + get<int32_t>(o, 3)));
}

Handler *product(const Instruction &in)
{
    const std::string &t = type_of(in);
    bool is_sum = in.parts[0][0] == 'm' && in.parts[0][1] == 'a';

    if (in.has("wide") && has_only(in, "wide"))
        return with_integer(t, [is_sum](auto v) -> Handler * {
            return is_sum ? mad_wide<decltype(v)> : mul_wide<decltype(v)>;
        });
    if ((!in.has("lo") && !in.has("hi")) || !has_only(in, "lo hi cc sat"))
        return nullptr;
    if (!is_sum)
        return in.has("hi") ? two_of<TimesHigh>(in) : two_of<Times>(in);
    in.detail[0] = in.parts[0] == "madc";
    in.detail[1] = in.has("cc");
    in.detail[2] = in.has("hi");
    if (in.has("sat"))
        return t == "s32" && in.has("hi") ? mad_high_saturated : nullptr;
    return with_integer(t, [](auto v) -> Handler * { return mad<decltype(v)>; });
}

// detail[0]: the upper 32 of the 48 bits; detail[1]: the sum with operand 3.
template <class T> void product_24(const Instruction &in, Operands &o)
{
    int64_t a = (T)(get<T>(o, 1) << 8) >> 8, b = (T)(get<T>(o, 2) << 8) >> 8,
            r = a * b >> (in.detail[0] ? 16 : 0);
    o.write(0, (uint64_t)(in.detail[1] ? r + (int64_t)o.bits(3) : r));
}
Handler *mul24(const Instruction &in)
{
    in.detail[0] = in.has("hi");
    in.detail[1] = in.parts[0] == "mad24";
    return in.has("sat")        ? nullptr
         : type_of(in) == "s32" ? product_24<int32_t>
                                : product_24<uint32_t>;
}

struct Distance {
    template <class T> uint64_t operator()(T a, T b)
    {
        return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
    }
};
template <class T> void sad_of(const Instruction &, Operands &o)
{
    o.write(0, o.bits(3) + Distance()(get<T>(o, 1), get<T>(o, 2)));
}
Handler *sad(const Instruction &in)
{
    return with_integer(type_of(in), [](auto t) -> Handler * { return sad_of<decltype(t)>; });
}

// dp4a.atype.btype, dp2a.lo.atype.btype; detail[0]: the first byte of b.
template <class A, class B, int N> void dot(const Instruction &in, Operands &o)
{
    o.write(0, emu_dot<A, B, N>(o.u32(1), o.u32(2), o.u32(3), (int)in.detail[0]));
}
Handler *dp4a(const Instruction &in)
{
    if (in.parts.size() != 3)
        return nullptr;
    bool a = in.parts[1] == "s32", b = in.parts[2] == "s32";
    return a ? b ? dot<int8_t, int8_t, 4> : dot<int8_t, uint8_t, 4>
         : b ? dot<uint8_t, int8_t, 4>
             : dot<uint8_t, uint8_t, 4>;
}
Handler *dp2a(const Instruction &in)
{
    if (in.parts.size() != 4)
        return nullptr;
    bool a = in.parts[2] == "s32", b = in.parts[3] == "s32";
    in.detail[0] = in.parts[1] == "hi" ? 2 : 0;
    return a ? b ? dot<int16_t, int8_t, 2> : dot<int16_t, uint8_t, 2>
         : b ? dot<uint16_t, int8_t, 2>
             : dot<uint16_t, uint8_t, 2>;
}

// ---- bits ----

struct And {
    template <class T> T operator()(T a, T b) { return a & b; }
};
struct Or {
    template <class T> T operator()(T a, T b) { return a | b; }
};
struct Xor {
    template <class T> T operator()(T a, T b) { return a ^ b; }
};
template <class F> Handler *logic(const Instruction &in)
{
    return type_of(in) == "pred" ? two<uint64_t, F> : two_integers<F>(in);
}
void not_bits(const Instruction &, Operands &o) { o.write(0, ~o.bits(1)); }
void not_predicate(const Instruction &, Operands &o) { o.write(0, !o.predicate(1)); }
struct LogicalNot {
    template <class T> T operator()(T a) { return a == 0; }
};

template <class T> void shl_by(const Instruction &, Operands &o)
{
    uint32_t n = o.u32(2);
    o.write(0, n >= 8 * sizeof(T) ? 0 : o.bits(1) << n);
}
template <class T> void shr_by(const Instruction &, Operands &o)
{
    uint32_t n = std::min<uint32_t>(o.u32(2), 8 * sizeof(T));
    T v = get<T>(o, 1);
    o.write(0, n < 8 * sizeof(T) ? (uint64_t)(v >> n) : v < 0 ? ~(uint64_t)0 : 0);
}
Handler *shl(const Instruction &in)
{
    return with_integer(type_of(in), [](auto t) -> Handler * { return shl_by<decltype(t)>; });
}
Handler *shr(const Instruction &in)
{
    return with_integer(type_of(in), [](auto t) -> Handler * { return shr_by<decltype(t)>; });
}
// shf.l.wrap.b32 d, low, high, n. detail[0]: right; detail[1]: clamped
void shf(const Instruction &in, Operands &o)
{
    uint64_t both = (uint64_t)o.u32(2) << 32 | o.u32(1);
    uint32_t n = in.detail[1] ? std::min(o.u32(3), 32u) : o.u32(3) & 31;
    o.write(0, in.detail[0] ? both >> n : both << n >> 32);
}
Handler *shf_of(const Instruction &in)
{
    if (!has_only(in, "l r wrap clamp"))
        return nullptr;
    in.detail[0] = in.has("r");
    in.detail[1] = in.has("clamp");
    return shf;
}

void lop3(const Instruction &, Operands &o)
{
    uint32_t a = o.u32(1), b = o.u32(2), c = o.u32(3), table = o.u32(4), r = 0;

    for (int i = 0; i < 8; i++)
        if (table >> i & 1)
            r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    o.write(0, r);
}

// Bytes of b:a, selected by c. detail[0]: the mode; 0: a selector of 4 bits per byte, whose highest
// bit copies the sign.
void prmt(const Instruction &in, Operands &o)
{
    uint64_t both = (uint64_t)o.u32(2) << 32 | o.u32(1);
    uint32_t c = o.u32(3), r = 0, s = c & 3;

    for (uint32_t i = 0; i < 4; i++) {
        uint32_t from = 0;
        switch (in.detail[0]) {
        case 0: from = c >> 4 * i & 15; break;
        case 1: from = s + i; break;             // f4e
        case 2: from = (s - i) & 7; break;       // b4e
        case 3: from = s; break;                 // rc8
        case 4: from = std::max(i, s); break;    // ecl
        case 5: from = std::min(i, s); break;    // ecr
        default: from = (s & 1) * 2 + (i & 1);   // rc16
        }
        uint32_t byte = (uint32_t)(both >> 8 * (from & 7)) & 0xff;
        if (in.detail[0] == 0 && (from & 8))
            byte = byte & 0x80 ? 0xff : 0;
        r |= byte << 8 * i;
    }
    o.write(0, r);
}
Handler *prmt_of(const Instruction &in)
{
    static const char *const modes[] = { "f4e", "b4e", "rc8", "ecl", "ecr", "rc16" };

    for (uint32_t i = 0; i < 6; i++)
        if (in.has(modes[i]))
            in.detail[0] = i + 1;
    return prmt;
}

// A field of `length` bits from bit `start` on. A signed field that ends above the highest bit has
// its sign.
template <class T> void bfe(const Instruction &, Operands &o)
{
    constexpr uint32_t BITS = 8 * sizeof(T);
    T v = get<T>(o, 1);
    uint32_t start = o.u32(2) & 0xff, length = o.u32(3) & 0xff;
    uint64_t sign = 0, r = 0;

    if ((T)-1 < 0 && length)
        sign = (Unsigned<T>)v >> std::min(start + length - 1, BITS - 1) & 1;
    for (uint32_t i = 0; i < BITS; i++)
        r |= (i < length && start + i < BITS ? (Unsigned<T>)v >> (start + i) & 1 : sign) << i;
    o.write(0, r);
}
template <class T> void bfi(const Instruction &, Operands &o)
{
    constexpr uint32_t BITS = 8 * sizeof(T);
    uint64_t a = o.bits(1), r = o.bits(2);
    uint32_t start = o.u32(3) & 0xff, length = o.u32(4) & 0xff;

    for (uint32_t i = 0; i < length && start + i < BITS; i++)
        r = (r & ~((uint64_t)1 << (start + i))) | (a >> i & 1) << (start + i);
    o.write(0, r);
}
Handler *bfe_of(const Instruction &in)
{
    return with_integer(type_of(in), [](auto t) -> Handler * { return bfe<decltype(t)>; });
}
Handler *bfi_of(const Instruction &in)
{
    return type_of(in) == "b64" ? bfi<uint64_t> : bfi<uint32_t>;
}
// bmsk.clamp.b32 d, start, length
void bmsk(const Instruction &in, Operands &o)
{
    uint64_t start = o.u32(1), length = o.u32(2);

    if (!in.detail[0]) {
        start &= 31;
        length &= 31;
    }
    o.write(0, start >= 32 ? 0 : (((uint64_t)1 << std::min<uint64_t>(length, 32)) - 1) << start);
}
Handler *bmsk_of(const Instruction &in)
{
    in.detail[0] = in.has("clamp");
    return bmsk;
}

// The highest bit that differs from the sign; detail[0]: as a shift to the top.
template <class T> void bfind(const Instruction &in, Operands &o)
{
    T v = get<T>(o, 1);
    uint64_t u = (Unsigned<T>)(v < 0 ? ~v : v);
    uint32_t at = u ? 63 - (uint32_t)__builtin_clzll(u) : ~0u;

    o.write(0, in.detail[0] && u ? 8 * sizeof(T) - 1 - at : at);
}
Handler *bfind_of(const Instruction &in)
{
    in.detail[0] = in.has("shiftamt");
    return with_integer(type_of(in), [](auto t) -> Handler * { return bfind<decltype(t)>; });
}
struct Ones {
    template <class T> uint32_t operator()(T v) { return (uint32_t)__builtin_popcountll(v); }
};
struct Zeros {
    template <class T> uint32_t operator()(T v)
    {
        return v ? (uint32_t)__builtin_clzll((uint64_t)v) - (64 - 8 * sizeof(T)) : 8 * sizeof(T);
    }
};
template <class F> Handler *count_bits(const Instruction &in)
{
    return type_of(in) == "b64" ? one<uint64_t, F> : one<uint32_t, F>;
}
void brev32(const Instruction &, Operands &o) { o.write(0, __brev(o.u32(1))); }
void brev64(const Instruction &, Operands &o)
{
    o.write(0, (uint64_t)__brev(o.u32(1)) << 32 | __brev((uint32_t)(o.bits(1) >> 32)));
}

// ---- comparison ----

enum Compare : uint32_t { EQ, NE, LT, LE, GT, GE, NUM, NAN_, ANY = 16 };   // ANY: true for a NaN

// -1: none
int compare_of(const std::string &name)
{
    static const std::pair<const char *, int> names[] = {
        { "eq", EQ },        { "ne", NE },        { "lt", LT },        { "le", LE },
        { "gt", GT },        { "ge", GE },        { "lo", LT },        { "ls", LE },
        { "hi", GT },        { "hs", GE },        { "equ", EQ | ANY }, { "neu", NE | ANY },
        { "ltu", LT | ANY }, { "leu", LE | ANY }, { "gtu", GT | ANY }, { "geu", GE | ANY },
        { "num", NUM },      { "nan", NAN_ },
    };
    for (auto &n : names)
        if (name == n.first)
            return n.second;
    return -1;
}

template <class T> bool compare(uint32_t how, T a, T b)
{
    bool is_unordered = a != a || b != b;

    if (how == NUM || how == NAN_)
        return is_unordered == (how == NAN_);
    if (is_unordered)
        return how & ANY;
    switch (how & 7) {
    case EQ: return a == b;
    case NE: return a != b;
    case LT: return a < b;
    case LE: return a <= b;
    case GT: return a > b;
    default: return a >= b;
    }
}

template <class T> T number(const Operands &o, unsigned i)
{
    if constexpr (std::is_same<T, Half>::value || std::is_same<T, Bfloat>::value ||
                  std::is_floating_point<T>::value)
        return as<T>(o.bits(i));
    else
        return get<T>(o, i);
}
template <class T> bool compared(uint32_t how, const Operands &o)
{
    if constexpr (std::is_same<T, Half>::value || std::is_same<T, Bfloat>::value)
        return compare<float>(how, number<T>(o, 1), number<T>(o, 2));
    else
        return compare<T>(how, number<T>(o, 1), number<T>(o, 2));
}

enum Combine : uint32_t { ALONE, AND, OR, XOR };

bool combined(uint32_t how, bool a, bool b)
{
    return how == AND ? a && b : how == OR ? a || b : how == XOR ? a != b : a;
}

// setp.lt.and.u32 p|q, a, b, c. detail[0]: the comparison; [1]: what combines it with c.
template <class T> void setp(const Instruction &in, Operands &o)
{
    bool is_true = compared<T>(in.detail[0], o), c = in.detail[1] && o.predicate(3);

    o.write(0, combined(in.detail[1], is_true, c));
    if (o.elements(0) > 1)
        o.write(0, combined(in.detail[1], !is_true, c), 1);
}
// set.lt.u32.f32 d, a, b; detail[2]: the result is a float.
template <class T> void set(const Instruction &in, Operands &o)
{
    bool is_true =
        combined(in.detail[1], compared<T>(in.detail[0], o), in.detail[1] && o.predicate(3));
    o.write(0, !is_true ? 0 : in.detail[2] ? 0x3f800000 : ~0u);
}

bool read_comparison(const Instruction &in)
{
    int how = in.parts.size() > 2 ? compare_of(in.parts[1]) : -1;

    in.detail[0] = (uint32_t)how;
    if (!has_only(in,
                  "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz",
                  in.parts[0] == "set" ? 2 : 1))
        return false;
    in.detail[1] = in.has("and") ? AND : in.has("or") ? OR : in.has("xor") ? XOR : ALONE;
    return how >= 0;
}
template <class F> Handler *with_number(const std::string &t, F f)
{
    return t == "f32"  ? f(float{})
         : t == "f64"  ? f(double{})
         : t == "f16"  ? f(Half{})
         : t == "bf16" ? f(Bfloat{})
                       : with_integer(t, f);
}
Handler *setp_of(const Instruction &in)
{
    if (!read_comparison(in))
        return nullptr;
    return with_number(type_of(in), [](auto t) -> Handler * { return setp<decltype(t)>; });
}
Handler *set_of(const Instruction &in)
{
    if (!read_comparison(in) || in.parts.size() < 4)
        return nullptr;
    const std::string &result = in.parts[in.parts.size() - 2];
    in.detail[2] = result == "f32";
    if (result != "f32" && result != "u32" && result != "s32")
        return nullptr;
    return with_number(type_of(in), [](auto t) -> Handler * { return set<decltype(t)>; });
}

void selp(const Instruction &, Operands &o) { o.write(0, o.predicate(3) ? o.bits(1) : o.bits(2)); }
void slct_integer(const Instruction &, Operands &o)
{
    o.write(0, (int32_t)o.u32(3) >= 0 ? o.bits(1) : o.bits(2));
}
void slct_float(const Instruction &, Operands &o)
{
    o.write(0, o.f32(3) >= 0 ? o.bits(1) : o.bits(2));
}

// ---- moves ----

void mov(const Instruction &, Operands &o) { o.write(0, o.bits(1)); }
// mov.b64 d, {a, b}; mov.b64 {a, b}, d. detail[0]: bits per element
void pack(const Instruction &in, Operands &o)
{
    uint64_t r = 0, mask = ((uint64_t)1 << in.detail[0]) - 1;

    for (unsigned k = 0; k < o.elements(1); k++)
        r |= (o.bits(1, k) & mask) << in.detail[0] * k;
    o.write(0, r);
}
void unpack(const Instruction &in, Operands &o)
{
    uint64_t v = o.bits(1);

    for (unsigned k = 0; k < o.elements(0); k++)
        o.write(0, v >> in.detail[0] * k & (((uint64_t)1 << in.detail[0]) - 1), k);
}
Handler *mov_of(const Instruction &in)
{
    if (in.operands.size() != 2 || in.operands[1].kind != Kind::registers)
        return nullptr;
    size_t to = in.operands[0].values.size(), from = in.operands[1].values.size();
    uint32_t bits = (uint32_t)atoi(type_of(in).c_str() + 1);

    if (to == 1 && from == 1)
        return mov;
    in.detail[0] = bits / (uint32_t)std::max(to, from);
    return bits && bits <= 64 && in.detail[0] < 64 && (to == 1 || from == 1)
             ? to == 1 ? pack : unpack
             : nullptr;
}

// ---- control ----

void bra(const Instruction &in, Operands &o) { o.next = (uint32_t)in.operands[0].offset; }
void nothing(const Instruction &, Operands &) {}

template <Handler *H> Handler *always(const Instruction &) { return H; }
template <Handler *SHORT, Handler *LONG> Handler *by_size(const Instruction &in)
{
    return type_of(in).find("64") != std::string::npos ? LONG : SHORT;
}

}   // namespace

// Integer instructions that share their names with those of floats (ptx_float.cpp).
Handler *integer_sum(const Instruction &in) { return sum(in); }
Handler *integer_product(const Instruction &in) { return product(in); }
Handler *integer_quotient(const Instruction &in) { return two_integers<Quotient>(in); }
Handler *integer_min(const Instruction &in) { return two_integers<Least>(in); }
Handler *integer_max(const Instruction &in) { return two_integers<Most>(in); }
Handler *integer_neg(const Instruction &in) { return one_integer<Negative>(in); }
Handler *integer_abs(const Instruction &in) { return one_integer<Magnitude>(in); }

static const Opcode all[] = {
    { "addc", sum },
    { "subc", sum },
    { "madc", product },
    { "mul24", mul24 },
    { "mad24", mul24 },
    { "rem", two_integers<Remainder> },
    { "sad", sad },
    { "dp4a", dp4a },
    { "dp2a", dp2a },
    { "and", logic<And> },
    { "or", logic<Or> },
    { "xor", logic<Xor> },
    { "not",
      [](const Instruction &in) { return type_of(in) == "pred" ? not_predicate : not_bits; } },
    { "cnot", one_integer<LogicalNot> },
    { "shl", shl },
    { "shr", shr },
    { "shf", shf_of },
    { "lop3", [](const Instruction &in) { return in.name == "lop3.b32" ? &lop3 : nullptr; } },
    { "prmt", prmt_of },
    { "bfe", bfe_of },
    { "bfi", bfi_of },
    { "bmsk", bmsk_of },
    { "bfind", bfind_of },
    { "popc", count_bits<Ones> },
    { "clz", count_bits<Zeros> },
    { "brev", by_size<brev32, brev64> },
    { "setp", setp_of },
    { "set", set_of },
    { "selp", always<selp> },
    { "slct",
      [](const Instruction &in) { return type_of(in) == "f32" ? slct_float : slct_integer; } },
    { "mov", mov_of },
    { "bra", always<bra> },
    { "griddepcontrol.launch_dependents", always<nothing> },
    { "pmevent", always<nothing> },
};

}   // namespace ptx
}   // namespace emu

// CUDA's integer, packed and conversion functions that standard C++ lacks, as defined in the CUDA
// Math API reference ("Integer Intrinsics", "SIMD Intrinsics", "Type Casting Intrinsics"). Others
// do not compile.
#ifndef EMU_INTRINSICS_H
#define EMU_INTRINSICS_H

// The result of what is one instruction on a GPU, and about emu_n operations of integers on the
// host. An estimate of machine code finds the mark (lanes/paths.cpp).
template <int emu_n> __device__ inline unsigned emu_one(unsigned result)
{
#ifdef __x86_64__
    asm("nopl %c1(%%rax)" : "+r"(result) : "i"(emu_n));
#endif
    return result;
}

// What an executed instruction adds to: counts of the thread of the system, which its launch takes.
extern "C" __thread unsigned long long emu_dot_products, emu_packed_conversions;

// An assembler statement, because g++ would report the access as one of the kernel.
__device__ inline void emu_add_one(unsigned long long &count)
{
#ifdef __x86_64__
    asm("incq %0" : "+m"(count));
#else
    asm("ldr x16, %0\n\tadd x16, x16, 1\n\tstr x16, %0" : "+Q"(count) : : "x16");
#endif
}

// ---- bits ----

__device__ inline int __popc(unsigned v) { return __builtin_popcount(v); }
__device__ inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
__device__ inline int __ffs(int v) { return __builtin_ffs(v); }
__device__ inline int __ffsll(long long v) { return __builtin_ffsll(v); }
__device__ inline int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
__device__ inline int __clzll(long long v)
{
    return v ? __builtin_clzll((unsigned long long)v) : 64;
}
__device__ inline unsigned __brev(unsigned v)
{
    v = (v & 0x55555555) << 1 | (v >> 1 & 0x55555555);
    v = (v & 0x33333333) << 2 | (v >> 2 & 0x33333333);
    v = (v & 0x0f0f0f0f) << 4 | (v >> 4 & 0x0f0f0f0f);
    return __builtin_bswap32(v);
}

// Byte i of the result is the one of the eight bytes of y:x that bits 4 i to 4 i + 2 of `selector`
// select.
__device__ inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
    unsigned long long both = (unsigned long long)y << 32 | x;
    unsigned result = 0;

    for (int i = 0; i < 4; i++)
        result |= (unsigned)(both >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return emu_one<26>(result);
}

// Shifts the 64 bits high:low by `shift` modulo 32, or (c) by at most 32. Returns the upper 32 bits
// of a left shift, the lower 32 bits of a right shift.
__device__ inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) << (shift & 31) >> 32);
}
__device__ inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
__device__ inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift)
{
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
__device__ inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift)
{
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

// ---- products and sums ----

// The lowest 32 bits of the product of the lowest 24 bits of each.
__device__ inline int __mul24(int a, int b)
{
    return (int)((unsigned)((int)((unsigned)a << 8) >> 8) *
                 (unsigned)((int)((unsigned)b << 8) >> 8));
}
__device__ inline unsigned __umul24(unsigned a, unsigned b)
{
    return (a & 0xffffff) * (b & 0xffffff);
}
__device__ inline int __mulhi(int a, int b) { return (int)((long long)a * b >> 32); }
__device__ inline unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((unsigned long long)a * b >> 32);
}
__device__ inline unsigned __sad(int a, int b, unsigned c)
{
    return c + (a < b ? (unsigned)b - (unsigned)a : (unsigned)a - (unsigned)b);
}
__device__ inline unsigned __usad(unsigned a, unsigned b, unsigned c)
{
    return c + (a < b ? b - a : a - b);
}
__device__ inline int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
__device__ inline int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
__device__ inline unsigned __uhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b) >> 1);
}
__device__ inline unsigned __urhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}

// c plus the sum of products of `emu_n` components: of the first type from the lowest of a on, of
// the second from component `first` of b on. Sums wrap around.
template <class emu_a, class emu_b, int emu_n>
__device__ inline unsigned emu_dot(unsigned a, unsigned b, unsigned c, int first = 0)
{
    for (int i = 0; i < emu_n; i++)
        c += (unsigned)((int)(emu_a)(a >> 8 * sizeof(emu_a) * i) *
                        (int)(emu_b)(b >> 8 * sizeof(emu_b) * (first + i)));
    emu_add_one(emu_dot_products);
    return emu_one<3 * emu_n + 1>(c);
}
template <class T> __device__ inline unsigned emu_bits_of(T v)
{
    unsigned bits;
    static_assert(sizeof v == sizeof bits, "the type must have 4 bytes");
    __builtin_memcpy(&bits, &v, sizeof bits);
    return bits;
}

typedef signed char emu_s8;
typedef unsigned char emu_u8;
typedef short emu_s16;
typedef unsigned short emu_u16;

__device__ inline int __dp4a(int a, int b, int c)
{
    return (int)emu_dot<emu_s8, emu_s8, 4>((unsigned)a, (unsigned)b, (unsigned)c);
}
__device__ inline unsigned __dp4a(unsigned a, unsigned b, unsigned c)
{
    return emu_dot<emu_u8, emu_u8, 4>(a, b, c);
}
__device__ inline int __dp4a(char4 a, char4 b, int c)
{
    return __dp4a((int)emu_bits_of(a), (int)emu_bits_of(b), c);
}
__device__ inline unsigned __dp4a(uchar4 a, uchar4 b, unsigned c)
{
    return __dp4a(emu_bits_of(a), emu_bits_of(b), c);
}
__device__ inline int __dp2a_lo(int a, int b, int c)
{
    return (int)emu_dot<emu_s16, emu_s8, 2>((unsigned)a, (unsigned)b, (unsigned)c);
}
__device__ inline unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c)
{
    return emu_dot<emu_u16, emu_u8, 2>(a, b, c);
}
__device__ inline int __dp2a_lo(short2 a, char4 b, int c)
{
    return __dp2a_lo((int)emu_bits_of(a), (int)emu_bits_of(b), c);
}
__device__ inline unsigned __dp2a_lo(ushort2 a, uchar4 b, unsigned c)
{
    return __dp2a_lo(emu_bits_of(a), emu_bits_of(b), c);
}
__device__ inline int __dp2a_hi(int a, int b, int c)
{
    return (int)emu_dot<emu_s16, emu_s8, 2>((unsigned)a, (unsigned)b, (unsigned)c, 2);
}
__device__ inline unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c)
{
    return emu_dot<emu_u16, emu_u8, 2>(a, b, c, 2);
}
__device__ inline int __dp2a_hi(short2 a, char4 b, int c)
{
    return __dp2a_hi((int)emu_bits_of(a), (int)emu_bits_of(b), c);
}
__device__ inline unsigned __dp2a_hi(ushort2 a, uchar4 b, unsigned c)
{
    return __dp2a_hi(emu_bits_of(a), emu_bits_of(b), c);
}

// cvt.pack.sat in PTX: b and a, clamped to the range of T, in the lowest two bytes, and the lower
// half of c above them.
template <class T> __device__ inline unsigned emu_pack_bytes(unsigned a, unsigned b, unsigned c)
{
    auto clamped = [](int v) __device__ {
        constexpr int LOWEST = (T)-1 < 0 ? -128 : 0, HIGHEST = LOWEST + 255;
        return (unsigned)(v < LOWEST ? LOWEST : v > HIGHEST ? HIGHEST : v) & 255;
    };
    emu_add_one(emu_packed_conversions);
    return c << 16 | clamped((int)a) << 8 | clamped((int)b);
}

// ---- four bytes, or two halves, of a word at once ----

// Applies f to each pair of components of type T. The result wraps around or, if SATURATED, is
// clamped to the range of T.
template <class T, bool SATURATED, class F>
__device__ inline unsigned emu_each(unsigned a, unsigned b, F f)
{
    constexpr int BITS = 8 * sizeof(T), LOWEST = (T)-1 < 0 ? -(1 << (BITS - 1)) : 0,
                  HIGHEST = LOWEST + (1 << BITS) - 1;
    unsigned result = 0;

    for (int shift = 0; shift < 32; shift += BITS) {
        int v = f((int)(T)(a >> shift), (int)(T)(b >> shift));

        if (SATURATED)
            v = v < LOWEST ? LOWEST : v > HIGHEST ? HIGHEST : v;
        result |= ((unsigned)v & ((1u << BITS) - 1)) << shift;
    }
    return result;
}

#define EMU_EACH(name, T, saturated, result)                                                  \
    __device__ inline unsigned name(unsigned a, unsigned b)                                   \
    {                                                                                         \
        return emu_each<T, saturated>(a, b,                                                   \
                                      [](int x, int y) __device__ -> int { return result; }); \
    }
#define EMU_EACH_SIZE(n, S, U)                                \
    EMU_EACH(__vadd##n, U, false, x + y)                      \
    EMU_EACH(__vsub##n, U, false, x - y)                      \
    EMU_EACH(__vaddus##n, U, true, x + y)                     \
    EMU_EACH(__vaddss##n, S, true, x + y)                     \
    EMU_EACH(__vsubus##n, U, true, x - y)                     \
    EMU_EACH(__vsubss##n, S, true, x - y)                     \
    EMU_EACH(__vminu##n, U, false, x < y ? x : y)             \
    EMU_EACH(__vmins##n, S, false, x < y ? x : y)             \
    EMU_EACH(__vmaxu##n, U, false, x > y ? x : y)             \
    EMU_EACH(__vmaxs##n, S, false, x > y ? x : y)             \
    EMU_EACH(__vabsdiffu##n, U, false, x < y ? y - x : x - y) \
    EMU_EACH(__vavgu##n, U, false, (x + y + 1) >> 1)          \
    EMU_EACH(__vhaddu##n, U, false, (x + y) >> 1)             \
    EMU_EACH(__vcmpeq##n, U, false, x == y ? -1 : 0)          \
    EMU_EACH(__vcmpgtu##n, U, false, x > y ? -1 : 0)          \
    EMU_EACH(__vcmpgts##n, S, false, x > y ? -1 : 0)
EMU_EACH_SIZE(4, emu_s8, emu_u8)
EMU_EACH_SIZE(2, emu_s16, emu_u16)
#undef EMU_EACH_SIZE
#undef EMU_EACH

__device__ inline unsigned __vsadu4(unsigned a, unsigned b)
{
    return emu_dot<emu_u8, emu_u8, 4>(__vabsdiffu4(a, b), 0x01010101, 0);
}
__device__ inline unsigned __vsadu2(unsigned a, unsigned b)
{
    return emu_dot<emu_u16, emu_u8, 2>(__vabsdiffu2(a, b), 0x0101, 0);
}

// ---- floats ----

// NaN becomes 0.
__device__ inline float __saturatef(float v) { return v > 0 ? v < 1 ? v : 1 : 0; }
__device__ inline float __fadd_rn(float a, float b) { return a + b; }
__device__ inline float __fsub_rn(float a, float b) { return a - b; }
__device__ inline float __fmul_rn(float a, float b) { return a * b; }
__device__ inline float __fdiv_rn(float a, float b) { return a / b; }
__device__ inline float __fsqrt_rn(float a) { return sqrtf(a); }
__device__ inline float __frcp_rn(float a) { return 1 / a; }
__device__ inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }

__device__ inline int __float_as_int(float v) { return (int)emu_bits_of(v); }
__device__ inline unsigned __float_as_uint(float v) { return emu_bits_of(v); }
__device__ inline float __uint_as_float(unsigned v)
{
    float f;
    __builtin_memcpy(&f, &v, sizeof f);
    return f;
}
__device__ inline float __int_as_float(int v) { return __uint_as_float((unsigned)v); }
__device__ inline float __int2float_rn(int v) { return (float)v; }
__device__ inline float __uint2float_rn(unsigned v) { return (float)v; }

// Clamped to the range of the integer; NaN becomes 0. (In C++, a cast of such a value is undefined
// behavior.)
__device__ inline int emu_to_int(float v)
{
    return v >= 2147483648.0f  ? 2147483647
         : v >= -2147483648.0f ? (int)v
         : v < 0               ? -2147483647 - 1
                               : 0;
}
__device__ inline unsigned emu_to_uint(float v)
{
    return v >= 4294967296.0f ? 0xffffffffu : v > 0 ? (unsigned)v : 0;
}
__device__ inline int __float2int_rz(float v) { return emu_to_int(v); }
__device__ inline int __float2int_rn(float v) { return emu_to_int(rintf(v)); }
__device__ inline int __float2int_rd(float v) { return emu_to_int(floorf(v)); }
__device__ inline int __float2int_ru(float v) { return emu_to_int(ceilf(v)); }
__device__ inline unsigned __float2uint_rz(float v) { return emu_to_uint(v); }
__device__ inline unsigned __float2uint_rn(float v) { return emu_to_uint(rintf(v)); }
__device__ inline unsigned __float2uint_rd(float v) { return emu_to_uint(floorf(v)); }
__device__ inline unsigned __float2uint_ru(float v) { return emu_to_uint(ceilf(v)); }

#endif

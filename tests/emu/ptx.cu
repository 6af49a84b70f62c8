// Inline PTX: each instruction with known values, by the PTX ISA manual. Reports of faults are
// tested in ptx_faults.cu.
#include <stdint.h>
#include <stdio.h>

#include "ok.h"

enum { LINES = 1200 };

static unsigned *out, *in, host[1024];

// wrong[line] counts results that are not the expected ones.
__device__ int wrong[LINES];

#define WANT(got, want)     \
    if (!((got) == (want))) \
    atomicAdd(&wrong[__LINE__], 1)
#define U(x) ((unsigned)(x))
#define U64(x) ((uint64_t)(x))
// One result of 32, 64 or 16 bits, from one to four operands.
#define R1(op, a, want)                           \
    {                                             \
        unsigned d;                               \
        asm(op " %0, %1;" : "=r"(d) : "r"(U(a))); \
        WANT(d, U(want));                         \
    }
#define R2(op, a, b, want)                                       \
    {                                                            \
        unsigned d;                                              \
        asm(op " %0, %1, %2;" : "=r"(d) : "r"(U(a)), "r"(U(b))); \
        WANT(d, U(want));                                        \
    }
#define R3(op, a, b, c, want)                                                   \
    {                                                                           \
        unsigned d;                                                             \
        asm(op " %0, %1, %2, %3;" : "=r"(d) : "r"(U(a)), "r"(U(b)), "r"(U(c))); \
        WANT(d, U(want));                                                       \
    }
#define R4(op, a, b, c, e, want)                                                            \
    {                                                                                       \
        unsigned d;                                                                         \
        asm(op " %0, %1, %2, %3, %4;" : "=r"(d) : "r"(U(a)), "r"(U(b)), "r"(U(c)), "n"(e)); \
        WANT(d, U(want));                                                                   \
    }
#define L2(op, a, b, want)                                           \
    {                                                                \
        uint64_t d;                                                  \
        asm(op " %0, %1, %2;" : "=l"(d) : "l"(U64(a)), "l"(U64(b))); \
        WANT(d, U64(want));                                          \
    }
#define H2(op, a, b, want)                                                   \
    {                                                                        \
        unsigned short d;                                                    \
        asm(op " %0, %1, %2;" : "=h"(d) : "h"((short)(a)), "h"((short)(b))); \
        WANT(d, (unsigned short)(want));                                     \
    }
#define F1(op, a, want)                                 \
    {                                                   \
        float d;                                        \
        asm(op " %0, %1;" : "=f"(d) : "f"((float)(a))); \
        WANT(d, want);                                  \
    }
#define F2(op, a, b, want)                                                   \
    {                                                                        \
        float d;                                                             \
        asm(op " %0, %1, %2;" : "=f"(d) : "f"((float)(a)), "f"((float)(b))); \
        WANT(d, want);                                                       \
    }
#define F3(op, a, b, c, want)                                                                     \
    {                                                                                             \
        float d;                                                                                  \
        asm(op " %0, %1, %2, %3;" : "=f"(d) : "f"((float)(a)), "f"((float)(b)), "f"((float)(c))); \
        WANT(d, want);                                                                            \
    }
#define D2(op, a, b, want)                                                     \
    {                                                                          \
        double d;                                                              \
        asm(op " %0, %1, %2;" : "=d"(d) : "d"((double)(a)), "d"((double)(b))); \
        WANT(d, want);                                                         \
    }
// A conversion; constraints of the result and of the operand.
#define CVT(op, to, T, from, a, want)             \
    {                                             \
        T d;                                      \
        asm(op " %0, %1;" : "=" to(d) : from(a)); \
        WANT(d, (T)(want));                       \
    }
// A predicate as 0 or 1.
#define P2(op, constraint, a, b, want)                                  \
    {                                                                   \
        int d;                                                          \
        asm("{ .reg .pred p; " op " p, %1, %2; selp.s32 %0, 1, 0, p; }" \
            : "=r"(d)                                                   \
            : constraint(a), constraint(b));                            \
        WANT(d, want);                                                  \
    }

__global__ void integers()
{
    R2("add.s32", 5, -7, -2);
    R2("add.u32", 0xffffffff, 2, 1);
    R2("add.sat.s32", 0x7fffffff, 1, 0x7fffffff);
    R2("sub.sat.s32", 0x80000000, 1, 0x80000000);
    R2("sub.s32", 5, 7, -2);
    L2("add.u64", 0xffffffffffff, 1, 0x1000000000000);
    H2("add.u16", 0xffff, 2, 1);
    H2("sub.s16", 1, 2, -1);
    R2("mul.lo.s32", -3, 7, -21);
    R2("mul.lo.u32", 0x10001, 0x10001, 0x20001);
    R2("mul.hi.u32", 0x80000000, 6, 3);
    R2("mul.hi.s32", -1, 5, -1);
    L2("mul.hi.u64", 1ull << 63, 6, 3);
    L2("mul.lo.s64", -3, 5, -15);
    R3("mad.lo.s32", -3, 7, 30, 9);
    R3("mad.hi.u32", 0x80000000, 6, 4, 7);
    R3("mad.hi.sat.s32", 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff);
    R2("mul24.lo.s32", 0x00ffffff, 5, -5);
    R2("mul24.lo.u32", 0xff000002, 5, 10);
    R3("mad24.lo.u32", 0xff000002, 5, 1, 11);
    R3("sad.s32", -3, 4, 10, 17);
    R3("sad.u32", 0xffffffff, 1, 0, 0xfffffffe);
    R2("div.s32", -7, 2, -3);
    R2("div.u32", 0xfffffff9, 2, 0x7ffffffc);
    R2("rem.s32", -7, 2, -1);
    R2("rem.u32", 7, 4, 3);
    R1("abs.s32", -9, 9);
    R1("neg.s32", 9, -9);
    R2("min.s32", -1, 1, -1);
    R2("min.u32", -1, 1, 1);
    R2("max.s32", -1, 1, 1);
    R2("max.u32", -1, 1, -1);
    L2("max.s64", -1, 1, 1);
    R1("popc.b32", 0xf0f00001, 9);
    R1("clz.b32", 0x00010000, 15);
    R1("clz.b32", 0, 32);
    R1("brev.b32", 0x00000003, 0xc0000000);
    R1("bfind.u32", 0x00010000, 16);
    R1("bfind.s32", -1, -1);
    R1("bfind.shiftamt.u32", 0x00010000, 15);
    R3("dp4a.u32.u32", 0x01020304, 0x01010101, 5, 15);
    R3("dp4a.u32.s32", 0xff000001, 0xff000002, 0, -255 + 2);
    R3("dp4a.s32.s32", 0xff000001, 0xff000002, 0, 3);
    R3("dp2a.lo.u32.u32", 0x00020003, 0x04050607, 0, 3 * 7 + 2 * 6);
    R3("dp2a.hi.u32.u32", 0x00020003, 0x04050607, 0, 3 * 5 + 2 * 4);
}

__global__ void wide_integers()
{
    uint64_t wide;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(0x80000000), "r"(4));
    WANT(wide, 1ull << 33);
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(wide) : "r"(-2), "r"(4));
    WANT(wide, U64(-8));
    asm("mad.wide.u32 %0, %1, %2, %0;" : "+l"(wide) : "r"(3), "r"(4));
    WANT(wide, 4);
    asm("popc.b64 %0, %1;" : "=r"(*(int *)&wide) : "l"(0xffull << 40));
    WANT((int)wide, 8);
    // 2^64 - 1 and 1 by their halves
    unsigned low, high;
    asm("add.cc.u32 %0, %2, %3;\n\t"
        "addc.u32 %1, %4, %5;"
        : "=r"(low), "=r"(high)
        : "r"(~0u), "r"(1), "r"(~0u), "r"(7));
    WANT(low, 0);
    WANT(high, 7);
    asm("sub.cc.u32 %0, %2, %3; subc.u32 %1, %4, %5;"
        : "=r"(low), "=r"(high)
        : "r"(0), "r"(1), "r"(9), "r"(2));
    WANT(low, ~0u);
    WANT(high, 6);
    asm("mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, 0;"
        : "=r"(low), "=r"(high)
        : "r"(~0u), "r"(~0u), "r"(~0u));
    WANT(low, 0);
    WANT(high, ~0u);
}

__global__ void bits()
{
    R2("and.b32", 0xff00ff00, 0x0ff00ff0, 0x0f000f00);
    R2("or.b32", 0xff00ff00, 0x0ff00ff0, 0xfff0fff0);
    R2("xor.b32", 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0);
    R1("not.b32", 0xff00ff00, 0x00ff00ff);
    R1("cnot.b32", 5, 0);
    R1("cnot.b32", 0, 1);
    R2("shl.b32", 3, 4, 48);
    R2("shl.b32", 3, 32, 0);
    R2("shr.u32", 0x80000000, 31, 1);
    R2("shr.s32", 0x80000000, 31, -1);
    R2("shr.s32", 0x80000000, 99, -1);
    R2("shr.u32", 0x80000000, 32, 0);
    L2("xor.b64", 1ull << 40, 1, (1ull << 40) + 1);
    R3("shf.l.wrap.b32", 0x80000001, 0x00000001, 33, 3);
    R3("shf.r.clamp.b32", 0x80000001, 0x00000001, 40, 1);
    R3("shf.r.wrap.b32", 0x80000001, 0x00000001, 1, 0xc0000000);
    R4("lop3.b32", 0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0xe8, 0xe8e8e8e8);
    R4("lop3.b32", 0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x96, 0x96969696);
    R3("prmt.b32", 0x33221100, 0x77665544, 0x7250, 0x77225500);
    R3("prmt.b32", 0x00000080, 0, 0x4498, 0x000000ff);
    R3("prmt.b32.f4e", 0x33221100, 0x77665544, 1, 0x44332211);
    R3("prmt.b32.b4e", 0x33221100, 0x77665544, 1, 0x66770011);
    R3("prmt.b32.rc8", 0x33221100, 0, 2, 0x22222222);
    R3("prmt.b32.rc16", 0x33221100, 0, 1, 0x33223322);
    R3("bfe.u32", 0xabcdef12, 8, 8, 0xef);
    R3("bfe.s32", 0xabcdef12, 8, 8, 0xffffffef);
    R3("bfe.u32", 0xabcdef12, 28, 8, 0xa);
    {
        unsigned d;
        asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(0xff), "r"(0x11111111), "r"(4), "r"(8));
        WANT(d, 0x11111ff1);
    }
    R2("bmsk.clamp.b32", 4, 8, 0xff0);
}

__global__ void comparisons()
{
    P2("setp.lt.s32", "r", -1, 1, 1);
    P2("setp.lt.u32", "r", -1, 1, 0);
    P2("setp.lo.u32", "r", 1, 2, 1);
    P2("setp.hs.u32", "r", 2, 2, 1);
    P2("setp.ne.b32", "r", 1, 1, 0);
    P2("setp.ge.f32", "f", 1.0f, 1.0f, 1);
    P2("setp.ne.f32", "f", 1.0f, 1.0f / (float)blockIdx.y, 1);
    P2("setp.eq.f32", "f", nanf(""), 1.0f, 0);
    P2("setp.equ.f32", "f", nanf(""), 1.0f, 1);
    P2("setp.nan.f32", "f", nanf(""), 1.0f, 1);
    P2("setp.num.f64", "d", 1.0, 2.0, 1);
    P2("setp.gt.s64", "l", 1ll, -1ll, 1);
    unsigned both, d;
    asm("{\n"
        "  .reg .pred %%p, q, r;\n"
        "  setp.lt.u32 r, 1, 2;            // true\n"
        "  setp.eq.and.u32 %%p|q, %1, 5, r;\n"
        "  selp.u32 %0, 1, 0, %%p;\n"
        "  @q add.u32 %0, %0, 2;           /* not\n"
        "                                     executed */\n"
        "  @!q add.u32 %0, %0, 4;\n"
        "  xor.pred q, %%p, r;\n"
        "  not.pred q, q;\n"
        "  @q add.u32 %0, %0, 8;\n"
        "}"
        : "=r"(both)
        : "r"(5));
    WANT(both, 13);
    asm("set.lt.u32.s32 %0, %1, %2;" : "=r"(d) : "r"(-1), "r"(1));
    WANT(d, ~0u);
    asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(1), "r"(2), "r"(-1));
    WANT(d, 2);
    asm("{ .reg .pred p; setp.ne.b32 p, %1, 0; selp.b32 %0, 0x10, -1, !p; }" : "=r"(d) : "r"(0));
    WANT(d, 16);
}

__global__ void floats()
{
    F2("add.f32", 1.5, 2.25, 3.75f);
    F2("add.rn.f32", 1, 0x1p-24, 1.0f);
    F2("add.rp.f32", 1, 0x1p-24, 1 + 0x1p-23f);
    F2("add.rz.f32", -1, -0x1p-24, -1.0f);
    F2("add.rm.f32", -1, -0x1p-24, -1 - 0x1p-23f);
    F2("add.sat.f32", 1.5, 2.25, 1.0f);
    F2("sub.f32", 1.5, 2.25, -0.75f);
    F2("mul.f32", 1.5, 2.25, 3.375f);
    F2("mul.ftz.f32", 0x1p-100, 0x1p-30, 0.0f);
    F2("mul.f32", 0x1p-100, 0x1p-30, 0x1p-130f);
    F3("fma.rn.f32", 1 + 0x1p-23, 1 + 0x1p-23, -1 - 0x1p-22, 0x1p-46f);
    F3("mad.rn.f32", 2, 3, 4, 10.0f);
    F2("div.rn.f32", 1, 3, 1.0f / 3);
    F2("div.full.f32", 1, 4, 0.25f);
    F2("div.rz.f32", 2, 3, 0x1.555554p-1f);
    F2("min.f32", -1, 2, -1.0f);
    F2("max.f32", nanf(""), 2, 2.0f);
    F1("abs.f32", -2, 2.0f);
    F1("neg.f32", -2, 2.0f);
    F1("rcp.approx.ftz.f32", 4, 0.25f);
    F1("sqrt.rn.f32", 2, sqrtf(2));
    F1("rsqrt.approx.f32", 4, 0.5f);
    F1("ex2.approx.ftz.f32", 3, 8.0f);
    F1("lg2.approx.f32", 8, 3.0f);
    F1("sin.approx.f32", 0, 0.0f);
    F1("cos.approx.f32", 0, 1.0f);
    F1("tanh.approx.f32", 0, 0.0f);
    F2("copysign.f32", -1, 2, -2.0f);
    D2("add.f64", 1.5, 2.25, 3.75);
    D2("mul.rn.f64", 1.5, 2.25, 3.375);
    D2("div.rn.f64", 1, 3, 1.0 / 3);
    D2("max.f64", 1, 3, 3.0);
    float f;
    asm("mov.f32 %0, 0f3fc00000;" : "=f"(f));
    WANT(f, 1.5f);
    asm("add.f32 %0, %1, -2.5;" : "=f"(f) : "f"(1.0f));
    WANT(f, -1.5f);
    asm("fma.rn.f32 %0, %1, %1, 1.0e1;" : "=f"(f) : "f"(2.0f));
    WANT(f, 14.0f);
    int d;
    asm("{ .reg .pred p; testp.infinite.f32 p, %1; selp.s32 %0, 1, 0, p; }"
        : "=r"(d)
        : "f"(INFINITY));
    WANT(d, 1);
    // 16-bit floats: 1.5 is 3e00, 2.25 is 4080 (f16); 3fc0 and 4010 (bf16)
    H2("add.f16", 0x3e00, 0x4080, 0x4380);
    H2("mul.rn.f16", 0x3e00, 0x4080, 0x42c0);
    H2("add.rn.bf16", 0x3fc0, 0x4010, 0x4070);
    H2("max.f16", 0x3e00, 0x4080, 0x4080);
    R2("add.f16x2", 0x3e004080, 0x40803e00, 0x43804380);
    R3("fma.rn.f16x2", 0x3e003e00, 0x40803c00, 0x3c003c00, 0x44603e00 + 0x300);
    R3("fma.rn.bf16x2", 0x3fc03f80, 0x40103f80, 0x00003f80, 0x40584000);
    R2("min.bf16x2", 0x3fc04010, 0x40103fc0, 0x3fc03fc0);
}

__global__ void conversions()
{
    CVT("cvt.rn.f32.s32", "f", float, "r", -3, -3);
    CVT("cvt.rn.f32.u32", "f", float, "r", 0x01000001, 0x1000000);
    CVT("cvt.rp.f32.u32", "f", float, "r", 0x01000001, 0x1000002);
    CVT("cvt.rzi.s32.f32", "r", int, "f", -2.7f, -2);
    CVT("cvt.rni.s32.f32", "r", int, "f", 2.5f, 2);
    CVT("cvt.rmi.s32.f32", "r", int, "f", -2.2f, -3);
    CVT("cvt.rpi.s32.f32", "r", int, "f", 2.2f, 3);
    CVT("cvt.rzi.u32.f32", "r", unsigned, "f", -2.7f, 0);
    CVT("cvt.rzi.s32.f32", "r", int, "f", 1e20f, 0x7fffffff);
    CVT("cvt.rzi.s32.f32", "r", int, "f", nanf(""), 0);
    CVT("cvt.rni.f32.f32", "f", float, "f", 3.5f, 4.0f);
    CVT("cvt.sat.f32.f32", "f", float, "f", 3.5f, 1.0f);
    CVT("cvt.rn.f32.f64", "f", float, "d", 1 + 0x1p-24, 1.0f);
    CVT("cvt.rp.f32.f64", "f", float, "d", 1 + 0x1p-24, 1 + 0x1p-23f);
    CVT("cvt.f64.f32", "d", double, "f", 1.5f, 1.5);
    CVT("cvt.rn.f64.u64", "d", double, "l", (1ull << 53) + 1, 0x1p53);
    CVT("cvt.rp.f64.u64", "d", double, "l", (1ull << 53) + 1, 0x1p53 + 2);
    CVT("cvt.rn.f32.s64", "f", float, "l", -(1ll << 40), -0x1p40f);
    CVT("cvt.s64.s32", "l", int64_t, "r", -5, -5);
    CVT("cvt.u64.u32", "l", uint64_t, "r", -5, 0xfffffffb);
    CVT("cvt.u32.u64", "r", unsigned, "l", 0x1234567890ull, 0x34567890);
    CVT("cvt.s32.s8", "r", int, "r", 0x1f0, -16);
    CVT("cvt.u32.u8", "r", int, "r", 0x1f0, 0xf0);
    CVT("cvt.sat.u8.s32", "r", int, "r", 300, 255);
    CVT("cvt.sat.s8.s32", "r", int, "r", -300, -128);
    CVT("cvt.u32.u16", "r", unsigned, "h", (short)-1, 0xffff);
    CVT("cvt.s32.s16", "r", int, "h", (short)-1, -1);
    CVT("cvt.rn.f16.f32", "h", unsigned short, "f", 1.5f, 0x3e00);
    CVT("cvt.rz.f16.f32", "h", unsigned short, "f", 1e6f, 0x7bff);
    CVT("cvt.rn.f16.f32", "h", unsigned short, "f", 1e6f, 0x7c00);
    CVT("cvt.rn.bf16.f32", "h", unsigned short, "f", 1 + 0x1p-8f, 0x3f80);
    CVT("cvt.rz.bf16.f32", "h", unsigned short, "f", 1 + 0x1.8p-8f, 0x3f80);
    CVT("cvt.rn.relu.bf16.f32", "h", unsigned short, "f", -1.0f, 0);
    CVT("cvt.f32.f16", "f", float, "h", (short)0x3e00, 1.5f);
    CVT("cvt.f32.bf16", "f", float, "h", (short)0x3fc0, 1.5f);
    CVT("cvt.rna.tf32.f32", "r", unsigned, "f", 1 + 0x1p-11f, 0x3f802000);
    CVT("cvt.rn.tf32.f32", "r", unsigned, "f", 1 + 0x1p-11f, 0x3f800000);
    unsigned d;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(1.5f), "f"(2.25f));
    WANT(d, 0x3fc04010);
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(1.5f), "f"(2.25f));
    WANT(d, 0x3e004080);
    asm("cvt.rn.relu.f16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(-1.5f), "f"(2.25f));
    WANT(d, 0x4080);
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(300), "r"(-5), "r"(0x1234));
    WANT(d, 0x1234ff00);
    asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(d) : "r"(70000), "r"(-5));
    WANT(d, 0x7ffffffb);
}

template <int N> __device__ int add_constant(int v)
{
    int d;
    asm("add.s32 %0, %1, %2;" : "=r"(d) : "r"(v), "n"(N * 2));
    return d;
}
template <class T, int SHIFT> __device__ T shifted(T v)
{
    asm volatile("shl.b32 %0, %0, %1;" : "+r"(v) : "n"(SHIFT));
    return v;
}
#define CONCATENATED(op, type) \
    op "." type " %0, %1, "    \
       "%2;"
#define MINIMUM(d, a, b) asm(CONCATENATED("min", "s32") : "=r"(d) : "r"(a), "r"(b))

__global__ void control()
{
    int d, t = threadIdx.x;
    uint64_t both;
    unsigned pair;

    WANT(add_constant<3>(4), 10);
    WANT(add_constant<-3>(4), -2);
    WANT((shifted<int, 3>(5)), 40);
    WANT((shifted<unsigned, 4>(5)), 80);
    MINIMUM(d, 3, -4);
    WANT(d, -4);
    // the sum of 1 to n, in a loop
    asm volatile("{\n\t"
                 ".reg .s32 i<2>;\n\t"
                 ".reg .pred done;\n\t"
                 "mov.s32 i0, 0; mov.s32 i1, 0;\n"
                 "LOOP:\n\t"
                 "setp.ge.s32 done, i0, %1;\n\t"
                 "@done bra END;\n\t"
                 "add.s32 i0, i0, 1;\n\t"
                 "add.s32 i1, i1, i0;\n\t"
                 "bra.uni LOOP;\n"
                 "END: mov.s32 %0, i1;\n"
                 "}"
                 : "=r"(d)
                 : "r"(t));
    WANT(d, t * (t + 1) / 2);
    // registers and labels of nested blocks hide those around
    asm("{ .reg .s32 a; mov.s32 a, 1; { .reg .s32 a; mov.s32 a, 7; bra L; mov.s32 a, 9; L: } "
        "bra L; mov.s32 a, 5; L: mov.s32 %0, a; }"
        : "=r"(d));
    WANT(d, 1);
    asm("{ .reg .b32 low, high; mov.b64 {low, high}, %1; mov.b64 %0, {high, low}; }"
        : "=l"(both)
        : "l"(0x0000000100000002ull));
    WANT(both, 0x0000000200000001ull);
    asm("mov.b32 %0, {%1, %2};" : "=r"(pair) : "h"((short)0x1234), "h"((short)0x5678));
    WANT(pair, 0x56781234);
    asm("{ .reg .b16 lower, upper; mov.b32 {lower, upper}, %1; mov.b32 %0, {upper, lower}; }"
        : "=r"(pair)
        : "r"(0x12345678));
    WANT(pair, 0x56781234);
    asm("mov.b64 {%0, _}, %1;" : "=r"(pair) : "l"(0x0000000100000002ull));
    WANT(pair, 2);
}

__global__ void special_registers(int *out)
{
    int d, t = threadIdx.x;
    uint64_t before, after;

    out += 64 * (blockIdx.x + gridDim.x * blockIdx.y);
#define SPECIAL(name, want)                   \
    asm("mov.u32 %0, %%" name ";" : "=r"(d)); \
    WANT(d, (int)(want))
    SPECIAL("tid.x", threadIdx.x);
    SPECIAL("ntid.x", blockDim.x);
    SPECIAL("ctaid.y", blockIdx.y);
    SPECIAL("nctaid.x", gridDim.x);
    SPECIAL("laneid", t % 32);
#ifdef EMU_CPU_DEVICE   // on a GPU, it may be another number
    SPECIAL("warpid", t / 32);
#endif
    SPECIAL("lanemask_lt", (1u << t % 32) - 1);
    SPECIAL("lanemask_ge", ~0u << t % 32);
    SPECIAL("clusterid.x", blockIdx.x);
    SPECIAL("cluster_nctarank", 1);
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(before)::"memory");
    out[t] = t;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(after)::"memory");
    WANT(after > before, true);
    asm volatile("nanosleep.u32 %0;" ::"r"(20));
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
    float f = 1;
    asm volatile("" : "+f"(f)::"memory");
    asm volatile("" ::: "memory");
    WANT(f, 1);
    // threads that end, in a statement that is not the last
    asm volatile("{ .reg .pred p; setp.ge.u32 p, %0, 40; @p exit; }" ::"r"(t));
    out[t] = 100 + t;
}

// Outputs are written in place if the text has this word, here in a comment.
__global__ void in_place(float *out)
{
    float a[3] = { 1, 2, 3 };

    asm volatile("add.f32 %0, %1, %2;   // wgmma.mma_async" : "=f"(a[2]) : "f"(a[0]), "f"(a[1]));
    asm volatile("{ .reg .f32 t; mul.f32 t, %0, %1; add.f32 %0, t, %0; } // wgmma.mma_async"
                 : "+f"(a[2])
                 : "f"(a[1]));
    out[0] = a[2];
}

// 64 accumulators
__global__ void many(float *out)
{
    float a[64];

    for (int i = 0; i < 64; i++)
        a[i] = i;
    asm volatile(
        "{ .reg .f32 t; mov.f32 t, %64; fma.rn.f32 %0, t, t, %0; fma.rn.f32 %63, t, t, %63; }"
#define A(i) "+f"(a[i]), "+f"(a[i + 1]), "+f"(a[i + 2]), "+f"(a[i + 3])
        : A(0), A(4), A(8), A(12), A(16), A(20), A(24), A(28), A(32), A(36), A(40), A(44), A(48),
          A(52), A(56), A(60)
        : "f"(3.0f));
    for (int i = 0; i < 64; i++)
        out[i] = a[i];
}

__device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void shared_memory(unsigned *out)
{
    __shared__ alignas(16) unsigned s[128];
    __shared__ unsigned char bytes[128];
    unsigned t = threadIdx.x, at = shared_address(s), d, e, x[4];
    uint64_t l;

    s[t] = t;
    bytes[t] = (unsigned char)(t + 200);
    __syncthreads();
    WANT(at > 0 && at < 232448, true);
    WANT(__cvta_shared_to_generic(at) == (void *)s, true);
    WANT(__isShared(s) && !__isGlobal(s) && __isGlobal(out) && !__isShared(out), true);
    WANT(__isLocal(x) && !__isLocal(s), true);
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(d) : "r"(at + 4 * t));
    WANT(d, t);
    asm volatile("ld.shared::cta.u32 %0, [%1 + 8];" : "=r"(d) : "r"(at));
    WANT(d, 2);
    asm volatile("ld.shared.u32 %0, [%1+-4];" : "=r"(d) : "r"(at + 8));
    WANT(d, 1);
    asm volatile("ld.shared.u32 %0, [%1 + %2];" : "=r"(d) : "r"(at), "n"(12));
    WANT(d, 3);
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(d), "=r"(e) : "r"(at + t / 2 * 8));
    WANT(d, t / 2 * 2);
    WANT(e, t / 2 * 2 + 1);
    asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(at + t / 4 * 16));
    WANT(x[0] == t / 4 * 4 && x[3] == t / 4 * 4 + 3, true);
    asm volatile("ld.shared.u8 %0, [%1];" : "=r"(d) : "r"(shared_address(bytes + t)));
    WANT(d, (t + 200) & 255);
    asm volatile("ld.shared.s8 %0, [%1];" : "=r"(d) : "r"(shared_address(bytes + t)));
    WANT(d, U((signed char)(t + 200)));
    // the generic address of shared memory
    asm volatile("ld.u32 %0, [%1];" : "=r"(d) : "l"(s + t));
    WANT(d, t);
    asm volatile("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }"
                 : "=r"(d)
                 : "l"(s));
    WANT(d, at);
    asm volatile("cvta.shared.u64 %0, %1;" : "=l"(l) : "l"((uint64_t)at));
    WANT(l, (uint64_t)s);
    asm volatile("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }"
                 : "=r"(d)
                 : "l"(s));
    WANT(d, 1);
    __syncthreads();
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at + 4 * t), "r"(2 * t) : "memory");
    __syncthreads();
    WANT(s[t ^ 1], 2 * (t ^ 1));
    __syncthreads();
    if (t < 16)
        asm volatile("st.shared.v4.f32 [%0], {%1, %1, %2, 0f40400000};" ::"r"(at + 16 * t),
                     "f"(1.0f), "f"(2.0f)
                     : "memory");
    __syncthreads();
    WANT(((float *)s)[2], 2.0f);
    WANT(((float *)s)[3], 3.0f);
}

__global__ void global_memory(unsigned *out, const unsigned *in)
{
    unsigned t = threadIdx.x, d, half;
    uint64_t policy;
    float f, g;

    asm volatile("ld.global.nc.L1::no_allocate.L2::128B.u32 %0, [%1];" : "=r"(d) : "l"(in + t));
    WANT(d, 7 * t);
    asm volatile("ld.global.ca.v2.f32 {%0, %1}, [%2];" : "=f"(f), "=f"(g) : "l"(in + t / 2 * 2));
    WANT(__float_as_uint(f), 7 * (t / 2 * 2));
    WANT(__float_as_uint(g), 7 * (t / 2 * 2 + 1));
    asm volatile(
        "{ .reg .pred p; setp.lt.u32 p, %2, 5; mov.u32 %0, 99; @p ld.global.cg.u32 %0, [%1]; }"
        : "=r"(d)
        : "l"(in + t), "r"(t));
    WANT(d, t < 5 ? 7 * t : 99);
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(d) : "l"(in + t) : "memory");
    WANT(d, 7 * t);
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(d) : "l"(in + t) : "memory");
    WANT(d, 7 * t);
    asm volatile("prefetch.global.L2 [%0];" ::"l"(in + t));
    asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(out + t), "r"(3 * t) : "memory");
    asm volatile("ld.global.u16 %0, [%1];" : "=r"(half) : "l"(in + t));
    WANT(half, 7 * t & 0xffff);
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    asm volatile("ld.global.L2::cache_hint.u32 %0, [%1], %2;" : "=r"(d) : "l"(in + t), "l"(policy));
    WANT(d, 7 * t);
}

__global__ void atomics(unsigned *out, float *sums)
{
    __shared__ unsigned count, smallest;
    __shared__ float sum;
    unsigned t = threadIdx.x, d;
    float f;

    if (t == 0) {
        count = 0;
        smallest = 1000;
        sum = 0;
    }
    __syncthreads();
    asm volatile("atom.shared.add.u32 %0, [%1], 1;"
                 : "=r"(d)
                 : "r"(shared_address(&count))
                 : "memory");
    out[16 + d] = t;
    asm volatile("red.shared.min.u32 [%0], %1;" ::"r"(shared_address(&smallest)), "r"(t + 5)
                 : "memory");
    asm volatile("red.shared.add.f32 [%0], %1;" ::"r"(shared_address(&sum)), "f"(0.5f) : "memory");
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(out), "r"(2) : "memory");
    asm volatile("red.relaxed.gpu.global.max.s32 [%0], %1;" ::"l"(out + 1), "r"(t) : "memory");
    asm volatile("atom.global.gpu.inc.u32 %0, [%1], 9;" : "=r"(d) : "l"(out + 2) : "memory");
    asm volatile("atom.global.or.b32 %0, [%1], %2;"
                 : "=r"(d)
                 : "l"(out + 3), "r"(1u << t % 32)
                 : "memory");
    asm volatile("atom.acq_rel.gpu.global.cas.b32 %0, [%1], 0, 77;"
                 : "=r"(d)
                 : "l"(out + 4)
                 : "memory");
    asm volatile("atom.global.exch.b32 %0, [%1], 5;" : "=r"(d) : "l"(out + 5) : "memory");
    asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(f) : "l"(sums), "f"(1.0f) : "memory");
    asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(sums + 1), "r"(0x3c003800)
                 : "memory");
    __syncthreads();
    if (t == 0) {
        out[6] = count;
        out[7] = smallest;
        sums[2] = sum;
    }
}

// Message passing between two blocks by st.release and ld.acquire.
__global__ void passes(volatile unsigned *data, unsigned *flag, unsigned *out)
{
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
            *(unsigned *)data = 5;
            asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
            ((unsigned *)data)[64] = 7;
            asm volatile(
                "fence.acq_rel.gpu; red.relaxed.gpu.global.add.u32 [%0], 1;" ::"l"(flag + 64)
                : "memory");
        }
        return;
    }
    if (threadIdx.x == 0) {
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     ".reg .u32 v;\n"
                     "WAIT:\n"
                     "ld.acquire.gpu.global.u32 v, [%0];\n"
                     "setp.eq.u32 p, v, 0;\n"
                     "@p bra WAIT;\n"
                     "}" ::"l"(flag)
                     : "memory");
        out[0] = *(unsigned *)data;
        // the flag that was observed may be reset by a plain store
        asm volatile("{ .reg .pred p; .reg .u32 v; WAIT: ld.global.acquire.gpu.b32 v, [%0];\n"
                     "setp.ne.u32 p, v, 1; @p bra WAIT; }" ::"l"(flag + 64)
                     : "memory");
        out[0] += ((unsigned *)data)[64];
        flag[64] = 0;
    }
}

__global__ void exchanges()
{
    int lane = threadIdx.x, d, e;
    unsigned m;

    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;" : "=r"(d) : "r"(lane));
    WANT(d, lane ^ 1);
    asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, -1;" : "=r"(d) : "r"(lane), "r"(2));
    WANT(d, lane < 2 ? lane : lane - 2);
    asm volatile("{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, 4, 0x1f, -1; selp.s32 %1, 1, 0, p; }"
                 : "=r"(d), "=r"(e)
                 : "r"(lane));
    WANT(d, lane > 27 ? lane : lane + 4);
    WANT(e, lane <= 27);
    asm volatile("shfl.sync.idx.b32 %0, %1, 3, 0x181f, -1;"
                 : "=r"(d)
                 : "r"(lane));   // sections of 8
    WANT(d, lane / 8 * 8 + 3);
    asm volatile("{ .reg .pred p; setp.lt.s32 p, %1, 5; vote.sync.ballot.b32 %0, p, -1; }"
                 : "=r"(m)
                 : "r"(lane));
    WANT(m, 31);
    asm volatile("{ .reg .pred p, q; setp.lt.s32 p, %1, 5; vote.sync.any.pred q, p, -1; "
                 "selp.u32 %0, 1, 0, q; vote.sync.all.pred q, p, -1; @q add.u32 %0, %0, 2; "
                 "vote.sync.uni.pred q, !p, -1; @q add.u32 %0, %0, 4; }"
                 : "=r"(m)
                 : "r"(lane));
    WANT(m, 1);
    asm volatile("match.any.sync.b32 %0, %1, -1;" : "=r"(m) : "r"(lane % 4));
    WANT(m, 0x11111111u << lane % 4);
    asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, 5, -1; @!p mov.u32 %0, 1; }" : "=r"(m));
    WANT(m, ~0u);
    asm volatile("redux.sync.add.s32 %0, %1, -1;" : "=r"(d) : "r"(lane));
    WANT(d, 496);
    asm volatile("redux.sync.min.s32 %0, %1, -1;" : "=r"(d) : "r"(-lane));
    WANT(d, -31);
    asm volatile("redux.sync.xor.b32 %0, %1, -1;" : "=r"(d) : "r"(1 << lane));
    WANT(d, -1);
    asm volatile("{ .reg .pred p; elect.sync %0|p, -1; selp.s32 %1, 1, 0, p; }" : "=r"(m), "=r"(e));
    WANT(m, 0);
    WANT(e, lane == 0);
    if (lane >= 8 && lane < 24) {
        asm volatile("activemask.b32 %0;" : "=r"(m));
        WANT(m, 0x00ffff00);
        asm volatile("{ .reg .pred p; elect.sync _|p, 0xffff00; selp.s32 %0, 1, 0, p; }" : "=r"(e));
        WANT(e, lane == 8);
    }
    asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

// Warps 0 and 1 produce, 2 and 3 consume: full and empty are barriers 1 and 2.
__global__ void barriers(unsigned *out)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x, d;

    asm volatile("bar.sync 0;" ::: "memory");
    if (t < 64)
        for (unsigned round = 0; round < 5; round++) {
            if (round)
                asm volatile("bar.sync %0, %1;" ::"n"(2), "r"(128) : "memory");
            s[t] = 100 * round + t;
            asm volatile("bar.arrive 1, 128;" ::: "memory");
        }
    else
        for (unsigned round = 0; round < 5; round++) {
            asm volatile("barrier.sync.aligned 1, 128;" ::: "memory");
            out[64 * round + t - 64] = s[t ^ 127];
            if (round < 4)
                asm volatile("bar.arrive 2, 128;" ::: "memory");
        }
    asm volatile("barrier.sync 0, 128;" ::: "memory");
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 70; bar.red.popc.u32 %0, 0, p; }"
                 : "=r"(d)
                 : "r"(t)
                 : "memory");
    WANT(d, 70);
    asm volatile("membar.gl; membar.cta; fence.acq_rel.gpu; fence.sc.cta;" ::: "memory");
}

__global__ void copies(const float *in, float *out)
{
    __shared__ alignas(16) float s[3][128];
    int t = threadIdx.x;

    if (t < 32)
        asm volatile(
            "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&s[0][4 * t])),
            "l"(in + 4 * t)
            : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.ca.shared::cta.global.L2::128B [%0], [%1], %2, %3;" ::"r"(
                     shared_address(&s[1][t])),
                 "l"(in + t), "n"(4), "r"(t % 2 ? 4 : 0)
                 : "memory");
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile("cp.async.wait_group %0;\n" ::"n"(1) : "memory");
    __syncthreads();
    out[t] = s[0][t];
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %0, 0; @p cp.async.ca.shared.global [%1], [%2], 4; }" ::"r"(
            (int)(t < 7)),
        "r"(shared_address(&s[2][t])), "l"(in + t)
        : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[128 + t] = s[1][t];
    if (t < 7)
        out[256 + t] = s[2][t];
}

__global__ void matrices()
{
    __shared__ alignas(16) unsigned short s[32 * 8], copy[32 * 8];
    unsigned lane = threadIdx.x, r[4], at = shared_address(s + 8 * lane), g = lane / 4,
             c = lane % 4;

    for (unsigned i = 0; i < 8; i++)
        s[8 * lane + i] = (unsigned short)(100 * lane + i);
    __syncwarp();
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at));
    for (unsigned m = 0; m < 4; m++)
        WANT(r[m], (100 * (8 * m + g) + 2 * c) | (100 * (8 * m + g) + 2 * c + 1) << 16);
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                     shared_address(copy + 8 * lane)),
                 "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
                 : "memory");
    __syncwarp();
    for (unsigned i = 0; i < 8; i++)
        WANT(copy[8 * (lane ^ 1) + i], 100 * (lane ^ 1) + i);
    asm volatile("ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(at));
    for (unsigned m = 0; m < 2; m++)
        WANT(r[m], (100 * (8 * m + 2 * c) + g) | (100 * (8 * m + 2 * c + 1) + g) << 16);
    // addresses of lanes 8 and above are not used
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16 {%0}, [%1];"
                 : "=r"(r[0])
                 : "r"(lane < 8 ? at : 0));
    WANT(r[0], (100 * g + 2 * c) | (100 * g + 2 * c + 1) << 16);
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r[1]) : "r"(r[0]));
    WANT(r[1], (100 * (2 * c) + g) | (100 * (2 * c + 1) + g) << 16);
}

// Small integers, so that sums are exact in any order.
__device__ int a_at(int i, int k) { return (i * 7 + k * 3) % 5 - 2; }
__device__ int b_at(int k, int j) { return (k * 5 + j * 11) % 7 - 3; }
__device__ int product_at(int i, int j, int k)
{
    int sum = i - j;

    for (int n = 0; n < k; n++)
        sum += a_at(i, n) * b_at(n, j);
    return sum;
}
__device__ unsigned half_bits(int v)   // of small integers, as f16
{
    unsigned short h;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"((float)v));
    return h;
}
__device__ unsigned bfloat_bits(int v) { return __float_as_uint((float)v) >> 16; }
__device__ unsigned half_pair(int a, int b) { return half_bits(a) | half_bits(b) << 16; }
__device__ unsigned bfloat_pair(int a, int b) { return bfloat_bits(a) | bfloat_bits(b) << 16; }
__device__ unsigned bytes4(int a, int b, int c, int d)
{
    return (a & 255) | (b & 255) << 8 | (c & 255) << 16 | (unsigned)(d & 255) << 24;
}

#define MMA(shape, types, na)                                                                     \
    "mma.sync.aligned." shape ".row.col." types " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, " \
    "{%10, %11, %12, %13};"

__global__ void products()
{
    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    unsigned a[4], b[2];
    float d[4], c[4];

    for (int i = 0; i < 4; i++)
        c[i] = g + 8 * (i / 2) - (2 * t + i % 2);
    // 16 x 8 x 16, pairs along k
    for (int r = 0; r < 4; r++)
        a[r] = bfloat_pair(a_at(g + r % 2 * 8, 2 * t + r / 2 * 8),
                           a_at(g + r % 2 * 8, 2 * t + r / 2 * 8 + 1));
    for (int r = 0; r < 2; r++)
        b[r] = bfloat_pair(b_at(2 * t + 8 * r, g), b_at(2 * t + 8 * r + 1, g));
    asm volatile(MMA("m16n8k16", "f32.bf16.bf16.f32", 4)
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]),
                   "f"(c[1]), "f"(c[2]), "f"(c[3]));
    for (int i = 0; i < 4; i++)
        WANT(d[i], product_at(g + 8 * (i / 2), 2 * t + i % 2, 16));
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
        "{%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    for (int i = 0; i < 4; i++)
        WANT(c[i], product_at(g + 8 * (i / 2), 2 * t + i % 2, 8));
}

__global__ void half_products()
{
    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    unsigned a[4], b[2], h[2];
    float d[4], c[4];

    for (int r = 0; r < 4; r++)
        a[r] = half_pair(a_at(g + r % 2 * 8, 2 * t + r / 2 * 8),
                         a_at(g + r % 2 * 8, 2 * t + r / 2 * 8 + 1));
    for (int r = 0; r < 2; r++)
        b[r] = half_pair(b_at(2 * t + 8 * r, g), b_at(2 * t + 8 * r + 1, g));
    for (int i = 0; i < 2; i++)
        h[i] = half_pair(g + 8 * i - 2 * t, g + 8 * i - 2 * t - 1);
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, "
        "{%0, %1};"
        : "+r"(h[0]), "+r"(h[1])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 2; i++)
        WANT(h[i],
             half_pair(product_at(g + 8 * i, 2 * t, 16), product_at(g + 8 * i, 2 * t + 1, 16)));
    for (int i = 0; i < 4; i++)
        c[i] = g + 8 * (i / 2) - (2 * t + i % 2);
    asm volatile(MMA("m16n8k16", "f32.f16.f16.f32", 4)
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]),
                   "f"(c[1]), "f"(c[2]), "f"(c[3]));
    for (int i = 0; i < 4; i++)
        WANT(d[i], product_at(g + 8 * (i / 2), 2 * t + i % 2, 16));
    // TF32: the lower bits of an operand are ignored
    for (int r = 0; r < 4; r++)
        a[r] = __float_as_uint((float)a_at(g + r % 2 * 8, t + r / 2 * 4)) | 0x1fff * (r == 1);
    for (int r = 0; r < 2; r++)
        b[r] = __float_as_uint((float)b_at(t + 4 * r, g));
    asm volatile(MMA("m16n8k8", "f32.tf32.tf32.f32", 4)
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]),
                   "f"(c[1]), "f"(c[2]), "f"(c[3]));
    for (int i = 0; i < 4; i++)
        WANT(d[i], product_at(g + 8 * (i / 2), 2 * t + i % 2, 8));
}

__global__ void byte_products()
{
    int lane = threadIdx.x, g = lane / 4, t = lane % 4, d[4], c[4];
    unsigned a[4], b[2];

    for (int i = 0; i < 4; i++)
        c[i] = g + 8 * (i / 2) - (2 * t + i % 2);
    for (int r = 0; r < 4; r++) {
        int i = g + r % 2 * 8, k = 4 * t + r / 2 * 16;
        a[r] = bytes4(a_at(i, k), a_at(i, k + 1), a_at(i, k + 2), a_at(i, k + 3));
    }
    for (int r = 0; r < 2; r++) {
        int k = 4 * t + 16 * r;
        b[r] = bytes4(b_at(k, g), b_at(k + 1, g), b_at(k + 2, g), b_at(k + 3, g));
    }
    asm volatile(MMA("m16n8k32", "s32.s8.s8.s32", 4)
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]),
                   "r"(c[1]), "r"(c[2]), "r"(c[3]));
    for (int i = 0; i < 4; i++)
        WANT(d[i], product_at(g + 8 * (i / 2), 2 * t + i % 2, 32));
    // 255 x -128 x 32 in all elements, and a sum that is clamped
    asm volatile(MMA("m16n8k32", "s32.u8.s8.s32", 4)
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                 : "r"(~0u), "r"(~0u), "r"(~0u), "r"(~0u), "r"(0x80808080), "r"(0x80808080), "r"(1),
                   "r"(2), "r"(3), "r"(4));
    WANT(d[2], -255 * 128 * 32 + 3);
    asm volatile(
        "mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%4, %4};"
        : "=r"(d[0]), "=r"(d[1])
        : "r"(0x7f7f7f7f), "r"(0x7f7f7f7f), "r"(0x7fffff00));
    WANT(d[1], 0x7fffffff);
    double x, y;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
                 : "=d"(x), "=d"(y)
                 : "d"((double)a_at(g, t)), "d"((double)b_at(t, g)), "d"((double)c[0]),
                   "d"((double)c[1]));
    WANT(x, product_at(g, 2 * t, 4));
    WANT(y, product_at(g, 2 * t + 1, 4));
}

#ifdef EMU_CPU_DEVICE
#include "emu.h"

// Requests: a copy of 16 bytes per lane; two loads of one word, which are not merged; a load of
// four matrices; a load by 8 lanes.
__global__ void counted(const unsigned *in)
{
    __shared__ alignas(16) unsigned s[128];
    unsigned t = threadIdx.x, at = shared_address(s), d;

    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16;\n\tcp.async.wait_all;" ::"r"(at + 16 * t),
        "l"(in + 4 * t)
        : "memory");
    asm volatile("bar.warp.sync -1;" ::: "memory");
    asm volatile("{ .reg .u32 a; ld.shared.u32 %0, [%1]; ld.shared.u32 a, [%1]; }"
                 : "=r"(d)
                 : "r"(at + 4 * t));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %0, %0, %0}, [%1];"
                 : "=r"(d)
                 : "r"(at + 16 * t));
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %2, 8; @p ld.global.u32 %0, [%1]; }"
                 : "=r"(d)
                 : "l"(in + t), "r"(t));
}
static void test_counts()
{
    struct emu_counts c;

    cudaMemset(in, 0, 512);
    emu_reset();
    counted<<<1, 32>>>(in);
    emu_totals(&c);
    ok(c.ld_requests == 2 && c.ld_sectors == 16 + 1, "requests and sectors of global memory");
    ok(c.shared_requests == 1 + 2 + 1 && c.shared_wavefronts == 4 + 2 + 4,
       "requests and wavefronts of shared memory");
    ok(c.lanes == 32 + 32 + 64 + 32 + 8, "active lanes");
}

// Never executed: unknown and malformed texts are no error where they are only defined.
__device__ void unused(int *p)
{
    asm volatile("wgmma.unknown.instruction %0;" ::"r"(*p));
    asm volatile("{ .reg .u32 a; this is not PTX; " ::"r"(*p));
}
__global__ void skips(int *p)
{
    if (p[0])
        asm volatile("no.such.instruction;");
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p no.such.instruction %0; }" ::"r"(p[0]));
    p[1] = 1;
}
#endif

static void none_wrong(const char *what)
{
    static int host[LINES];
    int sum = 0;

    cudaMemcpyFromSymbol(host, wrong, sizeof host);
    for (int i = 0; i < LINES; i++)
        if (host[i])
            printf("# line %d: %d wrong results\n", i, host[i]), sum++;
    ok(sum == 0 && cudaGetLastError() == cudaSuccess, what);
    memset(host, 0, sizeof host);
    cudaMemcpyToSymbol(wrong, host, sizeof host);
}

static void test_arithmetic()
{
    // Supported: inline PTX: integer and floating-point arithmetic, logic, comparisons, conversions
    integers<<<1, 1>>>();
    none_wrong("integers");
    wide_integers<<<1, 1>>>();
    none_wrong("wide integers and carries");
    bits<<<1, 1>>>();
    none_wrong("bits");
    comparisons<<<1, 1>>>();
    none_wrong("comparisons and selections");
    floats<<<1, 1>>>();
    none_wrong("floats");
    conversions<<<1, 1>>>();
    none_wrong("conversions");

    // Supported: inline PTX: predicates, labels, nested blocks, special registers; in macros and
    // templates
    control<<<1, 64>>>();
    none_wrong("registers, labels, predicates");
    special_registers<<<dim3(3, 2), 64>>>((int *)out);
    none_wrong("special registers");
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    ok(host[39] == 139 && host[40] == 40, "exit ends a thread");
    gives<float>(
        64, [](float *o) { many<<<1, 1>>>(o); },
        [](int i) { return i + (i == 0 || i == 63 ? 9 : 0); }, "64 operands");

    gives<float>(
        1, [](float *o) { in_place<<<1, 1>>>(o); }, [](int) { return 9; }, "operands in place");
}

static void test_memory()
{
    float numbers[512];
    int right = 1;

    // Supported: inline PTX: loads, stores, atomics, fences, prefetches; cp.async
    for (int i = 0; i < 1024; i++)
        host[i] = 7 * i;
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    shared_memory<<<1, 128>>>(out);
    none_wrong("loads and stores of shared memory");
    global_memory<<<1, 128>>>(out, in);
    none_wrong("loads of global memory");
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    ok(host[0] == 0 && host[127] == 3 * 127, "stores to global memory");
    cudaMemset(out, 0, sizeof host);
    cudaMemset(in, 0, sizeof host);
    atomics<<<1, 64>>>(out, (float *)in);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    ok(host[0] == 128 && host[1] == 63 && host[2] == 4 && host[3] == ~0u && host[4] == 77 &&
           host[5] == 5 && host[6] == 64 && host[7] == 5,
       "atomics");
    cudaMemcpy(host, in, sizeof host, cudaMemcpyDeviceToHost);
    ok(((float *)host)[0] == 64 && host[1] == 0x54005000 && ((float *)host)[2] == 32,
       "atomics of floats");
    cudaMemset(out, 0, sizeof host);
    passes<<<2, 32>>>(out, out + 1, out + 2);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    ok(host[2] == 12 && host[65] == 0, "st.release and ld.acquire order other accesses");
    for (int i = 0; i < 512; i++)
        numbers[i] = i + 1;
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    copies<<<1, 128>>>((float *)in, (float *)out);
    cudaMemcpy(numbers, out, sizeof numbers, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++)
        right &= numbers[i] == i + 1 && numbers[128 + i] == (i % 2 ? i + 1 : 0) &&
                 (i >= 7 || numbers[256 + i] == i + 1);
    ok(right, "cp.async with groups, zeros and predicates");
}

static void test_warps()
{
    int right = 1;

    // Supported: inline PTX: shuffles, votes, matches, reductions, elect.sync; named barriers
    exchanges<<<1, 32>>>();
    none_wrong("exchanges within a warp");
    barriers<<<1, 128>>>(out);
    none_wrong("barriers");
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < 5 * 64; i++)
        right &= host[i] == 100 * (i / 64) + 63 - i % 64;
    ok(right, "named barriers order two warps that produce and two that consume");

    // Supported: inline PTX: ldmatrix, stmatrix, movmatrix, mma.sync of bf16, fp16, TF32, int8 and
    // double
    matrices<<<1, 32>>>();
    none_wrong("matrices in shared memory");
    products<<<1, 32>>>();
    none_wrong("products of matrices of bf16");
    half_products<<<1, 32>>>();
    none_wrong("products of matrices of fp16 and TF32");
    byte_products<<<1, 32>>>();
    none_wrong("products of matrices of bytes and of doubles");
}

int main()
{
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&in, sizeof host);
    test_arithmetic();
    test_memory();
    test_warps();
#ifdef EMU_CPU_DEVICE
    test_counts();
    cudaMemset(out, 0, sizeof host);
    skips<<<1, 1>>>((int *)out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    ok(host[1] == 1, "instructions that are not executed need not exist");
#endif
    printf("1..%d\n", tests);
}

// Compares the integer, packed and conversion functions with their definitions, implemented here by
// component with 64-bit arithmetic.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CASES = 4096, THREADS = 128 };

static int tests;

static void ok(int right, const char *what)
{
    printf("%sok %d - %s\n", right ? "" : "not ", ++tests, what);
}

struct Case {
    unsigned a, b, c;
};

static Case *inputs, cases[CASES];
static unsigned *outputs, got[CASES];

// Random words, words with runs of equal bits, and words whose bytes are at the limits of their
// ranges.
static void make_cases(void)
{
    static const unsigned ends[] = { 0,          1,          0x7f,       0x80,      0x81,
                                     0xff,       0x7fff,     0x8000,     0xffff,    0x7fffffff,
                                     0x80000000, 0xffffffff, 0x80808080, 0x7f7f7f7f };
    unsigned long long state = 1;

    for (Case &c : cases) {
        unsigned *word[] = { &c.a, &c.b, &c.c };

        for (unsigned *w : word) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            unsigned random = (unsigned)(state >> 32), kind = random % 4;
            *w = kind == 0 ? ends[(random >> 8) % (sizeof ends / sizeof *ends)]
               : kind == 1 ? random << (random >> 27)
                           : random;
        }
    }
    cudaMalloc(&inputs, sizeof cases);
    cudaMalloc(&outputs, sizeof got);
    cudaMemcpy(inputs, cases, sizeof cases, cudaMemcpyHostToDevice);
}

template <class F>
static void check(const char *name, void (*kernel)(const Case *, unsigned *), F want)
{
    int right = 1;

    kernel<<<CASES / THREADS, THREADS>>>(inputs, outputs);
    cudaMemcpy(got, outputs, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < CASES; i++) {
        unsigned w = want(cases[i].a, cases[i].b, cases[i].c);

        if (got[i] != w && right)
            printf("# %s(%#x, %#x, %#x) is %#x, want %#x\n", name, cases[i].a, cases[i].b,
                   cases[i].c, got[i], w);
        right &= got[i] == w;
    }
    ok(right, name);
}

// Defines a kernel that calls a function for every case, and checks what it returns.
#define KERNEL(name, call)                                       \
    __global__ void kernel_##name(const Case *in, unsigned *out) \
    {                                                            \
        int i = blockIdx.x * blockDim.x + threadIdx.x;           \
        unsigned a = in[i].a, b = in[i].b, c = in[i].c;          \
        out[i] = (unsigned)(call);                               \
        (void)a, (void)b, (void)c;                               \
    }
#define CHECK(name, want)                                                            \
    check(#name, kernel_##name, [](unsigned a, unsigned b, unsigned c) -> unsigned { \
        (void)a, (void)b, (void)c;                                                   \
        return (unsigned)(want);                                                     \
    })

typedef long long i64;

// Component i of a word with components of `bits` bits.
static i64 part(unsigned word, int bits, int i, bool is_signed)
{
    i64 v = word >> bits * i;

    v %= 1ll << bits;
    return is_signed && v >= 1ll << (bits - 1) ? v - (1ll << bits) : v;
}

static i64 dot(unsigned a, int a_bits, unsigned b, int first, int n, bool is_signed)
{
    i64 sum = 0;

    for (int i = 0; i < n; i++)
        sum += part(a, a_bits, i, is_signed) * part(b, 8, first + i, is_signed);
    return sum;
}

template <class F>
static unsigned each(unsigned a, unsigned b, int bits, bool is_signed, bool saturates, F f)
{
    i64 lowest = is_signed ? -(1ll << (bits - 1)) : 0, highest = lowest + (1ll << bits) - 1;
    unsigned result = 0;

    for (int i = 0; i < 32 / bits; i++) {
        i64 v = f(part(a, bits, i, is_signed), part(b, bits, i, is_signed));

        if (saturates && v < lowest)
            v = lowest;
        if (saturates && v > highest)
            v = highest;
        result |= (unsigned)(v & ((1ll << bits) - 1)) << bits * i;
    }
    return result;
}

static unsigned byte_perm(unsigned x, unsigned y, unsigned s)
{
    unsigned result = 0;

    for (int i = 0; i < 4; i++) {
        unsigned which = s / (1u << 4 * i) % 8;
        result += (unsigned)part(which < 4 ? x : y, 8, which % 4, false) << 8 * i;
    }
    return result;
}

static unsigned funnel(unsigned low, unsigned high, unsigned shift, bool left)
{
    unsigned result = 0;

    for (int i = 0; i < 32; i++) {   // which of the 64 bits is bit i of the result
        int from = left ? 32 + i - (int)shift : i + (int)shift;
        result |= (from < 32 ? low >> from & 1 : high >> (from - 32) & 1) << i;
    }
    return result;
}

static int bits_set(unsigned v)
{
    int n = 0;

    for (; v; v /= 2)
        n += v % 2;
    return n;
}

KERNEL(popc, __popc(a))
KERNEL(ffs, __ffs((int)a))
KERNEL(clz, __clz((int)a))
KERNEL(brev, __brev(a))
KERNEL(byte_perm, __byte_perm(a, b, c))
KERNEL(funnelshift_l, __funnelshift_l(a, b, c))
KERNEL(funnelshift_r, __funnelshift_r(a, b, c))
KERNEL(funnelshift_lc, __funnelshift_lc(a, b, c % 64))
KERNEL(funnelshift_rc, __funnelshift_rc(a, b, c % 64))
KERNEL(mul24, __mul24((int)a, (int)b))
KERNEL(umul24, __umul24(a, b))
KERNEL(mulhi, __mulhi((int)a, (int)b))
KERNEL(umulhi, __umulhi(a, b))
KERNEL(sad, __sad((int)a, (int)b, c))
KERNEL(usad, __usad(a, b, c))
KERNEL(hadd, __hadd((int)a, (int)b))
KERNEL(rhadd, __rhadd((int)a, (int)b))
KERNEL(uhadd, __uhadd(a, b))
KERNEL(urhadd, __urhadd(a, b))
KERNEL(dp4a_signed, __dp4a((int)a, (int)b, (int)c))
KERNEL(dp4a_unsigned, __dp4a(a, b, c))
KERNEL(dp4a_char4, __dp4a(*(const char4 *)&in[i].a, *(const char4 *)&in[i].b, (int)c))
KERNEL(dp4a_uchar4, __dp4a(*(const uchar4 *)&in[i].a, *(const uchar4 *)&in[i].b, c))
KERNEL(dp2a_lo_signed, __dp2a_lo((int)a, (int)b, (int)c))
KERNEL(dp2a_lo_unsigned, __dp2a_lo(a, b, c))
KERNEL(dp2a_lo_short2, __dp2a_lo(*(const short2 *)&in[i].a, *(const char4 *)&in[i].b, (int)c))
KERNEL(dp2a_lo_ushort2, __dp2a_lo(*(const ushort2 *)&in[i].a, *(const uchar4 *)&in[i].b, c))
KERNEL(dp2a_hi_signed, __dp2a_hi((int)a, (int)b, (int)c))
KERNEL(dp2a_hi_unsigned, __dp2a_hi(a, b, c))
KERNEL(dp2a_hi_short2, __dp2a_hi(*(const short2 *)&in[i].a, *(const char4 *)&in[i].b, (int)c))
KERNEL(dp2a_hi_ushort2, __dp2a_hi(*(const ushort2 *)&in[i].a, *(const uchar4 *)&in[i].b, c))
KERNEL(min_int, min((int)a, (int)b))
KERNEL(max_unsigned, max(a, b))
KERNEL(vsadu4, __vsadu4(a, b))
KERNEL(vsadu2, __vsadu2(a, b))

// clang-format off
#define EACH_KERNELS(n)                        \
    KERNEL(vadd##n, __vadd##n(a, b))           \
    KERNEL(vsub##n, __vsub##n(a, b))           \
    KERNEL(vaddus##n, __vaddus##n(a, b))       \
    KERNEL(vaddss##n, __vaddss##n(a, b))       \
    KERNEL(vsubus##n, __vsubus##n(a, b))       \
    KERNEL(vsubss##n, __vsubss##n(a, b))       \
    KERNEL(vminu##n, __vminu##n(a, b))         \
    KERNEL(vmins##n, __vmins##n(a, b))         \
    KERNEL(vmaxu##n, __vmaxu##n(a, b))         \
    KERNEL(vmaxs##n, __vmaxs##n(a, b))         \
    KERNEL(vabsdiffu##n, __vabsdiffu##n(a, b)) \
    KERNEL(vavgu##n, __vavgu##n(a, b))         \
    KERNEL(vhaddu##n, __vhaddu##n(a, b))       \
    KERNEL(vcmpeq##n, __vcmpeq##n(a, b))       \
    KERNEL(vcmpgtu##n, __vcmpgtu##n(a, b))     \
    KERNEL(vcmpgts##n, __vcmpgts##n(a, b))
// clang-format on
EACH_KERNELS(4)
EACH_KERNELS(2)

#define CHECK_EACH(name, n, is_signed, saturates, result) \
    CHECK(name##n,                                        \
          each(a, b, 32 / n, is_signed, saturates, [](i64 x, i64 y) -> i64 { return result; }))
#define CHECK_ALL(n)                                               \
    CHECK_EACH(vadd, n, false, false, x + y);                      \
    CHECK_EACH(vsub, n, false, false, x - y);                      \
    CHECK_EACH(vaddus, n, false, true, x + y);                     \
    CHECK_EACH(vaddss, n, true, true, x + y);                      \
    CHECK_EACH(vsubus, n, false, true, x - y);                     \
    CHECK_EACH(vsubss, n, true, true, x - y);                      \
    CHECK_EACH(vminu, n, false, false, x < y ? x : y);             \
    CHECK_EACH(vmins, n, true, false, x < y ? x : y);              \
    CHECK_EACH(vmaxu, n, false, false, x < y ? y : x);             \
    CHECK_EACH(vmaxs, n, true, false, x < y ? y : x);              \
    CHECK_EACH(vabsdiffu, n, false, false, x < y ? y - x : x - y); \
    CHECK_EACH(vavgu, n, false, false, (x + y + 1) / 2);           \
    CHECK_EACH(vhaddu, n, false, false, (x + y) / 2);              \
    CHECK_EACH(vcmpeq, n, false, false, x == y ? -1 : 0);          \
    CHECK_EACH(vcmpgtu, n, false, false, x > y ? -1 : 0);          \
    CHECK_EACH(vcmpgts, n, true, false, x > y ? -1 : 0)

// ---- conversions ----

enum { FLOATS = 24 };

__global__ void convert(const float *in, int *ints, unsigned *unsigneds, float *saturated)
{
    int i = threadIdx.x;
    float v = in[i];

    ints[4 * i] = __float2int_rz(v);
    ints[4 * i + 1] = __float2int_rn(v);
    ints[4 * i + 2] = __float2int_rd(v);
    ints[4 * i + 3] = __float2int_ru(v);
    unsigneds[4 * i] = __float2uint_rz(v);
    unsigneds[4 * i + 1] = __float2uint_rn(v);
    unsigneds[4 * i + 2] = __float2uint_rd(v);
    unsigneds[4 * i + 3] = __float2uint_ru(v);
    saturated[i] = __saturatef(v);
    if (__int_as_float(__float_as_int(v)) != v && v == v)
        saturated[i] = -1;
}

static double rounded(double v, int how)
{
    if (how == 1) {   // to nearest, ties to even
        double low = floor(v), rest = v - low;
        return rest > 0.5 || (rest == 0.5 && fmod(low, 2) != 0) ? low + 1 : low;
    }
    return how == 0 ? trunc(v) : how == 2 ? floor(v) : ceil(v);
}

static double within(double v, double low, double high)
{
    return v != v ? 0 : v < low ? low : v > high ? high : v;
}

static void check_conversions(void)
{
    float values[FLOATS] = { 0,
                             -0.0f,
                             0.25f,
                             0.5f,
                             0.75f,
                             1,
                             1.5f,
                             2.5f,
                             -0.5f,
                             -1.5f,
                             -2.75f,
                             255.99f,
                             16777216,
                             2147483520.0f,
                             2147483648.0f,
                             -2147483648.0f,
                             -2147483904.0f,
                             4294967040.0f,
                             4294967296.0f,
                             1e30f,
                             -1e30f,
                             INFINITY,
                             -INFINITY,
                             NAN };
    float *in, *saturated, got_saturated[FLOATS];
    int *ints, got_ints[4 * FLOATS], right = 1, right_unsigned = 1, right_saturated = 1;
    unsigned *unsigneds, got_unsigneds[4 * FLOATS];

    cudaMalloc(&in, sizeof values);
    cudaMalloc(&saturated, sizeof got_saturated);
    cudaMalloc(&ints, sizeof got_ints);
    cudaMalloc(&unsigneds, sizeof got_unsigneds);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    convert<<<1, FLOATS>>>(in, ints, unsigneds, saturated);
    cudaMemcpy(got_ints, ints, sizeof got_ints, cudaMemcpyDeviceToHost);
    cudaMemcpy(got_unsigneds, unsigneds, sizeof got_unsigneds, cudaMemcpyDeviceToHost);
    cudaMemcpy(got_saturated, saturated, sizeof got_saturated, cudaMemcpyDeviceToHost);
    for (int i = 0; i < FLOATS; i++) {
        for (int how = 0; how < 4; how++) {
            right &=
                got_ints[4 * i + how] == (int)within(rounded(values[i], how), INT_MIN, INT_MAX);
            right_unsigned &= got_unsigneds[4 * i + how] ==
                              (unsigned)within(rounded(values[i], how), 0, UINT_MAX);
        }
        right_saturated &= got_saturated[i] == (float)within(values[i], 0, 1);
    }
    ok(right, "floats to ints: toward zero, to nearest, down and up, limits of the range, and NaN");
    ok(right_unsigned, "floats to unsigned ints");
    ok(right_saturated, "__saturatef");
}

int main(void)
{
    make_cases();
    // Supported: integer, packed (`__dp4a`, `__v*2`, `__v*4`) and conversion intrinsics
    CHECK(popc, bits_set(a));
    CHECK(ffs, a ? bits_set((a & -a) - 1) + 1 : 0);
    CHECK(clz, 32 - (a ? (int)floor(log2((double)a)) + 1 : 0));
    CHECK(brev, ({
              unsigned r = 0;
              for (int i = 0; i < 32; i++)
                  r |= (a >> i & 1) << (31 - i);
              r;
          }));
    CHECK(byte_perm, byte_perm(a, b, c));
    CHECK(funnelshift_l, funnel(a, b, c % 32, true));
    CHECK(funnelshift_r, funnel(a, b, c % 32, false));
    CHECK(funnelshift_lc, funnel(a, b, c % 64 > 32 ? 32 : c % 64, true));
    CHECK(funnelshift_rc, funnel(a, b, c % 64 > 32 ? 32 : c % 64, false));
    CHECK(mul24, part(a, 24, 0, true) * part(b, 24, 0, true));
    CHECK(umul24, part(a, 24, 0, false) * part(b, 24, 0, false));
    CHECK(mulhi, (i64)(int)a * (int)b >> 32);
    CHECK(umulhi, (unsigned long long)a * b >> 32);
    CHECK(sad, llabs((i64)(int)a - (int)b) + c);
    CHECK(usad, llabs((i64)a - b) + c);
    CHECK(hadd, floor(((double)(int)a + (int)b) / 2));
    CHECK(rhadd, floor(((double)(int)a + (int)b + 1) / 2));
    CHECK(uhadd, ((i64)a + b) / 2);
    CHECK(urhadd, ((i64)a + b + 1) / 2);
    CHECK(dp4a_signed, dot(a, 8, b, 0, 4, true) + c);
    CHECK(dp4a_unsigned, dot(a, 8, b, 0, 4, false) + c);
    CHECK(dp4a_char4, dot(a, 8, b, 0, 4, true) + c);
    CHECK(dp4a_uchar4, dot(a, 8, b, 0, 4, false) + c);
    CHECK(dp2a_lo_signed, dot(a, 16, b, 0, 2, true) + c);
    CHECK(dp2a_lo_unsigned, dot(a, 16, b, 0, 2, false) + c);
    CHECK(dp2a_lo_short2, dot(a, 16, b, 0, 2, true) + c);
    CHECK(dp2a_lo_ushort2, dot(a, 16, b, 0, 2, false) + c);
    CHECK(dp2a_hi_signed, dot(a, 16, b, 2, 2, true) + c);
    CHECK(dp2a_hi_unsigned, dot(a, 16, b, 2, 2, false) + c);
    CHECK(dp2a_hi_short2, dot(a, 16, b, 2, 2, true) + c);
    CHECK(dp2a_hi_ushort2, dot(a, 16, b, 2, 2, false) + c);
    CHECK(min_int, (i64)(int)a < (i64)(int)b ? a : b);
    CHECK(max_unsigned, a > b ? a : b);
    CHECK(vsadu4, llabs(part(a, 8, 0, false) - part(b, 8, 0, false)) +
                      llabs(part(a, 8, 1, false) - part(b, 8, 1, false)) +
                      llabs(part(a, 8, 2, false) - part(b, 8, 2, false)) +
                      llabs(part(a, 8, 3, false) - part(b, 8, 3, false)));
    CHECK(vsadu2, llabs(part(a, 16, 0, false) - part(b, 16, 0, false)) +
                      llabs(part(a, 16, 1, false) - part(b, 16, 1, false)));
    CHECK_ALL(4);
    CHECK_ALL(2);
    check_conversions();
    printf("1..%d\n", tests);
    return 0;
}

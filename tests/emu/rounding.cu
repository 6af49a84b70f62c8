// Compares the functions with rounding modes with the host's, whose mode is set by fesetround.
#include <fenv.h>
#include <math.h>

#include "ok.h"

enum { CASES = 4096, THREADS = 128, MODES = 3, RESULTS = 7 };

template <class T> struct Case {
    T a, b, c;
};
template <class T> struct Results {
    T value[MODES][RESULTS];
};

#define MODE(p, fused, suffix, mode)                                                          \
    r.value[mode][0] = p##add##suffix(c.a, c.b), r.value[mode][1] = p##sub##suffix(c.a, c.b), \
    r.value[mode][2] = p##mul##suffix(c.a, c.b), r.value[mode][3] = p##div##suffix(c.a, c.b), \
    r.value[mode][4] = p##sqrt##suffix(c.a), r.value[mode][5] = fused##suffix(c.a, c.b, c.c), \
    r.value[mode][6] = p##rcp##suffix(c.a)
__global__ void floats(Results<float> *o, const Case<float> *cases)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Case<float> c = cases[i];
    Results<float> r;

    MODE(__f, __fmaf, _rz, 0);
    MODE(__f, __fmaf, _ru, 1);
    MODE(__f, __fmaf, _rd, 2);
    o[i] = r;
}
__global__ void doubles(Results<double> *o, const Case<double> *cases)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Case<double> c = cases[i];
    Results<double> r;

    MODE(__d, __fma, _rz, 0);
    MODE(__d, __fma, _ru, 1);
    MODE(__d, __fma, _rd, 2);
    o[i] = r;
}

template <class T> static void expect(Results<T> &r, const Case<T> &c)
{
    static const int modes[MODES] = { FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD };
    volatile T a = c.a, b = c.b, d = c.c, v;

    for (int m = 0; m < MODES; m++) {
        fesetround(modes[m]);
        v = a + b, r.value[m][0] = v;
        v = a - b, r.value[m][1] = v;
        v = a * b, r.value[m][2] = v;
        v = a / b, r.value[m][3] = v;
        v = sqrt(a), r.value[m][4] = v;
        v = fma(a, b, d), r.value[m][5] = v;
        v = 1 / a, r.value[m][6] = v;
    }
    fesetround(FE_TONEAREST);
}

static unsigned long long state = 1;
static unsigned random_bits()
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 32);
}

// Values whose results need rounding, cancel, overflow or are subnormal.
template <class T> static T value()
{
    static const T ends[] = { 0, -(T)0, 1, -1, 3, (T)INFINITY, -(T)INFINITY, (T)NAN };
    const int bits = sizeof(T) == 4 ? 24 : 53, top = sizeof(T) == 4 ? 128 : 1024;
    unsigned kind = random_bits() % 8;
    T v = (T)(1 + random_bits() / 4294967296.0) + (T)random_bits() * (T)ldexp(1, -bits);
    int exponent = kind == 0 ? (int)(random_bits() % (2 * top)) - top - bits / 2
                 : kind == 1 ? top - 1 - (int)(random_bits() % 4)
                 : kind == 2 ? 2 - top - (int)(random_bits() % bits)
                             : (int)(random_bits() % (2 * bits)) - bits;

    if (kind == 7)
        return ends[random_bits() % 8];
    if (kind == 6)
        return (T)((int)random_bits() % 100);
    return ldexp(random_bits() % 2 ? v : -v, exponent);
}

template <class T>
static void check(void (*kernel)(Results<T> *, const Case<T> *), const char *what)
{
    static Case<T> cases[CASES];
    static Results<T> got[CASES];
    Case<T> *in;
    Results<T> *out, want;
    int wrong = 0;

    for (Case<T> &c : cases) {
        c = { value<T>(), value<T>(), value<T>() };
        if (random_bits() % 8 == 0)
            c.c = -c.a * c.b;
        if (random_bits() % 8 == 0)
            c.b = -c.a;
    }
    cudaMalloc(&in, sizeof cases);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, cases, sizeof cases, cudaMemcpyHostToDevice);
    kernel<<<CASES / THREADS, THREADS>>>(out, in);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < CASES; i++) {
        expect(want, cases[i]);
        for (int m = 0; m < MODES; m++)
            for (int k = 0; k < RESULTS; k++) {
                T g = got[i].value[m][k], w = want.value[m][k];

                if ((isnan(g) && isnan(w)) || (g == w && signbit(g) == signbit(w)))
                    continue;
                if (wrong++ < 5)
                    printf("# mode %d, function %d of %a %a %a: %a, not %a\n", m, k,
                           (double)cases[i].a, (double)cases[i].b, (double)cases[i].c, (double)g,
                           (double)w);
            }
    }
    ok(!wrong, what);
}

__global__ void conversions(int *o)
{
    int i = 0;

    o[i++] = __int2float_rd(16777217) == 16777216 && __int2float_ru(16777217) == 16777218;
    o[i++] = __int2float_rz(-16777217) == -16777216 && __int2float_rd(-16777217) == -16777218;
    o[i++] = __uint2float_rz(0xffffffff) == 4294967040.0f && __uint2float_ru(7) == 7;
    o[i++] = __double2float_rd(0.1) < 0.1 && __double2float_ru(0.1) > 0.1;
    o[i++] = __double2float_rz(1e300) == 3.402823466e38f && isinf(__double2float_ru(1e300));
    o[i++] = __ll2double_ru((1ll << 53) + 1) == 9007199254740994.0;
    o[i++] = __ull2double_rz(~0ull) == 18446744073709549568.0 && __ll2float_rd(-1) == -1;
}

int main(void)
{
    // Supported: functions with rounding modes: `__fadd_rd`, `__dmul_ru`, `__fmaf_rz`,
    // `__int2float_ru`
    // ...
    check(floats, "float functions with rounding modes");
    check(doubles, "double functions with rounding modes");
    gives<int>(
        7, [](int *out) { conversions<<<1, 1>>>(out); }, [](int) { return 1; },
        "conversions with rounding modes");
    printf("1..%d\n", tests);
    return 0;
}

// Single- and double-precision functions of CUDA that C++ lacks, as defined in the CUDA Math API
// reference. The fast ones (__expf ...) have the accuracy of C++'s functions, which is higher than
// on a GPU.
#ifndef EMU_MATH_H
#define EMU_MATH_H

__device__ inline float rsqrtf(float x) { return 1 / sqrtf(x); }
__device__ inline double rsqrt(double x) { return 1 / sqrt(x); }
__device__ inline float rcbrtf(float x) { return 1 / cbrtf(x); }
__device__ inline double rcbrt(double x) { return 1 / cbrt(x); }
__device__ inline float sinpif(float x) { return (float)sin(M_PI * x); }
__device__ inline float cospif(float x) { return (float)cos(M_PI * x); }
__device__ inline double sinpi(double x) { return sin(M_PI * x); }
__device__ inline double cospi(double x) { return cos(M_PI * x); }
__device__ inline float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
__device__ inline float rnorm3df(float a, float b, float c) { return 1 / norm3df(a, b, c); }
__device__ inline float normcdff(float x) { return 0.5f * erfcf(-x * (float)M_SQRT1_2); }
__device__ inline double normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
// Newton's method on the logarithm, which converges from any start.
__device__ inline double normcdfinv(double p)
{
    if (!(p > 0 && p < 1))
        return p == 0 ? -INFINITY : p == 1 ? INFINITY : NAN;
    if (p > 0.5)
        return -normcdfinv(1 - p);
    double x = 0;
    for (int i = 0; i < 50; i++) {
        double area = normcdf(x), density = exp(-0.5 * x * x) / sqrt(2 * M_PI);
        x = fmax(-38.0, x + log(p / area) * area / density);
    }
    return x;
}
__device__ inline float normcdfinvf(float p) { return (float)normcdfinv(p); }
__device__ inline double erfcinv(double y) { return -normcdfinv(y / 2) * M_SQRT1_2; }
__device__ inline float erfcinvf(float y) { return (float)erfcinv(y); }
__device__ inline double erfinv(double y) { return normcdfinv((1 + y) / 2) * M_SQRT1_2; }
__device__ inline float erfinvf(float y) { return (float)erfinv(y); }

__device__ inline float __fdividef(float a, float b) { return a / b; }
__device__ inline float fdividef(float a, float b) { return a / b; }
__device__ inline float __expf(float x) { return expf(x); }
__device__ inline float __exp10f(float x) { return powf(10, x); }
__device__ inline float __logf(float x) { return logf(x); }
__device__ inline float __log2f(float x) { return log2f(x); }
__device__ inline float __log10f(float x) { return log10f(x); }
__device__ inline float __powf(float x, float y) { return powf(x, y); }
__device__ inline float __sinf(float x) { return sinf(x); }
__device__ inline float __cosf(float x) { return cosf(x); }
__device__ inline float __tanf(float x) { return tanf(x); }
__device__ inline float __tanhf(float x) { return tanhf(x); }
__device__ inline void __sincosf(float x, float *sine, float *cosine)
{
    *sine = sinf(x);
    *cosine = cosf(x);
}

__device__ inline float __frsqrt_rn(float x) { return (float)(1 / sqrt((double)x)); }
__device__ inline double __dadd_rn(double a, double b) { return a + b; }
__device__ inline double __dsub_rn(double a, double b) { return a - b; }
__device__ inline double __dmul_rn(double a, double b) { return a * b; }
__device__ inline double __ddiv_rn(double a, double b) { return a / b; }
__device__ inline double __dsqrt_rn(double a) { return sqrt(a); }
__device__ inline double __drcp_rn(double a) { return 1 / a; }
__device__ inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }

__device__ inline long long __double_as_longlong(double v)
{
    long long bits;
    __builtin_memcpy(&bits, &v, sizeof bits);
    return bits;
}
__device__ inline double __longlong_as_double(long long bits)
{
    double v;
    __builtin_memcpy(&v, &bits, sizeof v);
    return v;
}
__device__ inline int __double2hiint(double v) { return (int)(__double_as_longlong(v) >> 32); }
__device__ inline int __double2loint(double v) { return (int)__double_as_longlong(v); }
__device__ inline double __hiloint2double(int high, int low)
{
    return __longlong_as_double(
        (long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}
__device__ inline float __double2float_rn(double v) { return (float)v; }
__device__ inline double __int2double_rn(int v) { return v; }
__device__ inline double __uint2double_rn(unsigned v) { return v; }
__device__ inline float __ll2float_rn(long long v) { return (float)v; }
__device__ inline double __ll2double_rn(long long v) { return (double)v; }
__device__ inline float __ull2float_rn(unsigned long long v) { return (float)v; }
__device__ inline double __ull2double_rn(unsigned long long v) { return (double)v; }
// Clamped to the range of the integer; NaN becomes 0.
__device__ inline int __double2int_rz(double v)
{
    return v >= 2147483648.0 ? 2147483647
         : v > -2147483649.0 ? (int)v
         : v < 0             ? -2147483647 - 1
                             : 0;
}
__device__ inline int __double2int_rn(double v) { return __double2int_rz(rint(v)); }
__device__ inline int __double2int_rd(double v) { return __double2int_rz(floor(v)); }
__device__ inline int __double2int_ru(double v) { return __double2int_rz(ceil(v)); }

__device__ inline unsigned long long __brevll(unsigned long long v)
{
    return (unsigned long long)__brev((unsigned)v) << 32 | __brev((unsigned)(v >> 32));
}
__device__ inline long long __mul64hi(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}
__device__ inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}

#endif

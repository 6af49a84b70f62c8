// Complex numbers of CUDA's libraries, for C and C++: cuComplex (cuFloatComplex) is a float2,
// cuDoubleComplex a double2.
#ifndef EMU_CU_COMPLEX_H
#define EMU_CU_COMPLEX_H

#include <math.h>

#ifdef __cplusplus
#include "cuda_runtime.h"
#define EMU_COMPLEX_FUNCTION __host__ __device__ static __inline__
#else
#include "vector_types.h"
#define EMU_COMPLEX_FUNCTION static inline
#endif

#define EMU_COMPLEX(Complex, Real, F, hypotenuse)                                            \
    typedef struct Real##2 Complex;                                                          \
    EMU_COMPLEX_FUNCTION Complex make_##Complex(Real x, Real y)                              \
    {                                                                                        \
        Complex z;                                                                           \
        z.x = x;                                                                             \
        z.y = y;                                                                             \
        return z;                                                                            \
    }                                                                                        \
    EMU_COMPLEX_FUNCTION Real cuCreal##F(Complex z) { return z.x; }                          \
    EMU_COMPLEX_FUNCTION Real cuCimag##F(Complex z) { return z.y; }                          \
    EMU_COMPLEX_FUNCTION Complex cuConj##F(Complex z) { return make_##Complex(z.x, -z.y); }  \
    EMU_COMPLEX_FUNCTION Complex cuCadd##F(Complex a, Complex b)                             \
    {                                                                                        \
        return make_##Complex(a.x + b.x, a.y + b.y);                                         \
    }                                                                                        \
    EMU_COMPLEX_FUNCTION Complex cuCsub##F(Complex a, Complex b)                             \
    {                                                                                        \
        return make_##Complex(a.x - b.x, a.y - b.y);                                         \
    }                                                                                        \
    EMU_COMPLEX_FUNCTION Complex cuCmul##F(Complex a, Complex b)                             \
    {                                                                                        \
        return make_##Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                 \
    }                                                                                        \
    /* scaled, so that the square of |b| does not overflow */                                \
    EMU_COMPLEX_FUNCTION Complex cuCdiv##F(Complex a, Complex b)                             \
    {                                                                                        \
        Real scale = 1 / ((b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y));                  \
        Real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;         \
        Real inverse = 1 / (bx * bx + by * by);                                              \
        return make_##Complex((ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse); \
    }                                                                                        \
    EMU_COMPLEX_FUNCTION Real cuCabs##F(Complex z) { return hypotenuse(z.x, z.y); }          \
    EMU_COMPLEX_FUNCTION Complex cuCfma##F(Complex a, Complex b, Complex c)                  \
    {                                                                                        \
        return cuCadd##F(cuCmul##F(a, b), c);                                                \
    }
EMU_COMPLEX(cuFloatComplex, float, f, hypotf)
EMU_COMPLEX(cuDoubleComplex, double, , hypot)
#undef EMU_COMPLEX
#undef EMU_COMPLEX_FUNCTION

typedef cuFloatComplex cuComplex;
#define make_cuComplex make_cuFloatComplex
#define cuComplexFloatToDouble(z) make_cuDoubleComplex((z).x, (z).y)
#define cuComplexDoubleToFloat(z) make_cuFloatComplex((float)(z).x, (float)(z).y)

#endif

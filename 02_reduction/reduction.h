// Week 2. The contract of a stage: out[0] = sum of in[0] to in[n - 1].
//
//   in   n elements in device memory, 256-byte aligned
//   out  one element, likewise; it is not part of `in`
//
// Any n from 1 to 2^40 - 1, unless the stage refuses it. Work goes to cudaStreamPerThread, which
// is what <<<grid, block>>> uses here. The elements are int, float or double, as `type` says. Sums
// of int wrap around and must be exact. The others may be added up in any order.
#ifndef REDUCTION_H
#define REDUCTION_H

#include "../common/stage/stage.h"

EXTERN_C void reduction(const void *in, void *out, long long n, enum type type);

#ifdef __cplusplus
// Calls a stage's template f(in, out, n) for the type of the elements. ints become unsigned: the
// same bits, and signed overflow is undefined behavior.
#define BY_TYPE(type, f, in, out, n)                                       \
    switch (type) {                                                        \
    case TYPE_I32: f((const unsigned *)(in), (unsigned *)(out), n); break; \
    case TYPE_F32: f((const float *)(in), (float *)(out), n); break;       \
    case TYPE_F64: f((const double *)(in), (double *)(out), n); break;     \
    default: refuse("sums are of int, float or double");                   \
    }
#endif

#endif

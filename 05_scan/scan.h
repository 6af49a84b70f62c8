// Week 5. The contract of a stage: out[i] is the sum of in[0] to in[i] (inclusive scan), or of
// in[0] to in[i - 1], with out[0] = 0 (exclusive scan).
//
//   in         n elements in device memory, 256-byte aligned
//   out        n elements, likewise; not `in`, and no part of it
//   exclusive  0: inclusive, 1: exclusive
//
// Any n from 1 to 2^31, unless the stage refuses it. Work goes to cudaStreamPerThread, which is
// what <<<grid, block>>> uses here; one thread of the host calls. The elements are int, float or
// double, as `type` says. Sums of int wrap around and must be exact. The others may be added up in
// any order.
#ifndef SCAN_H
#define SCAN_H

#include "../common/stage/stage.h"

EXTERN_C void scan(const void *in, void *out, long long n, enum type type, int exclusive);

#ifdef __cplusplus
// Calls a stage's template f(in, out, n, exclusive) for the type of the elements. ints become
// unsigned: the same bits, and signed overflow is undefined behavior.
#define BY_TYPE(type, f, in, out, n, exclusive)                                              \
    switch (type) {                                                                          \
    case TYPE_I32: f((const unsigned *)(in), (unsigned *)(out), n, (exclusive) != 0); break; \
    case TYPE_F32: f((const float *)(in), (float *)(out), n, (exclusive) != 0); break;       \
    case TYPE_F64: f((const double *)(in), (double *)(out), n, (exclusive) != 0); break;     \
    default: refuse("scans are of int, float or double");                                    \
    }
#endif

#endif

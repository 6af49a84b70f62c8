// The contract of a stage: counts[v] = how many of the n bytes in `in` are v.
//
//   in      n bytes in device memory, 256-byte aligned
//   counts  256 ints, likewise
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include "../common/stage/stage.h"

enum { BINS = 256 };

EXTERN_C void histogram(const unsigned char *in, int *counts, long long n);

#endif

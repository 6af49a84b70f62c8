// Graded: 0 refused: ^not allowed: line 4: '__CUDA_ARCH__' in a condition
#include "transpose.h"

#if defined(__CUDA_ARCH__)
#define FAST 1
#endif

void transpose(const float *in, float *out, int rows, int cols) {}

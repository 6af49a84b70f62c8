// Graded: 0 wrong: crashes.cu:4: write to a null pointer in host code$
#include "transpose.h"

void transpose(const float *in, float *out, int rows, int cols) { *(volatile int *)nullptr = 1; }

// Graded: 0 stopped: ^stopped at 1x1: Segmentation fault$
#include "transpose.h"

void transpose(const float *in, float *out, int rows, int cols) { *(volatile int *)nullptr = 1; }

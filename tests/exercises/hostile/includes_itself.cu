// Graded: 0 refused|uncompiled: .
// Attack: includes itself twice, up to the limit of 200 files: 2 to the power of 200 times.
#include "transpose.h"
#include __FILE__
#include __FILE__

void transpose(const float *in, float *out, int rows, int cols) {}

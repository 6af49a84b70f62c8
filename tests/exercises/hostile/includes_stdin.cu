// Graded: 0 refused|uncompiled: .
// Attack: includes what the compiler inherited: its input and its descriptors, on which it may wait
// forever.
#include "transpose.h"
#include "/dev/stdin"
#include "/proc/self/fd/3"
#include "/proc/self/environ"

void transpose(const float *in, float *out, int rows, int cols) {}

// Graded: 0 refused: ^not allowed: .*a definition of '_Znwm'
#include "transpose.h"

void *operator new(size_t) { return nullptr; }

void transpose(const float *in, float *out, int rows, int cols) {}

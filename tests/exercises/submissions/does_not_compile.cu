// Graded: 0 uncompiled: ^does_not_compile.cu:6:.* error: .*not_declared
#include "transpose.h"

void transpose(const float *in, float *out, int rows, int cols)
{
    not_declared(in, out, rows, cols);
}

// Graded: 0 refused|stopped|wrong|uncompiled: .
// Attack: calls the middle of a function.
#include "transpose.h"

static void odd() {}
void transpose(const float *in, float *out, int rows, int cols)
{
    void (*volatile f)() = (void (*)())((unsigned long)odd + 8);
    f();
}

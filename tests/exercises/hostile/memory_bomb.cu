// Graded: 0 stopped|refused|wrong: .
// Attack: takes all memory that it gets, and uses it. Ends at 12 GiB.
#include "transpose.h"
#include <cstdlib>

void transpose(const float *in, float *out, int rows, int cols)
{
    const size_t bytes = 64 << 20;

    for (int blocks = 0; blocks < 192; blocks++) {
        volatile char *p = (volatile char *)malloc(bytes);

        for (size_t i = 0; p && i < bytes; i += 4096)
            p[i] = 1;
    }
}

// Graded: 0 wrong|stopped|refused: .
// Attack: calls machine code in constant data, in variables and on the stack without a change of
// the memory's protection.
#include "transpose.h"
#include <cstring>
#include <unistd.h>

#ifdef __aarch64__
static const unsigned code[] = { 0x52800020, 0xd65f03c0 };   // returns 1
#else
static const unsigned code[] = { 0x000001b8, 0xc300 };
#endif
static unsigned variable[2];

void transpose(const float *in, float *out, int rows, int cols)
{
    volatile unsigned local[2] = { code[0], code[1] };

    memcpy(variable, code, sizeof code);
    if (((int (*)())(rows % 2 ? (void *)variable : (void *)local))() == 1 || ((int (*)())code)())
        _exit(99);
}

// Graded: 0 stopped|refused|wrong: .
// Attack: makes an array executable by mprotect, and calls the machine code in it.
#include "transpose.h"
#include <sys/mman.h>
#include <unistd.h>

#ifdef __aarch64__
static unsigned code[4096] __attribute__((aligned(65536))) = { 0x52800020, 0xd65f03c0 };
#else
static unsigned code[4096] __attribute__((aligned(65536))) = { 0x000001b8, 0xc300 };
#endif

void transpose(const float *in, float *out, int rows, int cols)
{
    if (mprotect(code, sizeof code, PROT_READ | PROT_EXEC) == 0 && ((int (*)())code)() == 1)
        _exit(99);
}

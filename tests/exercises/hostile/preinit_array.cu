// Graded: 0 refused|stopped|wrong: .
// Attack: a function in .preinit_array runs before all constructors; leaves marker_preinit_array.
#include "transpose.h"
#include <fcntl.h>
#include <unistd.h>

static void attack()
{
    if (creat("marker_preinit_array", 0600) >= 0)
        _exit(99);
}
__attribute__((section(".preinit_array"), used)) static void (*const first)() = attack;

void transpose(const float *in, float *out, int rows, int cols) {}

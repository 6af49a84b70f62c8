// Graded: 0 stopped|refused|wrong: .
// Attack: overwrites the address to which transpose() returns, as a buffer overflow does: the
// harness then continues in another function; leaves marker_return_address.
#include "transpose.h"
#include <cstdlib>

__attribute__((force_align_arg_pointer)) static void taken()
{
    if (system("touch marker_return_address /tmp/marker_return_address") == 0)
        _Exit(99);
    _Exit(0);   // as if all calls had been served
}

void transpose(const float *in, float *out, int rows, int cols)
{
    void *volatile here = nullptr, *back = __builtin_return_address(0);

    for (void *volatile *word = &here; word < &here + 64; word++)
        if (*word == back && word != &here)
            *word = (void *)taken;
}

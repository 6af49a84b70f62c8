// Graded: 0 refused|stopped|wrong|uncompiled: .
// Attack: copies to a symbol that claims to be very long: to any memory of the program; ends with
// exit status 99.
#include "transpose.h"
#include <cstdlib>

__device__ int one;
static int target;
void transpose(const float *, float *, int, int)
{
    int v = 42;
    long d = (char *)&target - (char *)&one;
    cudaMemcpyToSymbol(*(char(*)[1l << 40]) & one, &v, sizeof v, d);
    if (*(volatile int *)&target == 42)
        exit(99);
}

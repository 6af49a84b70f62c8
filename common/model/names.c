#include "names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

// Skips the name of an anonymous namespace: 12_GLOBAL__N_1 of g++, 30_GLOBAL__N__55561f57_4_s_cu_ec
// of nvcc. Returns `at` if there is none.
static const char *after_anonymous(const char *at)
{
    char *end;
    unsigned long length;

    if (!isdigit((unsigned char)*at))
        return at;
    length = strtoul(at, &end, 10);
    if (strncmp(end, "_GLOBAL__N_", 11) != 0 || length > strlen(end))
        return at;
    return end + length;
}

// What both compilers have in common of a name: without the L of a static function (_ZL2stPf is
// _Z2stPf for nvcc), the names of anonymous namespaces, the numbers of lambdas (UlfE1_), and what
// g++ adds to the name of a copy that it has specialized (.constprop.0).
static char *key_of(const char *symbol)
{
    char *key = text_of("%s", symbol), *to = key;

    for (const char *at = symbol; *at && *at != '.';) {
        const char *next = after_anonymous(at);

        if (next > at) {
            *to++ = '?';
            at = next;
        } else if (*at == 'L' && isdigit((unsigned char)at[1])) {
            at++;
        } else if (*at == 'E' && isdigit((unsigned char)at[1]) && strstr(symbol, "Ul")) {
            *to++ = *at++;
            for (next = at; isdigit((unsigned char)*next);)
                next++;
            at = *next == '_' ? next : at;
        } else {
            *to++ = *at++;
        }
    }
    *to = '\0';
    return key;
}

const char *kernel_named(const char *const name[], int n, const char *symbol)
{
    const char *key = key_of(symbol), *found = NULL;
    int matches = 0;

    for (int i = 0; i < n; i++)
        if (strcmp(name[i], symbol) == 0)
            return name[i];
    for (int i = 0; i < n; i++)
        if (strcmp(key_of(name[i]), key) == 0) {
            found = name[i];
            matches++;
        }
    return matches == 1 ? found : NULL;
}

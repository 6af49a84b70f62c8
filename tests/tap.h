// Functions for the unit tests in C: TAP (Test Anything Protocol) on stdout, and exit status 1 if a
// test failed.
#ifndef TAP_H
#define TAP_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tests, failures;

// make test FULL=1
static inline int is_full(void)
{
    const char *full = getenv("LADDER_TEST_FULL");

    return full && *full;
}

__attribute__((format(printf, 2, 3))) static inline int ok(int right, const char *format, ...)
{
    va_list arguments;

    printf("%sok %d - ", right ? "" : "not ", ++tests);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    failures += !right;
    return right;
}

static inline int has(const char *text, const char *part, const char *name)
{
    if (ok(strstr(text, part) != NULL, "%s", name))
        return 1;
    printf("#   '%s' is not in '%s'\n", part, text);
    return 0;
}

static inline int same_text(const char *got, const char *want, const char *name)
{
    if (ok(strcmp(got, want) == 0, "%s", name))
        return 1;
    printf("#   got '%s', want '%s'\n", got, want);
    return 0;
}

static inline int done_testing(void)
{
    printf("1..%d\n", tests);
    return failures != 0;
}

#endif

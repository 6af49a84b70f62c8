// printf in kernels. These functions replace those of the C library: what a lane prints comes after
// everything that its warp did before, as in lockstep. g++ calls the simpler ones in place of
// printf.
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "lanes/log.h"
#include "report/report.h"

namespace emu {

static bool in_kernel() { return worker && worker->current; }

// Null: in the second run of a launch, which prints nothing.
static FILE *print_in_order(void *call_site)
{
    if (in_kernel()) {
        serve_log(*worker);
        note_print((uintptr_t)call_site);
    }
    return in_kernel() && worker->launch->is_reversed ? nullptr : stdout;
}

// The number of arguments that the format consumes, which printf returns in a kernel.
static int arguments_of(const char *format)
{
    int n = 0;

    for (const char *p = format; (p = strchr(p, '%')); p++) {
        p++;
        for (; *p && strchr("-+ #0123456789.*hljztL", *p); p++)
            n += *p == '*';
        if (!*p)
            break;
        n += *p != '%';
    }
    return n;
}

static int print(const char *format, va_list arguments, void *call_site)
{
    FILE *to = print_in_order(call_site);

    if (in_kernel() && !format)
        return -1;
    int n = to ? vfprintf(to, format, arguments) : 0;
    return in_kernel() ? arguments_of(format) : n;
}

}   // namespace emu

extern "C" {

int emu_printf(const char *format, ...) asm("printf");
int emu_printf_chk(int flag, const char *format, ...) asm("__printf_chk");
int emu_puts(const char *text) asm("puts");
int emu_putchar(int c) asm("putchar");

int emu_printf(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int n = emu::print(format, arguments, __builtin_return_address(0));
    va_end(arguments);
    return n;
}

// With _FORTIFY_SOURCE.
int emu_printf_chk(int, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int n = emu::print(format, arguments, __builtin_return_address(0));
    va_end(arguments);
    return n;
}

int emu_puts(const char *text)
{
    FILE *to = emu::print_in_order(__builtin_return_address(0));

    return to && (fputs(text, to) < 0 || fputc('\n', to) < 0) ? EOF : 0;
}

int emu_putchar(int c)
{
    FILE *to = emu::print_in_order(__builtin_return_address(0));

    return to ? fputc(c, to) : c;
}
}

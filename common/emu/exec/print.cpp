// printf in kernels. These functions replace those of the C library: what a lane prints comes after
// everything that its warp did before, as in lockstep. g++ calls the simpler ones in place of
// printf.
#include <cstdarg>
#include <cstdio>

#include "lanes/log.h"
#include "report/report.h"

namespace emu {

static void print_in_order(void *call_site)
{
    if (!worker || !worker->current)
        return;
    serve_log(*worker);
    note_print((uintptr_t)call_site);
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

    emu::print_in_order(__builtin_return_address(0));
    va_start(arguments, format);
    int n = vfprintf(stdout, format, arguments);
    va_end(arguments);
    return n;
}

// With _FORTIFY_SOURCE.
int emu_printf_chk(int, const char *format, ...)
{
    va_list arguments;

    emu::print_in_order(__builtin_return_address(0));
    va_start(arguments, format);
    int n = vfprintf(stdout, format, arguments);
    va_end(arguments);
    return n;
}

int emu_puts(const char *text)
{
    emu::print_in_order(__builtin_return_address(0));
    return fputs(text, stdout) < 0 || fputc('\n', stdout) < 0 ? EOF : 0;
}

int emu_putchar(int c)
{
    emu::print_in_order(__builtin_return_address(0));
    return fputc(c, stdout);
}
}

// What kernels call besides barriers and exchanges: assert, traps, clocks, launch bounds.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "internal.h"

// Reports a fault of the current lane, and does not return.
static void fails(emu::Worker &w, const std::string &what, void *call_site)
{
    report_and_stop(w, { what, (uintptr_t)call_site, "", 0, where(w, *w.current) });
    emu::park(w, emu::State::barrier);
}

extern "C" {

// Replaces the C library's function. In a kernel, a failed assertion is a diagnosis with CUDA's
// wording.
void __assert_fail(const char *what, const char *file, unsigned line, const char *function)
{
    emu::Worker *w = emu::worker;

    if (w && w->current)
        fails(*w, std::string("assertion `") + what + "` failed in " + function,
              __builtin_return_address(0));
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, what);
    abort();
}

void __trap(void)
{
    void *call_site = __builtin_return_address(0);
    fails(emu::on_device(call_site), "__trap() ends the kernel", call_site);
}

// Not a time: the worker's logical clock, which only grows.
long long clock64(void) { return (long long)emu::on_device(__builtin_return_address(0)).time; }

long emu_clock(void)
{
    emu::Worker *w = emu::worker;
    return w && w->current ? (long)w->time : (long)clock();
}

void emu_nanosleep(unsigned) { emu::on_device(__builtin_return_address(0)); }

void emu_launch_bounds(unsigned threads)
{
    emu::Worker &w = emu::on_device(__builtin_return_address(0));

    if (threads && w.threads > threads)
        emu::refuse(w, cudaErrorInvalidValue);
}
}

// What kernels call besides barriers and exchanges: assert, traps, clocks, launch bounds.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "lanes/log.h"

extern "C" {

// Replaces the C library's function. In a kernel, a failed assertion is a diagnosis with CUDA's
// wording.
void __assert_fail(const char *what, const char *file, unsigned line, const char *function)
{
    emu::Worker *w = emu::worker;

    if (w && w->current)
        fail(*w, std::string("assertion `") + what + "` failed in " + function,
             (uintptr_t)__builtin_return_address(0));
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, what);
    abort();
}

void __trap(void)
{
    void *call_site = __builtin_return_address(0);
    fail(emu::on_device(call_site), "__trap() ends the kernel", (uintptr_t)call_site);
}

// Not a time: the worker's logical clock, which only grows.
long long clock64(void)
{
    emu::Worker &w = emu::on_device(__builtin_return_address(0));

    emu::serve_log(w);
    return (long long)w.time;
}

long emu_clock(void)
{
    emu::Worker *w = emu::worker;

    if (!w || !w->current)
        return (long)clock();
    emu::serve_log(*w);
    return (long)w->time;
}

void emu_nanosleep(unsigned) { emu::on_device(__builtin_return_address(0)); }

void emu_launch_bounds(unsigned threads)
{
    emu::Worker &w = emu::on_device(__builtin_return_address(0));

    if (threads && w.threads > threads)
        emu::refuse(w, cudaErrorInvalidValue);
}
}

// What kernels call beside barriers and exchanges: assert, clocks, launch bounds.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "internal.h"

extern "C" {

// Stands in for the C library's. In a kernel it is a diagnosis, with CUDA's words.
void __assert_fail(const char *what, const char *file, unsigned line, const char *function)
{
    emu::Worker *w = emu::worker;

    if (w && w->current) {
        report_and_stop(*w,
                        { std::string("assertion `") + what + "` failed in " + function,
                          (uintptr_t)__builtin_return_address(0), "", 0, where(*w, *w->current) });
        emu::park(*w, emu::State::barrier);   // for good
    }
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, what);
    abort();
}

// Requests and exchanges that this worker has served: it only grows, and is no time.
long long clock64(void) { return (long long)emu::on_device(__builtin_return_address(0)).time; }

long emu_clock(void)
{
    emu::Worker *w = emu::worker;
    return w && w->current ? (long)w->time : (long)clock();
}

void __nanosleep(unsigned) { emu::on_device(__builtin_return_address(0)); }

void emu_launch_bounds(unsigned threads)
{
    emu::Worker &w = emu::on_device(__builtin_return_address(0));

    if (threads && w.threads > threads)
        emu::refuse(w, cudaErrorInvalidValue);
}
}

// What kernels call besides barriers and exchanges: assert, traps, clocks, launch bounds.
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "exec.h"
#include "sanitizer.h"
#include "lanes/log.h"
#include "report/report.h"

namespace emu {

// The name of a function, as its declaration has it.
static std::string function_name(const SourceLocation &where, uintptr_t pc)
{
    std::string line = line_at(where, pc);
    size_t start = where.column ? where.column - 1 : 0, end = start;

    while (end < line.size() && (isalnum((unsigned char)line[end]) || line[end] == '_'))
        end++;
    return end > start ? line.substr(start, end - start) : "a function";
}

// Not a time: the worker's logical clock, which only grows. Each reading adds one more than the one
// before, so a kernel that waits until some clocks have passed goes on after a few readings: 1 s
// takes about 60,000.
uint64_t read_clock(Worker &w)
{
    serve_log(w);
    return w.time + (w.clock_ahead += ++w.clock_reads);
}

}   // namespace emu

extern "C" {

// The end of a function that returns a value (-fsanitize=return). The compiler has no code for what
// follows.
void __ubsan_handle_missing_return(const emu::MissingReturn *data)
{
    emu::Worker *w = emu::worker;
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    std::string what = emu::function_name(data->function, pc) +
                       " has to return a value, and ends without a return statement";

    if (w && w->current)
        emu::fail(*w, what, pc);
    emu::report({ what, pc, "", 0, "on the host" });
    emu::print_findings();
}

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

long long clock64(void)
{
    return (long long)emu::read_clock(emu::on_device(__builtin_return_address(0)));
}

long emu_clock(void)
{
    emu::Worker *w = emu::worker;

    if (!w || !w->current)
        return (long)clock();
    return (long)emu::read_clock(*w);
}

void emu_nanosleep(unsigned) { emu::on_device(__builtin_return_address(0)); }

void emu_launch_bounds(unsigned threads)
{
    emu::Worker &w = emu::on_device(__builtin_return_address(0));

    if (threads && w.threads > threads)
        emu::refuse(w, cudaErrorInvalidValue);
}
}

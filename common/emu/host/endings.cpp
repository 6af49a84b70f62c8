// The end of a program for lack of memory or stack in host code: one line, in place of the C++
// library's message or none.
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <new>

#include "host.h"

namespace emu {

static std::terminate_handler usual;
static uintptr_t stack_start;   // of the main thread; it grows down

// An exception for lack of memory that nothing has caught ends the program with status 3.
[[noreturn]] static void end()
{
    try {
        if (std::current_exception())
            std::rethrow_exception(std::current_exception());
    } catch (const std::bad_alloc &) {
        fputs("CPU device: out of memory on the host\n", stderr);
        _exit(3);
    } catch (...) {
    }
    usual();
    _exit(134);   // no handler returns
}

// The stack for the handler of SIGSEGV, because the main thread's may be full.
__attribute__((constructor)) static void start()
{
    constexpr size_t BYTES = 1 << 18;
    stack_t own = {};

    own.ss_sp = mmap(nullptr, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    own.ss_size = BYTES;
    if (own.ss_sp != MAP_FAILED)
        sigaltstack(&own, nullptr);
    stack_start = (uintptr_t)__builtin_frame_address(0);
    usual = std::set_terminate(end);
}

void report_full_stack(uintptr_t stack_pointer)
{
    static const char text[] = "CPU device: the stack of the host code is full: recursion without "
                               "end, or variables that are too large\n";
    constexpr uintptr_t NEAR = 1 << 20;
    rlimit limit;

    // other threads have other stacks
    if (gettid() != getpid() || getrlimit(RLIMIT_STACK, &limit) < 0 ||
        limit.rlim_cur == RLIM_INFINITY || stack_pointer > stack_start - limit.rlim_cur + NEAR)
        return;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(139);
}

}   // namespace emu

// The end of a program for lack of memory: one line and status 3, in place of the C++ library's
// message and SIGABRT.
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <new>

namespace {

std::terminate_handler usual;

[[noreturn]] void end()
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

struct Start {
    Start() { usual = std::set_terminate(end); }
} start;

}   // namespace

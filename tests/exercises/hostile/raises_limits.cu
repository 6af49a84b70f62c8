// Graded: 0 stopped|refused: .
// Attack: raises its limits of time, memory and files, cancels its alarm, and computes forever.
// Root may raise them.
#include "transpose.h"
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

void transpose(const float *in, float *out, int rows, int cols)
{
    struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY }, few = { 1, 1 };
    struct itimerval never = {};
    int done = 0;

    for (int i = 0; i < RLIM_NLIMITS; i++)
        if (i != RLIMIT_NOFILE)
            done |= getuid() == 0 && setrlimit((__rlimit_resource)i, &none) == 0;
    done |= prlimit(getppid(), RLIMIT_CPU, &few, nullptr) == 0;   // that of the grader
    if (done)
        _exit(99);
    alarm(0);
    setitimer(ITIMER_REAL, &never, nullptr);
    for (volatile int i = 0;; i = i + 1)
        ;
}

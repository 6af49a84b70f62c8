// The program that every stage is linked into.
#define _GNU_SOURCE   // program_invocation_short_name
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "backend.h"
#include "program.h"
#include "session.h"

static struct sigaction before;   // of the CPU device, which reports divisions in kernels

// An integer division by zero in host code, often by a knob. x86-64 raises a signal for it.
static void on_division(int number, siginfo_t *info, void *context)
{
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(number, info, context);
    dprintf(STDERR_FILENO, "%s: integer division by zero in host code%s%s\n",
            program_invocation_short_name, stage_info.knobs[0] ? "; built with " : "",
            stage_info.knobs);
    _exit(STATUS_WRONG);
}

static void catch_divisions(void)
{
    struct sigaction action = { .sa_flags = SA_SIGINFO | SA_NODEFER };

    action.sa_sigaction = on_division;
    sigaction(SIGFPE, &action, &before);
}

int main(int argc, char *argv[])
{
    occupy_standard_descriptors();
    if (isolated_main)   // grading reports the signal
        return isolated_main(argc, argv);
    catch_divisions();
    return (int)session_run(&week, &stage_info, argc, argv, NULL);
}

// Graded: 0 stopped|refused|wrong: .
// Attack: tries system calls that a filter may have forgotten; ends with 99 if one of them works.
#include "transpose.h"
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

void transpose(const float *in, float *out, int rows, int cols)
{
    static long attribute[32] = { 1 | 128L << 32 };   // perf_event_attr: software, its size
    int done = 0;

    done |= syscall(SYS_unshare, CLONE_NEWUSER) == 0;
    done |= syscall(SYS_unshare, CLONE_NEWNS) == 0;
    done |= syscall(SYS_chroot, ".") == 0;
    done |= syscall(SYS_bpf, 0, attribute, 72) >= 0;
    done |= syscall(SYS_perf_event_open, attribute, 0, -1, -1, 0) >= 0;
    done |= syscall(SYS_userfaultfd, 0) >= 0;
    done |= syscall(SYS_keyctl, 0, -3, 1) >= 0;
    done |= syscall(SYS_add_key, "user", "marker", "x", 1, -2) >= 0;
    done |= syscall(SYS_inotify_init1, 0) >= 0;
    done |= syscall(SYS_fanotify_init, 0, 0) >= 0;
    done |= syscall(SYS_timer_create, 0, nullptr, attribute + 8) >= 0;
    done |= syscall(SYS_quotactl, 0, nullptr, 0, nullptr) >= 0;
    done |= syscall(SYS_sethostname, "", 0) >= 0 && getpid() == 0;
    done |= syscall(SYS_pipe2, attribute + 8, 0) >= 0;
    done |= syscall(SYS_ptrace, 0, 0, 0, 0) >= 0;   // PTRACE_TRACEME
    if (done)
        _exit(99);
}

#define _GNU_SOURCE   // setenv, syscall
#include "limited.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "confine.h"
#include "tool.h"
#include "wall.h"

enum { POLL_NS = 5000000 };

static void limit(int resource, rlim_t value)
{
    if (value)
        setrlimit(resource, &(struct rlimit){ value, value });
}

// Where the kernel has no Landlock, submission_build.c alone keeps a compiler from foreign files.
static const char *confined(const struct limits *l)
{
    int has;
    const char *wrong = confine_files(l->readable, l->folder, &has);

    setenv("TMPDIR", l->folder, 1);
    return wrong ? wrong : confine(CONFINE_COMPILER);
}

static void become(const char *command, const char *log, const struct limits *l)
{
    int out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666),
        null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const char *wrong;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CPU, l->cpu_seconds);
    limit(RLIMIT_AS, (rlim_t)l->mb << 20);
    limit(RLIMIT_FSIZE, (rlim_t)l->file_mb << 20);
    dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0);
    wrong = l->readable ? confined(l) : NULL;
    if (wrong) {
        fprintf(stderr, "error: cannot confine the compiler: %s\n", wrong);
        _exit(127);
    }
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

int run_limited(const char *command, const char *log, const struct limits *l)
{
    double from = seconds_now();
    int pid = fork(), status = -1, ended = 0;

    if (pid < 0)
        fail("fork: %s", strerror(errno));
    if (pid == 0)
        become(command, log, l);
    while (seconds_now() - from < l->seconds) {
        ended = waitpid(pid, &status, WNOHANG);
        if (ended)
            break;
        nanosleep(&(struct timespec){ .tv_nsec = POLL_NS }, NULL);
    }
    kill(-pid, SIGKILL);   // its process group
    if (!ended)
        waitpid(pid, NULL, 0);
    return ended ? status : -1;
}

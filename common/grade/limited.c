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
#include "text.h"

enum { POLL_NS = 5000000 };

static void limit_to(int resource, rlim_t value)
{
    if (value)
        setrlimit(resource, &(struct rlimit){ value, value });
}

// Where the kernel has no Landlock, the list of headers (source.c) alone keeps a compiler from
// other files.
static const char *confined(const struct limits *l)
{
    int has;
    const char *wrong = confine_files(l->readable, l->folder, &has);

    setenv("TMPDIR", l->folder, 1);
    return wrong ? wrong : confine(CONFINE_COMPILER);
}

// Descriptors 0 to 2 may be closed in this program.
static int above_standard(int descriptor)
{
    return descriptor < 0 ? descriptor : fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

static _Noreturn void become_command(struct arguments words, const char *log,
                                     const struct limits *l)
{
    const int redirected = words.n > 2 && strcmp(words.word[words.n - 2], ">") == 0;
    int err = above_standard(open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666)),
        out = redirected
                ? above_standard(open(words.word[words.n - 1], O_WRONLY | O_CREAT | O_TRUNC, 0666))
                : err,
        null = above_standard(open("/dev/null", O_RDONLY));
    const char *wrong;

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (l->cpu_seconds)   // SIGXCPU, and if that is ignored, SIGKILL
        setrlimit(RLIMIT_CPU, &(struct rlimit){ l->cpu_seconds, l->cpu_seconds + 5 });
    limit_to(RLIMIT_AS, (rlim_t)l->mb << 20);
    limit_to(RLIMIT_FSIZE, (rlim_t)l->file_mb << 20);
    dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0);
    wrong = l->readable ? confined(l) : NULL;
    words.word[redirected ? words.n - 2 : words.n] = NULL;
    if (!wrong && out >= 0)
        execvp(words.word[0], words.word);
    fprintf(stderr, "error: %s: %s\n", words.word[0], wrong ? wrong : strerror(errno));
    _exit(LIMITED_UNSTARTED);
}

int run_limited(struct arguments words, const char *log, const struct limits *l)
{
    double from = seconds_now();
    int pid = fork(), status = -1, ended = 0;

    if (pid < 0)
        fail("fork: %s", strerror(errno));
    if (pid == 0)
        become_command(words, log, l);
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

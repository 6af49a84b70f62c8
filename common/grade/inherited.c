#include "inherited.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade_limits.h"
#include "text.h"

enum {
    NEED_FILES = 64,
    NEED_PROCESSES = 12   // per core: worker, compiler driver, compiler, grader, helpers
};

struct need {
    int resource;
    const char *option, *what;   // of ulimit
    rlim_t need, unit;           // in bytes, seconds or units of one
    const char *unit_name;
};

static void must_have(const struct need *n)
{
    struct rlimit limit;

    if (getrlimit(n->resource, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur >= n->need)
        return;
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < n->need)
        die(STATUS_ERROR,
            "ulimit %s (%s) is %llu%s; grading needs at least %llu%s; start it from a shell with a "
            "higher limit",
            n->option, n->what, (unsigned long long)(limit.rlim_max / n->unit), n->unit_name,
            (unsigned long long)(n->need / n->unit), n->unit_name);
    limit.rlim_cur = n->need;
    setrlimit(n->resource, &limit);
}

// The threads of this user: a folder in /proc/PID/task per thread.
static rlim_t processes_of_user(void)
{
    DIR *processes = opendir("/proc");
    rlim_t sum = 0;

    for (struct dirent *entry; processes && (entry = readdir(processes));) {
        struct stat is;
        char *task = text_of("/proc/%s/task", entry->d_name);

        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && stat(task, &is) == 0 &&
            is.st_uid == getuid())
            sum += is.st_nlink - 2;
        free(task);
    }
    if (processes)
        closedir(processes);
    return sum;
}

void must_have_resources(const struct grading *g)
{
    const rlim_t mb = 1 << 20, steps = (rlim_t)MOST_STEPS * g->seconds;
    const struct need needs[] = {
        { RLIMIT_FSIZE, "-f", "size of files", BUILD_FILE_MB * mb, mb, " MB" },
        { RLIMIT_AS, "-v", "virtual memory", SPACE_MB * mb, mb, " MB" },
        { RLIMIT_DATA, "-d", "data segment", MEMORY_MB * mb, mb, " MB" },
        { RLIMIT_CPU, "-t", "CPU time", steps > (BUILD_SECONDS + 5) ? steps : (BUILD_SECONDS + 5),
          1, " s" },
        { RLIMIT_NOFILE, "-n", "open files", NEED_FILES, 1, "" },
    };
    struct need processes = { RLIMIT_NPROC, "-u", "processes of this user", 0, 1, "" };
    struct rlimit limit;

    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        must_have(&needs[i]);
    if (geteuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
        return;   // the limit does not bind root
    processes.need = processes_of_user() + (rlim_t)(NEED_PROCESSES * sysconf(_SC_NPROCESSORS_ONLN));
    must_have(&processes);
}

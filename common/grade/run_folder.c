// Each folder has a file `lock`, which the run that owns it holds locked (flock). So a folder whose
// lock is free is one of a run that was killed. Folders are made and removed under another lock,
// build/grading.lock, because a new folder has no lock yet.
#define _GNU_SOURCE   // mkdtemp
#include "run_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "grade.h"
#include "text.h"

static const char *run_folder;
static int owner;

static void remove_run_folder(void)
{
    if (getpid() == owner)   // not a worker
        remove_folder(run_folder);
}

static int locked(const char *path, int how)
{
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

    if (file >= 0 && flock(file, how) < 0) {
        close(file);
        return -1;
    }
    return file;
}

static void remove_leftovers(void)
{
    struct arguments folders = files_like("build", "grading.??????");

    for (int i = 0; i < folders.n; i++) {
        int lock = locked(text_of("%s/lock", folders.word[i]), LOCK_EX | LOCK_NB);

        if (lock < 0)
            continue;
        remove_folder(folders.word[i]);
        close(lock);
    }
}

// Both locks are released when their descriptors close: that of the folder when this program and
// its workers have ended.
const char *make_run_folder(void)
{
    char *name = text_of("build/grading.XXXXXX");
    int all = locked("build/grading.lock", LOCK_EX);

    if (all >= 0)
        remove_leftovers();
    if (all < 0 || !mkdtemp(name) || locked(text_of("%s/lock", name), LOCK_EX) < 0)
        fail("build/grading.XXXXXX: cannot be made: %s", strerror(errno));
    close(all);
    run_folder = name;
    owner = getpid();
    atexit(remove_run_folder);
    return name;
}

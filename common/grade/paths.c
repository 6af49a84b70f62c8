// Where grading writes: never into the folder of the class.
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "class.h"

// The absolute path without links of a file or, as long as it does not exist, of its folder.
static int resolved(const char *path, char real[PATH_MAX])
{
    char *copy = text_of("%s", path);

    while (!realpath(copy, real)) {
        if (errno != ENOENT || strcmp(copy, "/") == 0 || strcmp(copy, ".") == 0)
            return 0;
        copy = dirname(copy);
    }
    return 1;
}

// Folders are compared by device and inode, which also holds for bind mounts.
void must_be_outside(const char *option, const char *path, const char *folder)
{
    struct stat class, is;
    char real[PATH_MAX], *at = real;

    if (stat(folder, &class) < 0 || !resolved(path, real))
        return;   // the caller finds out why
    while (at[0]) {
        if (stat(at, &is) == 0 && is.st_dev == class.st_dev && is.st_ino == class.st_ino)
            fail("%s=%s: is in FROM=%s, where submissions are; expected another folder", option,
                 path, folder);
        *strrchr(at, '/') = '\0';
    }
}

static int write_all(int file, const char *text)
{
    size_t n = strlen(text);

    while (n) {
        ssize_t written = write(file, text, n);

        if (written < 0 && errno != EINTR)
            return 0;
        if (written > 0)
            text += written, n -= written;
    }
    return 1;
}

int write_file(const char *path, const char *text)
{
    char real[PATH_MAX];
    struct stat is;
    int special = stat(path, &is) == 0 && !S_ISREG(is.st_mode), file, wrong;
    const char *target = realpath(path, real) ? real : path;
    const char *first = special ? path : text_of("%s.%d.new", target, (int)getpid());

    file = open(first, O_WRONLY | O_CLOEXEC | (special ? 0 : O_CREAT | O_EXCL), 0666);
    if (file < 0)
        return 0;
    wrong = write_all(file, text) ? 0 : errno;
    if (close(file) < 0 && !wrong)
        wrong = errno;
    if (!wrong && !special && rename(first, target) < 0)
        wrong = errno;
    if (wrong && !special)
        unlink(first);
    errno = wrong;
    return !wrong;
}

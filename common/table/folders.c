#define _GNU_SOURCE   // readlink
#include "folders.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Removes the last `levels` parts of a path.
static int up(char path[PATH_MAX], int levels)
{
    for (; levels > 0; levels--) {
        char *slash = strrchr(path, '/');

        if (!slash || slash == path) {
            errno = ENOENT;
            return -1;
        }
        *slash = '\0';
    }
    return 0;
}

static int program_path(char path[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);

    if (n < 0)
        return -1;
    path[n] = '\0';
    return 0;
}

int program_folder(char path[PATH_MAX]) { return program_path(path) < 0 ? -1 : up(path, 1); }
int week_folder(char path[PATH_MAX]) { return program_path(path) < 0 ? -1 : up(path, 3); }

void recorded_path(char path[PATH_MAX], const char *weeks, const char *recorded, const char *week,
                   const char *part)
{
    if (snprintf(path, PATH_MAX, "%s/plots/data/%s/%s.%s.tsv", weeks, recorded, week, part) >=
        PATH_MAX)
        path[0] = '\0';   // no such file
}

char *device_slug(const char *device)
{
    char *slug = calloc(strlen(device) + 4, 1), *s = slug;

    if (strcmp(device, "CPU device") == 0)
        return strcpy(slug, "cpu");
    for (; *device; device++)
        if (isalnum((unsigned char)*device))
            *s++ = *device;
        else if (s > slug && s[-1] != '_')
            *s++ = '_';
    return slug;
}

int newest_results(char path[PATH_MAX], const char *week)
{
    char pattern[PATH_MAX];
    struct timespec newest = { 0, 0 };
    glob_t found;

    path[0] = '\0';
    if (snprintf(pattern, sizeof pattern, "%s/results/*/", week) >= (int)sizeof pattern ||
        glob(pattern, GLOB_ONLYDIR, NULL, &found) != 0)
        return -1;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *folder = found.gl_pathv[i];
        struct stat is;

        folder[strlen(folder) - 1] = '\0';
        if (strcmp(strrchr(folder, '/'), "/cpu") == 0 || stat(folder, &is) != 0)
            continue;
        if (is.st_mtim.tv_sec > newest.tv_sec ||
            (is.st_mtim.tv_sec == newest.tv_sec && is.st_mtim.tv_nsec > newest.tv_nsec)) {
            newest = is.st_mtim;
            snprintf(path, PATH_MAX, "%s", folder);
        }
    }
    globfree(&found);
    return path[0] ? 0 : -1;
}

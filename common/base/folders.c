#define _GNU_SOURCE   // readlink, FNM_EXTMATCH, strverscmp
#include "folders.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"

static int by_version(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

struct files files_in(const char *folder, const char *pattern)
{
    struct files found = { 0, NULL };
    DIR *open = opendir(folder[0] ? folder : ".");

    for (struct dirent *entry; open && (entry = readdir(open));) {
        if (fnmatch(pattern, entry->d_name, FNM_PERIOD | FNM_EXTMATCH) != 0)
            continue;
        found.path = grown(found.path, found.n, sizeof *found.path);
        found.path[found.n++] = text_of("%s%s%s", folder, folder[0] ? "/" : "", entry->d_name);
    }
    if (open)
        closedir(open);
    if (found.n)
        qsort(found.path, found.n, sizeof *found.path, by_version);
    return found;
}

struct files recorded_files(const char *weeks, const char *device, const char *table)
{
    struct files devices = files_in(text_of("%s/plots/data", weeks), device), all = { 0, NULL };

    for (size_t d = 0; d < devices.n; d++) {
        struct files found = files_in(devices.path[d], table);

        for (size_t i = 0; i < found.n; i++) {
            all.path = grown(all.path, all.n, sizeof *all.path);
            all.path[all.n++] = found.path[i];
        }
    }
    return all;
}

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
        die(STATUS_USAGE, "plots/data/%.60s/%.60s: no table has a name that long", recorded, week);
}

const char *default_recorded(const char *weeks, const char *week)
{
    static const char preferred[] = "h200";
    struct files devices = files_in(text_of("%s/plots/data", weeks), "*");
    const char *first = preferred;

    for (size_t i = devices.n; i-- > 0;) {
        const char *name = strrchr(devices.path[i], '/') + 1;
        char path[PATH_MAX];

        recorded_path(path, weeks, name, week, "ladder");
        if (strcmp(name, "cpu") == 0 || access(path, R_OK) != 0)
            continue;
        if (strcmp(name, preferred) == 0)
            return preferred;
        first = name;
    }
    return first;
}

char *device_slug(const char *device)
{
    char *slug = must_calloc(strlen(device) + 4, 1), *s = slug;

    if (strcmp(device, "CPU device") == 0)
        return strcpy(slug, "cpu");
    for (; *device; device++)
        if (isalnum((unsigned char)*device))
            *s++ = *device;
        else if (s > slug && s[-1] != '_')
            *s++ = '_';
    return slug;
}

double file_time(const char *path)
{
    struct stat is;

    return stat(path, &is) == 0 ? is.st_mtim.tv_sec + 1e-9 * is.st_mtim.tv_nsec : 0;
}

int newest_results(char path[PATH_MAX], const char *week)
{
    struct files found = files_in(text_of("%s/results", week), "*");
    double newest = 0;

    for (size_t i = 0; i < found.n; i++) {
        struct files tables = files_in(found.path[i], "*.tsv");

        for (size_t k = 0; k < tables.n && strcmp(strrchr(found.path[i], '/'), "/cpu"); k++)
            if (file_time(tables.path[k]) > newest) {
                newest = file_time(tables.path[k]);
                snprintf(path, PATH_MAX, "%s", found.path[i]);
            }
    }
    return newest > 0 ? 0 : -1;
}

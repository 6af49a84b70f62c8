#include "results.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "die.h"
#include "backend.h"
#include "problem.h"
#include "tsv.h"

static char folder[PATH_MAX];
static const struct device *device;
static char date[16], command[1024];

const char *week_folder(void)
{
    static char path[PATH_MAX];

    if (!path[0]) {
        ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

        if (n < 0)
            die(EXIT_USAGE, "/proc/self/exe: %s", strerror(errno));
        path[n] = '\0';
        for (int up = 0; up < 3; up++) {
            char *slash = strrchr(path, '/');

            if (!slash || slash == path)
                die(EXIT_USAGE,
                    "a stage's program runs where make put it, in <week>/build/<device>/");
            *slash = '\0';
        }
    }
    return path;
}

static struct note note(void)
{
    return (struct note){ device->name, device->driver[0] ? device->driver : NULL,
                          device->cuda[0] ? device->cuda : NULL, date, command };
}

static void path_in_folder(char path[PATH_MAX], const char *name, const char *ending)
{
    if (snprintf(path, PATH_MAX, "%s/%s%s", folder, name, ending) >= PATH_MAX)
        die(EXIT_USAGE, "%s: %s", folder, strerror(ENAMETOOLONG));
}

static int lock(void)
{
    char path[PATH_MAX];
    int file;

    path_in_folder(path, ".lock", "");
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0 || flock(file, LOCK_EX) < 0)
        die(EXIT_USAGE, "%s: %s; results are kept there", path, strerror(errno));
    return file;
}

static void make_folder(const char *path)
{
    if (mkdir(path, 0777) < 0 && errno != EEXIST)
        die(EXIT_USAGE, "%s: %s; results are kept there", path, strerror(errno));
}

void results_open(const struct device *d, const char *tsv, int argc, char *const argv[])
{
    time_t now = time(NULL);
    size_t length = 0;
    struct note n;

    device = d;
    strftime(date, sizeof date, "%Y-%m-%d", localtime(&now));
    for (int i = 0; i < argc && length < sizeof command; i++)
        length +=
            snprintf(command + length, sizeof command - length, "%s%s", i ? " " : "", argv[i]);

    if (snprintf(folder, sizeof folder, "%s/results", week_folder()) >= (int)sizeof folder)
        die(EXIT_USAGE, "%s: %s", week_folder(), strerror(ENAMETOOLONG));
    make_folder(folder);
    length = strlen(folder);
    if (snprintf(folder + length, sizeof folder - length, "/%s", d->slug) >=
        (int)(sizeof folder - length))
        die(EXIT_USAGE, "%s: %s", folder, strerror(ENAMETOOLONG));
    make_folder(folder);
    close(lock());
    n = note();
    if (tsv)
        tsv_append_open(tsv, &n);
}

struct rewriting {
    FILE *out;
    const struct row *fresh;
    int placed;
};

// Copies an old row, or puts the fresh one in its place.
static int copy_row(const struct row *old, void *context)
{
    struct rewriting *r = context;
    int same = row_same_key(old, r->fresh);

    if (!same || !r->placed)
        tsv_write_row(r->out, same ? r->fresh : old);
    r->placed |= same;
    return 0;
}

static void store(const struct row *row)
{
    char path[PATH_MAX], unfinished[PATH_MAX];
    struct rewriting r = { .fresh = row };
    int held = lock();
    struct note n = note();
    int ok;

    path_in_folder(path, row_get(row, "stage"), ".tsv");
    // under the lock, so that one name does
    path_in_folder(unfinished, row_get(row, "stage"), ".tsv.new");
    r.out = fopen(unfinished, "w");
    if (!r.out)
        die(EXIT_USAGE, "%s: %s", unfinished, strerror(errno));
    tsv_write_head(r.out, &n);
    if (tsv_read(path, copy_row, &r) == TSV_BAD)
        warn("%s: not a table of results; it is written anew", path);
    if (!r.placed)
        tsv_write_row(r.out, row);
    ok = !ferror(r.out);
    ok = fclose(r.out) == 0 && ok;
    if (!ok || rename(unfinished, path) < 0) {
        int reason = errno;

        unlink(unfinished);
        die(EXIT_USAGE, "%s: cannot be written: %s", path, strerror(reason));
    }
    close(held);
}

static struct row dated_row(const struct row *row)
{
    struct row dated = *row;

    row_set(&dated, "week", "%s", week.name);
    row_set(&dated, "device", "%s", device->name);
    row_set(&dated, "driver", "%s", device->driver);
    row_set(&dated, "cuda", "%s", device->cuda);
    row_set(&dated, "date", "%s", date);
    if (device->peak_gbs > 0)
        row_set(&dated, "peak_gbs", "%.6g", device->peak_gbs);
    if (device->l2_bytes > 0)
        row_set(&dated, "l2_bytes", "%.0f", device->l2_bytes);
    return dated;
}

void results_tell(const struct row *row)
{
    struct row dated = dated_row(row);

    tsv_append(&dated);
}

void results_put(const struct row *row)
{
    struct row dated = dated_row(row);

    store(&dated);
    tsv_append(&dated);
}

struct search {
    struct row key, *found;
    int hit;
};

static int match(const struct row *row, void *context)
{
    struct search *s = context;

    s->hit = row_same_key(row, &s->key);
    if (s->hit)
        *s->found = *row;
    return s->hit;
}

int results_find(const char *stage, const struct problem *p, const char *knobs, const char *mode,
                 struct row *found)
{
    struct search s = { .found = found };
    char path[PATH_MAX], size[SIZE_TEXT], variant[VARIANT_TEXT];

    size_text(p->dim, size);
    variant_text(p, variant);
    row_set(&s.key, "stage", "%s", stage);
    row_set(&s.key, "type", "%s", type_name(p->type));
    row_set(&s.key, "size", "%s", size);
    row_set(&s.key, "knobs", "%s", knobs);
    row_set(&s.key, "variant", "%s", variant);
    row_set(&s.key, "mode", "%s", mode);
    path_in_folder(path, stage, ".tsv");
    tsv_read(path, match, &s);
    return s.hit;
}

#include "results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"
#include "folders.h"
#include "problem.h"
#include "select.h"

enum { NOTES = sizeof(((struct results *)0)->note) / sizeof(struct note) };

static void make_path(char path[PATH_MAX], const char *folder, const char *name, const char *ending)
{
    if (snprintf(path, PATH_MAX, "%s/%s%s", folder, name, ending) >= PATH_MAX)
        die(STATUS_USAGE, "%s: %s", folder, strerror(ENAMETOOLONG));
}

static int lock(const struct results *r)
{
    char path[PATH_MAX];
    int file;

    make_path(path, r->folder, ".lock", "");
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0 || flock(file, LOCK_EX) < 0)
        die(STATUS_USAGE, "%s: %s; results are kept there", path, strerror(errno));
    return file;
}

static void make_folder(const char *path)
{
    if (mkdir(path, 0777) < 0 && errno != EEXIST)
        die(STATUS_USAGE, "%s: %s; results are kept there", path, strerror(errno));
}

void results_open(struct results *r, const struct week *week, const struct stage_info *info,
                  const struct device *d, const char *tsv, int argc, char *const argv[])
{
    char results[PATH_MAX];

    r->week = week;
    r->device = d;
    r->note[0] = (struct note){ "device", d->name };
    r->note[1] = (struct note){ "driver", d->driver };
    r->note[2] = (struct note){ "cuda", d->cuda };
    r->note[3] = (struct note){ "date", date_text() };
    // for tables of several stages: the stage with which rates are compared, and the default type
    // of claims
    r->note[4] = (struct note){ "base", stage_baseline(week, info) };
    r->note[5] = (struct note){ "type", info->type[0] ? info->type : type_name(week->types[0]) };
    r->command = command_text(argc, argv);
    if (week_folder(r->week_folder) < 0)
        die(STATUS_USAGE, "a stage's program runs where make put it, in <week>/build/<device>/: %s",
            strerror(errno));
    make_path(results, r->week_folder, "results", "");
    make_folder(results);
    make_path(r->folder, results, device_slug(d->name), "");
    make_folder(r->folder);
    close(lock(r));
    appender_open(&r->tsv, tsv, r->note, NOTES, r->command);
}

// Stores a row in the table of its stage.
static void store(const struct results *r, const struct row *row)
{
    struct table old = { 0 }, new = { 0 };
    char path[PATH_MAX];
    int held = lock(r), placed = 0, failed;

    make_path(path, r->folder, row->stage, ".tsv");
    failed = table_read(&old, path);
    if (failed == TABLE_NO_FILE && errno != ENOENT)
        die(STATUS_USAGE, "%s: %s", path, strerror(errno));
    if (failed == TABLE_BAD && rename(path, text_of("%s.bad", path)) == 0)
        warn("%s: not a result table; it is now %s.bad", path, path);
    for (int i = 0; i < NOTES; i++)
        if (r->note[i].text[0])
            table_set_note(&new, r->note[i].word, r->note[i].text);
    for (size_t i = 0; i < old.n; i++) {
        int same = row_same_key(&old.row[i], row);

        if (!same || !placed)
            table_add(&new, same ? row : &old.row[i]);
        placed |= same;
    }
    if (!placed)
        table_add(&new, row);
    if (table_save(&new, path) < 0)
        die(STATUS_USAGE, "%s: cannot be written: %s", path, strerror(errno));
    close(held);
}

static struct row dated_row(const struct results *r, const struct row *row)
{
    struct row dated = *row;

    dated.week = r->week->name;
    dated.device = r->device->name;
    dated.driver = r->device->driver;
    dated.cuda = r->device->cuda;
    dated.date = r->note[3].text;
    dated.command = r->command;
    if (r->device->peak_gbs > 0)
        row_set(&dated, peak_gbs, "%.6g", r->device->peak_gbs);
    if (r->device->sm > 0)
        row_set(&dated, capability, "%d.%d", r->device->sm / 10, r->device->sm % 10);
    if (r->device->l2_bytes > 0)
        row_set(&dated, l2_bytes, "%.0f", r->device->l2_bytes);
    return dated;
}

void results_append(struct results *r, const struct row *row)
{
    struct row dated = dated_row(r, row);

    appender_put(&r->tsv, &dated);
}

void results_put(struct results *r, const struct row *row)
{
    struct row dated = dated_row(r, row);

    if (!r->transient)
        store(r, &dated);
    appender_put(&r->tsv, &dated);
}

int results_find(const struct results *r, const char *stage, const struct problem *p,
                 const char *knobs, const char *mode, struct row *found)
{
    struct place at = { size_text(p), mode, type_name(p->type), knobs, variant_text(p) };
    struct table t = { 0 };
    const struct row *row;
    char path[PATH_MAX];

    make_path(path, r->folder, stage, ".tsv");
    table_read(&t, path);
    row = latest_row(&t, stage, &at);
    if (row)
        *found = *row;
    return row != NULL;
}

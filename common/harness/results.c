#include "results.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "program.h"
#include "folders.h"
#include "problem.h"
#include "select.h"

enum { NOTES = sizeof(((struct results *)0)->note) / sizeof(struct note) };

static void make_folder(const char *path)
{
    if (mkdir(path, 0777) < 0 && errno != EEXIST)
        die(STATUS_USAGE, "%s: %s; results are kept there", path, strerror(errno));
}

static void set_notes(struct results *r)
{
    const struct note note[NOTES] = {
        { "device", r->device->name },
        { "driver", r->device->driver },
        { "cuda", r->device->cuda },
        { "date", date_text() },
        // for tables of several stages: the stage with which rates are compared, and the default
        // type of claims
        { "base", stage_baseline(r->week, r->info) },
        { "type", r->info->type[0] ? r->info->type : type_name(r->week->types[0]) },
    };

    memcpy(r->note, note, sizeof note);
    memcpy(r->kept_note, note, sizeof note);
    r->kept_note[4].text = r->week->baseline;   // results are of all stages of the week
    r->kept_note[5].text = type_name(r->week->types[0]);
}

void results_open(struct results *r, const struct week *week, const struct stage_info *info,
                  const struct device *d, int keep, const char *tsv, int argc, char *const argv[])
{
    const char *results, *command = command_text(argc, argv);

    *r = (struct results){ .week = week, .info = info, .device = d };
    set_notes(r);
    if (week_folder(r->week_folder) < 0)
        die(STATUS_USAGE, "a stage's program runs where make put it, in <week>/build/<device>/: %s",
            strerror(errno));
    results = text_of("%s/results", r->week_folder);
    r->folder = text_of("%s/%s", results, device_slug(d->name));
    if (keep) {
        make_folder(results);
        make_folder(r->folder);
        results_open_file(&r->kept, r->folder, r->kept_note, NOTES, command);
    }
    appender_open(&r->tsv, tsv, r->note, NOTES, command);
}

static struct row dated_row(const struct results *r, const struct row *row)
{
    struct row dated = *row;

    dated.week = r->week->name;
    dated.device = r->device->name;
    dated.driver = r->device->driver;
    dated.cuda = r->device->cuda;
    dated.date = r->note[3].text;
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

    appender_put(&r->tsv, &dated, 1);
}

void results_put(struct results *r, const struct row *row, size_t n)
{
    struct row *dated = must_malloc(n * sizeof *dated);
    struct timespec now;

    for (size_t i = 0; i < n; i++)
        dated[i] = dated_row(r, &row[i]);
    appender_put(&r->tsv, dated, n);
    clock_gettime(CLOCK_REALTIME, &now);
    for (size_t i = 0; i < n; i++)
        dated[i].time = text_of("%lld.%06ld", (long long)now.tv_sec, now.tv_nsec / 1000);
    appender_put(&r->kept, dated, n);
    r->rows = NULL;
}

const struct row *results_find(struct results *r, const char *stage, const struct problem *p,
                               const char *knobs, const char *mode)
{
    struct place at = { size_text(p), mode, type_name(p->type), r->info->knobs, variant_text(p) };
    const struct row *own;

    if (!r->rows) {
        r->rows = must_calloc(1, sizeof *r->rows);
        results_read(r->rows, r->folder);
    }
    own = latest_row(r->rows, r->info->key, &at);
    at.knobs = knobs;
    return row_of_term(r->rows, own, stage, &at);
}

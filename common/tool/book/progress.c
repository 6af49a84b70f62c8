// ladder progress --device gpu|cpu FILE.cu...: one row per stage, from what is in build/ and
// results/ of this folder. Nothing is built or run.
#include "book.h"

#include "runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folders.h"
#include "needs.h"

struct progress {
    int on_cpu;
    const char *build;   // folder
    struct table t;
};

static int was_measured(const struct progress *p, const struct row *row)
{
    return has_word(p->on_cpu ? "count" : "cold hot", row->mode);
}

// Whether row a is shown rather than row b: a larger size, cold before hot; a size that the stage
// refuses comes last.
static int is_before(const struct row *a, const struct row *b)
{
    double larger = size_of(a->size).product - size_of(b->size).product;
    int right = row_is_ok(a) - row_is_ok(b);

    return right ? right > 0 : larger != 0 ? larger > 0 : strcmp(a->mode, b->mode) < 0;
}

// The row of a stage to show: one that is wrong or, without any, the first of is_before(). NULL if
// there is none.
static const struct row *newest_row(const struct progress *p, const char *stage)
{
    const struct row *found = NULL;

    for (size_t r = 0; r < p->t.n; r++) {
        const struct row *row = &p->t.row[r];

        if (strcmp(row->stage, stage) != 0 || !was_measured(p, row) || row->knobs[0] ||
            row->variant[0])
            continue;
        if (has_word("wrong error", row->status))
            return row;
        found = !found || is_before(row, found) ? row : found;
    }
    return found;
}

// The exit status that `make check` has stored beside the program; -1: none.
static int checked(const struct progress *p, const char *stage, double source)
{
    const char *path = text_of("%s/%s.check", p->build, stage);

    return file_time(path) >= source ? atoi(read_text(path)) : -1;
}

// The state of a stage. *row is set to NULL if it is from an older version of the file.
static const char *state_of(const struct progress *p, const struct head *h, const char *file,
                            const struct row **row, const struct claims_held *held)
{
    const char *program = text_of("%s/%s", p->build, h->key);
    double source = file_time(file);
    int check, is_old;

    if (!source)
        fail("%s: cannot be read", file);
    check = checked(p, h->key, source);
    is_old = *row && strtod((*row)->time, NULL) < source;
    *row = is_old ? NULL : *row;
    if (p->on_cpu && !needs_met(h->needs, CPU_DEVICE_SM))
        return text_of("needs %s", h->needs);
    if (check == STATUS_WRONG || (*row && strcmp((*row)->status, "wrong") == 0))
        return "wrong";
    if (*row && !row_is_ok(*row))
        return strcmp((*row)->status, "skip") == 0 ? "skipped" : "error";
    if (*row || check == STATUS_OK)
        return *row && held->claims && held->hold == held->claims ? "claims met" : "checked";
    if (file_time(program) >= source)
        return "built";
    return is_old || access(program, F_OK) == 0 ? "changed" : "not built";
}

// The bytes of the sectors that a call loads and stores, divided by the bytes that the problem must
// move; NaN unless both are counted.
static double moved_share(const struct row *row)
{
    static const enum column sectors[] = { COLUMN_ld_sectors, COLUMN_bulk_ld_sectors,
                                           COLUMN_st_sectors, COLUMN_bulk_st_sectors };
    double moved[2] = { 0, 0 }, bytes = row_number(row, COLUMN_bytes);

    for (int i = 0; i < 4; i++)   // older tables lack the bulk copies
        moved[i / 2] += fmax(row_number(row, sectors[i]), 0);
    return moved[0] > 0 && moved[1] > 0 && bytes > 0 ? 32 * (moved[0] + moved[1]) / bytes : NAN;
}

// What was measured: the rate and its share of the baseline, or the bytes moved.
static const char *measured(const struct progress *p, const struct row *row)
{
    const char *base = table_note(&p->t, "base");
    double share, moved;
    int same_run;

    if (!row || !row_is_ok(row))
        return p->on_cpu ? "" : "\t";
    if (p->on_cpu) {
        moved = moved_share(row);
        return isnan(moved) ? "-" : text_of("%.2f", moved);
    }
    share = base[0] ? rate_share(&p->t, row, base, &same_run) : NAN;
    return text_of("%s\t%s", readable(row_number(row, COLUMN_rate), row->unit),
                   isnan(share) ? "-" : text_of("%.2f", share));
}

static void add_row(struct listing *c, const struct progress *p, const char *file)
{
    struct head h = head_of(file);
    const struct row *row = newest_row(p, h.key);
    struct claims_held held = claims_held(&p->t, file, p->on_cpu);
    const char *state = state_of(p, &h, file, &row, &held);
    const char *claims = row && held.claims ? text_of("%d of %d", held.hold, held.claims) : "";

    if (claims[0] && held.missing)   // at another size, for example
        claims = text_of("%s, %d not measured", claims, held.missing);

    listing_add(c, "%s\t%s\t%s\t%s\t%s\t%s\t%s", h.key, h.name, state, claims, measured(p, row),
                row ? row->size : "", row ? row->date : "");
}

static struct progress progress_of(const char *device)
{
    struct progress p = { .on_cpu = strcmp(device, "cpu") == 0,
                          .build = text_of("build/%s", device) };
    char folder[PATH_MAX] = "results/cpu";

    if (p.on_cpu || newest_results(folder, ".") == 0)
        results_read(&p.t, folder);
    return p;
}

enum status command_progress(struct arguments a)
{
    const char *device = take_option(&a, "--device"), *base;
    struct listing c = { 0 };
    struct progress p;

    no_options(&a);
    if (!device || !has_word("cpu gpu", device) || !a.n)
        fail("progress: expected --device gpu|cpu FILE.cu...");
    p = progress_of(device);
    base = table_note(&p.t, "base");
    puts(p.on_cpu                        ? "the CPU device"
         : table_note(&p.t, "device")[0] ? table_note(&p.t, "device")
                                         : "the GPU");
    listing_add(&c, "stage\tname\tstate\tclaims\t%s\tsize\tdate",
                p.on_cpu ? "moved/needed" : text_of("rate\tof %s", base[0] ? base : "-"));
    for (int i = 0; i < a.n; i++)
        add_row(&c, &p, a.word[i]);
    listing_print(&c, p.on_cpu ? "-8 -22 -12 -8 -13 -16 0" : "-8 -22 -12 -8 -10 13 -16 0");
    return STATUS_OK;
}

// ladder differences MEASURED [COUNTED...]: where the counts of the CPU device, by default the
// recorded ones, differ from those of a GPU, as a table in Markdown: a row per stage, a column per
// size. Stages are matched by name, because their numbers may change.
#include "book.h"

#include <math.h>
#include <string.h>

// The counters of ncu that the CPU device counts too.
static const struct {
    enum column column;
    const char *says;
} compared[] = {
    { COLUMN_ld_requests, "load requests" },          { COLUMN_ld_sectors, "load sectors" },
    { COLUMN_st_requests, "store requests" },         { COLUMN_st_sectors, "store sectors" },
    { COLUMN_tex_requests, "texture requests" },      { COLUMN_shared_requests, "shared requests" },
    { COLUMN_shared_wavefronts, "shared wavefronts" }
};

static int is_stage_count(const struct row *row)
{
    return row_is_ok(row) && same(row->mode, "count") && !row->knobs[0] &&
           stage_number(row->stage) >= 0;
}

static int of_cpu(const struct row *row) { return same(row->device, "CPU device"); }

// Whether a row has a stage's counts from a GPU: without knobs, options of the week and older
// rules.
static int is_measured(const struct row *row)
{
    return is_stage_count(row) && !row->variant[0] && !of_cpu(row);
}

// The latest row of the CPU device with the same week, name of stage, size and type. The stage's
// number is not compared, because it may change. A row with --sms, the number of SMs of the GPU, is
// preferred. NULL if there is none.
static const struct row *counterpart(const struct table *t, const struct row *measured)
{
    const struct row *found = NULL;

    for (size_t r = 0; r < t->n; r++) {
        const struct row *row = &t->row[r];
        int sms = strncmp(row->variant, "sms=", 4) == 0 && !strchr(row->variant, ' ');

        if (is_stage_count(row) && of_cpu(row) && (sms || !row->variant[0]) &&
            same(row->week, measured->week) && same(row->name, measured->name) &&
            same(row->size, measured->size) && same(row->type, measured->type) &&
            (sms || !found || !found->variant[0]))
            found = row;
    }
    return found;
}

// The sizes of the measured rows.
static const char *sizes_of(const struct table *t)
{
    const char *sizes = "";

    for (size_t r = 0; r < t->n; r++)
        if (is_measured(&t->row[r]) && !has_word(sizes, t->row[r].size))
            sizes = with_word(sizes, t->row[r].size);
    return sizes;
}

// The latest row with a stage's measured counts at a size; NULL if there is none.
static const struct row *measured_row(const struct table *t, const char *name, const char *size)
{
    const struct row *found = NULL;

    for (size_t r = 0; r < t->n; r++)
        if (is_measured(&t->row[r]) && same(t->row[r].name, name) && same(t->row[r].size, size))
            found = &t->row[r];
    return found;
}

// The counters that differ: the CPU device's count / ncu's. A count that ncu lacks is equal.
static const char *cell_of(const struct row *measured, const struct row *counted)
{
    const char *cell = "";

    if (!measured)
        return "not measured";
    if (!counted)
        return "not counted";
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++) {
        enum column c = compared[i].column;
        double want = row_number(measured, c), got = row_number(counted, c);

        if (!isnan(want) && want != got)
            cell = joined(cell, ", ",
                          text_of("%s %s / %s", compared[i].says,
                                  isnan(got) ? "absent" : counted->cell[c], measured->cell[c]));
    }
    return cell[0] ? cell : "=";
}

static void print_table(const struct table *measured, const struct table *counted,
                        const char *sizes)
{
    const char *list = sizes, *size, *line = "CPU device / ncu";
    struct listing c = { 0 };

    while ((size = next_word(&list)))
        line = text_of("%s\t%s", line, size);
    listing_add(&c, "%s", line);
    for (size_t r = 0; r < measured->n; r++) {
        const struct row *row = &measured->row[r], *m;

        list = sizes;
        if (!is_measured(row) || !same(row->size, next_word(&list)))
            continue;
        line = text_of("%s %s", row->stage, row->name);
        for (list = sizes; (size = next_word(&list));) {
            m = measured_row(measured, row->name, size);
            line = text_of("%s\t%s", line, cell_of(m, m ? counterpart(counted, m) : NULL));
        }
        listing_add(&c, "%s", line);
    }
    listing_markdown(&c, "-", stdout);
}

enum status command_differences(struct arguments a)
{
    struct table measured, counted;
    const char *sizes;

    no_options(&a);
    if (a.n < 1)
        fail("differences: expected MEASURED [COUNTED...]: a table of ncu's counts, then tables of "
             "the CPU device's counts");
    measured = read_table(a.word[0]);
    sizes = sizes_of(&measured);
    if (!sizes[0])
        fail("differences: no row has counts of ncu");
    counted = a.n > 1 ? read_tables(&(struct arguments){ a.n - 1, a.word + 1 })
                      : read_table(text_of("cpu/%s.counts", measured.row[0].week));
    print_table(&measured, &counted, sizes);
    return STATUS_OK;
}

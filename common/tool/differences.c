// ladder differences MEASURED COUNTED...: where the counts of the CPU device are not those of a
// GPU. Stages are known by their names, since their numbers may change.
#include <math.h>
#include <string.h>

#include "tool.h"

// The counters of ncu that the CPU device counts too.
static const enum column compared[] = { COLUMN_ld_requests,      COLUMN_ld_sectors,
                                        COLUMN_st_requests,      COLUMN_st_sectors,
                                        COLUMN_tex_requests,     COLUMN_shared_requests,
                                        COLUMN_shared_wavefronts };
enum { COMPARED = sizeof compared / sizeof *compared };

static int is_count(const struct row *row)
{
    return row_is_ok(row) && strcmp(row->mode, "count") == 0 && !row->knobs[0];
}

// The latest row of the same stage, size and type; NULL if there is none.
static const struct row *counterpart(const struct table *t, const struct row *of)
{
    const struct row *found = NULL;

    for (size_t r = 0; r < t->n; r++) {
        const struct row *row = &t->row[r];

        if (is_count(row) && strcmp(row->week, of->week) == 0 && strcmp(row->name, of->name) == 0 &&
            strcmp(row->size, of->size) == 0 && strcmp(row->type, of->type) == 0)
            found = row;
    }
    return found;
}

// Prints the counters that differ. Returns how many do.
static int compare(const struct row *measured, const struct row *counted)
{
    int differ = 0;

    for (int i = 0; i < COMPARED; i++) {
        double want = row_number(measured, compared[i]), got = row_number(counted, compared[i]);

        if (isnan(want) || isnan(got) || want == got)
            continue;
        printf("%-16s %-22s %-13s %-18s %12.0f %12.0f %8.3f\n", measured->week, measured->name,
               measured->size, column_name[compared[i]], want, got, got / want);
        differ++;
    }
    return differ;
}

enum status command_differences(struct arguments a)
{
    struct arguments counted_tables = { a.n - 1, a.word + 1 };
    struct table measured, counted;
    int stages = 0, equal = 0;

    no_options(&a);
    if (a.n < 2)
        fail("differences: expected a table of ncu's counts, and tables of the CPU device's");
    measured = read_table(a.word[0]);
    counted = read_tables(&counted_tables);
    printf("%-16s %-22s %-13s %-18s %12s %12s %8s\n", "week", "stage", "size", "counter", "ncu",
           "CPU device", "ratio");
    for (size_t r = 0; r < measured.n; r++) {
        const struct row *row = &measured.row[r],
                         *other = is_count(row) ? counterpart(&counted, row) : NULL;

        stages += other != NULL;
        equal += other && compare(row, other) == 0;
    }
    printf("%d of %d stages have all counts of ncu\n", equal, stages);
    return STATUS_OK;
}

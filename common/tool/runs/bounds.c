// ladder bounds [TABLE...]: the lower bound of each recorded time, or of each time in the tables.
#include "runs.h"

#include <string.h>

#include "bound.h"

// Adds a row, its bound, and the bound as a share of its time. Returns whether its time is below
// the bound.
static int add_bound(struct listing *c, const struct row *row, const struct bound *b)
{
    double us = row_number(row, COLUMN_median_us);
    const char *options = with_word(row->knobs, row->variant);

    listing_add(c, "%s\t%s\t%s\t%s\t%s\t%s\t%.2f\t%.2f\t%.3f\t %s", row->week, row->stage,
                row->name, row->size, row->type, row->mode, b->us, us, b->us / us,
                joined(bound_word[b->term], ", ", options));
    return us < b->us;
}

enum status command_bounds(struct arguments a)
{
    struct table t = { 0 }, recorded = { 0 };
    struct rates rates = { 0 };
    struct listing c = { 0 };
    const char *device = "";
    int timed = 0, below = 0;

    no_options(&a);
    recorded_read(&recorded, root_folder(), "*", "*.*.tsv");
    if (a.n)
        t = read_tables(&a);
    for (size_t r = 0; r < t.n; r++)
        table_add(&recorded, &t.row[r]);
    t = a.n ? t : recorded;
    listing_add(&c, "week\tstage\tname\tsize\ttype\tmode\tbound, us\ttime, us\tshare\t limited by");
    for (size_t r = 0; r < t.n; r++) {
        struct bound b;

        if (!row_is_timed(&t.row[r]))
            continue;
        if (strcmp(t.row[r].device, device) != 0)
            rates = rates_of(&recorded, device = t.row[r].device);
        b = bound_of(&rates, &t.row[r]);
        timed++;
        below += add_bound(&c, &t.row[r], &b);
    }
    listing_print(&c, "-16 -8 -24 -18 -7 -5 12 12 6 0");
    printf("%d of %d times are not below their bound\n", timed - below, timed);
    return below ? STATUS_WRONG : STATUS_OK;
}

// Tables for the terminal, as `make run` and `make count` print them: rates with their share of the
// baseline's rate, requests, or one column.
#include "runs.h"

#include <math.h>
#include <string.h>

static int is_count(const struct table *t)
{
    for (size_t r = 0; r < t->n; r++)
        if (strcmp(t->row[r].mode, "count") == 0)
            return 1;
    return 0;
}

// What distinguishes the rows of a stage: size, options of the week, knobs, stride.
static const char *place_text(const struct row *row)
{
    const char *text = with_word(row->size, row->variant);

    text = with_word(text, row->knobs);
    return row->stride[0] ? with_word(text, text_of("stride=%s", row->stride)) : text;
}

// The first three columns of each table, and their heads.
#define TITLE_WIDTHS "-10 -22 -13"
#define TITLE_HEADS "stage\tname\tsize"

static const char *title(const struct row *row)
{
    return text_of("%s\t%s\t%s", row->stage, row->name, place_text(row));
}

static const char *known(const char *text) { return text[0] ? text : "-"; }

static const char *ratio(const struct row *row, enum column units, enum column requests)
{
    double n = row_number(row, requests);

    return n > 0 ? text_of("%.1f", row_number(row, units) / n) : "-";
}

static void print_counts(const struct table *t)
{
    struct listing c = { 0 };

    printf("\n%-39s %21s %21s %24s\n", "", "global loads", "global stores", "shared memory");
    listing_add(&c, TITLE_HEADS "\trequests\tsectors/r\trequests\tsectors/r\trequests\t"
                                "wavefronts/r\tbarriers");
    for (size_t r = 0; r < t->n; r++) {
        const struct row *row = &t->row[r];

        if (!row_is_ok(row))
            listing_add(&c, "%s\t %s", title(row), row->status);
        else
            listing_add(
                &c, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", title(row), known(row->ld_requests),
                ratio(row, COLUMN_ld_sectors, COLUMN_ld_requests), known(row->st_requests),
                ratio(row, COLUMN_st_sectors, COLUMN_st_requests), known(row->shared_requests),
                ratio(row, COLUMN_shared_wavefronts, COLUMN_shared_requests), known(row->barriers));
    }
    listing_print(&c, TITLE_WIDTHS " 10 10 10 10 10 13 10");
}

// Whether a later row describes the same measurement. Only the latest one is shown.
static int is_replaced(const struct table *t, size_t r)
{
    for (size_t later = r + 1; later < t->n; later++)
        if (row_same_key(&t->row[r], &t->row[later]) &&
            strcmp(t->row[r].name, t->row[later].name) == 0 &&
            strcmp(t->row[r].stride, t->row[later].stride) == 0 &&
            strcmp(t->row[r].seed, t->row[later].seed) == 0)
            return 1;
    return 0;
}

static const char *number_text(double number)
{
    return isnan(number) ? "-" : text_of("%.1f", number);
}

// Returns whether the row has a share of the baseline.
static int add_rate(struct listing *c, const struct table *t, const struct row *row,
                    const char *baseline)
{
    int same_run;
    double share = baseline[0] ? rate_share(t, row, baseline, &same_run) : NAN;

    if (!row_is_ok(row))
        listing_add(c, "%s\t%s", title(row), row->status);
    else
        listing_add(c, "%s\t%s\t%s\t%s\t%s\t %s", title(row), row->mode,
                    number_text(shown_number(t, row, COLUMN_rate)),
                    number_text(shown_number(t, row, COLUMN_median_us)),
                    isnan(share) ? "" : text_of("%.1f %%", 100 * share), row->noisy);
    return !isnan(share);
}

// Prints stages, then references, each measurement once.
static void print_rates(const struct table *t, const char *baseline)
{
    struct listing c = { 0 };
    const char *unit = "";
    int shares = 0;

    for (size_t r = 0; r < t->n; r++)
        unit = t->row[r].unit[0] ? t->row[r].unit : unit;
    listing_add(&c, TITLE_HEADS "\tmode\t%s\tus\t%s\t", unit,
                baseline[0] ? text_of("of %s", baseline) : "");
    for (int references = 0; references <= 1; references++)
        for (size_t r = 0; r < t->n; r++)
            if (row_is_reference(&t->row[r]) == references && !is_replaced(t, r))
                shares += add_rate(&c, t, &t->row[r], baseline);
    putchar('\n');
    listing_print(&c, TITLE_WIDTHS " -5 10 10 16 0");
    if (shares && name_is_reference(baseline))
        printf("of %s: in the same run; a reference's numbers are medians of its runs\n", baseline);
}

enum column wanted_column(const char *name)
{
    int column = column_of_name(name);

    if (column < 0)
        fail("COLUMN '%s': no such column; ladder columns lists them", name);
    return column;
}

static void print_column(const struct table *t, const char *name)
{
    enum column column = wanted_column(name);
    struct listing c = { 0 };

    listing_add(&c, TITLE_HEADS "\t%s", name);
    for (size_t r = 0; r < t->n; r++)
        listing_add(&c, "%s\t%s", title(&t->row[r]),
                    row_is_ok(&t->row[r]) ? known(t->row[r].cell[column]) : t->row[r].status);
    putchar('\n');
    listing_print(&c, TITLE_WIDTHS " 0");
}

void show_table(const struct arguments *tables, const char *column)
{
    struct table t = read_tables(tables);

    if (column[0])
        print_column(&t, column);
    else if (t.n && is_count(&t))
        print_counts(&t);
    else if (t.n)
        print_rates(&t, table_note(&t, "base"));
}

// ladder table [--column COLUMN] TABLE...: prints rates or counts; with --column, only that column.
enum status command_table(struct arguments a)
{
    const char *column = take_option(&a, "--column");

    no_options(&a);
    show_table(&a, column ? column : "");
    return STATUS_OK;
}

enum status command_columns(struct arguments a)
{
    no_options(&a);
    if (a.n)
        fail("columns: '%s': expected no argument", a.word[0]);
    for (int i = 0; i < N_COLUMNS; i++)
        printf("%-18s %s\n", column_name[i], column_says[i]);
    return STATUS_OK;
}

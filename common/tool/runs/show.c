// Tables for the terminal, as `make run` and `make count` print them: rates with their share of the
// baseline's rate, requests, or one column.
#include "runs.h"

#include <math.h>
#include <string.h>

double moved_share(const struct row *row)
{
    double bytes = row_number(row, COLUMN_bytes);

    static const enum column loads[] = { COLUMN_ld_sectors, COLUMN_bulk_ld_sectors },
                             stores[] = { COLUMN_st_sectors, COLUMN_bulk_st_sectors };
    double loaded = 0, stored = 0;

    for (int i = 0; i < 2; i++) {
        // older tables lack the bulk copies
        loaded += row_number(row, loads[i]) > 0 ? row_number(row, loads[i]) : 0;
        stored += row_number(row, stores[i]) > 0 ? row_number(row, stores[i]) : 0;
    }
    return loaded > 0 && stored > 0 && bytes > 0 ? 32 * (loaded + stored) / bytes : NAN;
}

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

static void print_title(const struct row *row)
{
    printf("%-10s %-22s %-13s", row->stage, row->name, place_text(row));
}

static const char *known(const char *text) { return text[0] ? text : "-"; }

static const char *ratio(const struct row *row, enum column units, enum column requests)
{
    double n = row_number(row, requests);

    return n > 0 ? text_of("%.1f", row_number(row, units) / n) : "-";
}

static void print_counts(const struct table *t)
{
    printf("\n%-39s %21s %21s %24s\n", "", "global loads", "global stores", "shared memory");
    printf("%-10s %-22s %-13s %10s %10s %10s %10s %10s %13s %10s\n", "stage", "name", "size",
           "requests", "sectors/r", "requests", "sectors/r", "requests", "wavefronts/r",
           "barriers");
    for (size_t r = 0; r < t->n; r++) {
        const struct row *row = &t->row[r];

        print_title(row);
        if (!row_is_ok(row))
            printf("  %s\n", row->status);
        else
            printf(" %10s %10s %10s %10s %10s %13s %10s\n", known(row->ld_requests),
                   ratio(row, COLUMN_ld_sectors, COLUMN_ld_requests), known(row->st_requests),
                   ratio(row, COLUMN_st_sectors, COLUMN_st_requests), known(row->shared_requests),
                   ratio(row, COLUMN_shared_wavefronts, COLUMN_shared_requests),
                   known(row->barriers));
    }
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
static int print_rate(const struct table *t, const struct row *row, const char *baseline)
{
    int same_run;
    double share;

    print_title(row);
    if (!row_is_ok(row)) {
        printf(" %s\n", row->status);
        return 0;
    }
    share = baseline[0] ? rate_share(t, row, baseline, &same_run) : NAN;
    printf(" %-5s %10s %10s %16s%s%s\n", row->mode, number_text(shown_number(t, row, COLUMN_rate)),
           number_text(shown_number(t, row, COLUMN_median_us)),
           isnan(share) ? "" : text_of("%.1f %%", 100 * share), row->noisy[0] ? "  " : "",
           row->noisy);
    return !isnan(share);
}

// Prints stages, then references, each measurement once.
static void print_rates(const struct table *t, const char *baseline)
{
    const char *unit = "";
    int shares = 0;

    for (size_t r = 0; r < t->n; r++)
        unit = t->row[r].unit[0] ? t->row[r].unit : unit;
    printf("\n%-10s %-22s %-13s %-5s %10s %10s %16s\n", "stage", "name", "size", "mode", unit, "us",
           baseline[0] ? text_of("of %s", baseline) : "");
    for (int references = 0; references <= 1; references++)
        for (size_t r = 0; r < t->n; r++)
            if (row_is_reference(&t->row[r]) == references && !is_replaced(t, r))
                shares += print_rate(t, &t->row[r], baseline);
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

    printf("\n%-10s %-22s %-13s %s\n", "stage", "name", "size", name);
    for (size_t r = 0; r < t->n; r++) {
        print_title(&t->row[r]);
        printf(" %s\n", row_is_ok(&t->row[r]) ? known(t->row[r].cell[column]) : t->row[r].status);
    }
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

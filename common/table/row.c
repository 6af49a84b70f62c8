#define _GNU_SOURCE   // vasprintf
#include "row.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/program.h"

const char *const column_name[N_COLUMNS] = {
#define X(name, says) #name,
    COLUMNS(X)
#undef X
};
const char *const column_says[N_COLUMNS] = {
#define X(name, says) says,
    COLUMNS(X)
#undef X
};

int column_of_name(const char *name)
{
    for (int i = 0; i < N_COLUMNS; i++)
        if (strcmp(column_name[i], name) == 0)
            return i;
    return -1;
}

int column_is_counter(enum column column)
{
    static const unsigned char is_counter[N_COLUMNS] = {
#define X(name, says) [COLUMN_##name] = 1,
        COUNTERS(X)
#undef X
    };

    return is_counter[column];
}

// Whether a column has words; all others have numbers, except the date.
static int has_words(enum column column)
{
    static const unsigned char words[N_COLUMNS] = {
        [COLUMN_week] = 1,    [COLUMN_stage] = 1,      [COLUMN_name] = 1,       [COLUMN_device] = 1,
        [COLUMN_type] = 1,    [COLUMN_arithmetic] = 1, [COLUMN_size] = 1,       [COLUMN_knobs] = 1,
        [COLUMN_variant] = 1, [COLUMN_mode] = 1,       [COLUMN_status] = 1,     [COLUMN_unit] = 1,
        [COLUMN_kernel] = 1,  [COLUMN_grid] = 1,       [COLUMN_block] = 1,      [COLUMN_noisy] = 1,
        [COLUMN_driver] = 1,  [COLUMN_cuda] = 1,       [COLUMN_capability] = 1, [COLUMN_chart] = 1,
        [COLUMN_limit] = 1,   [COLUMN_why] = 1,
    };

    return words[column];
}

const char *cell_fault(enum column column, const char *text)
{
    int year, month, day, n = 0;
    char *end;

    if (!text[0] || has_words(column))
        return NULL;
    if (column == COLUMN_date)
        return sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &n) == 3 && n && !text[n]
                 ? NULL
                 : "not a date, year-month-day";
    return isfinite(strtod(text, &end)) && !*end && end > text ? NULL : "not a number";
}

struct row row_empty(void)
{
    struct row row = { .command = "" };

    for (int i = 0; i < N_COLUMNS; i++)
        row.cell[i] = "";
    return row;
}

void row_set_column(struct row *row, enum column column, const char *format, ...)
{
    char *text;
    va_list arguments;

    va_start(arguments, format);
    text = text_of_list(format, arguments);
    va_end(arguments);
    for (char *c = text; *c; c++)
        if (*c == '\t' || *c == '\n' || *c == '\r')
            *c = ' ';
    row->cell[column] = text;
}

double row_number(const struct row *row, enum column column)
{
    char *end;
    double value = strtod(row->cell[column], &end);

    return end == row->cell[column] || *end ? NAN : value;
}

int name_is_reference(const char *stage) { return strncmp(stage, "ref_", 4) == 0; }
int row_is_reference(const struct row *row) { return name_is_reference(row->stage); }

int row_is_ok(const struct row *row) { return strcmp(row->status, status_word(STATUS_OK)) == 0; }

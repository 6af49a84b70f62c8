#define _GNU_SOURCE   // vasprintf
#include "row.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/program.h"
#include "select.h"

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

// Whether a column has any text; all others have numbers, or what cell_fault() says.
static int has_text(enum column column)
{
    static const unsigned char text[N_COLUMNS] = {
        [COLUMN_name] = 1,  [COLUMN_device] = 1,     [COLUMN_type] = 1,  [COLUMN_arithmetic] = 1,
        [COLUMN_knobs] = 1, [COLUMN_variant] = 1,    [COLUMN_unit] = 1,  [COLUMN_kernel] = 1,
        [COLUMN_grid] = 1,  [COLUMN_block] = 1,      [COLUMN_noisy] = 1, [COLUMN_driver] = 1,
        [COLUMN_cuda] = 1,  [COLUMN_capability] = 1, [COLUMN_chart] = 1, [COLUMN_limit] = 1,
        [COLUMN_why] = 1,
    };

    return text[column];
}

// Whether a text is 0 or more in decimal digits, perhaps with an exponent, and below 10^18.
static int is_number(const char *text)
{
    size_t n = strspn(text, "0123456789.");
    char *end;

    if (!isdigit((unsigned char)text[0]) || text[n + strspn(text + n, "0123456789e+-")])
        return 0;
    return strtod(text, &end) < 1e18 && !*end;
}

// Names become parts of paths.
static int is_name(const char *text)
{
    enum { MOST_CHARACTERS = 64 };
    size_t n = 0;

    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    return !text[n] && n <= MOST_CHARACTERS;
}

static int is_date(const char *text)
{
    int year, month, day, n = 0;

    return sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &n) == 3 && n && !text[n];
}

#define MODES "cold hot count check roof occupancy published model"
#define X(name, exit_status, word) word " "
static const char statuses[] = STATUSES(X);
#undef X

const char *cell_fault(enum column column, const char *text)
{
    if (!text[0] || has_text(column))
        return NULL;
    switch (column) {
    case COLUMN_week:
    case COLUMN_stage: return is_name(text) ? NULL : "expected at most 64 letters, digits and _";
    case COLUMN_size:
        return size_of(text).sides ? NULL : "not a size; expected for example 4099x8191";
    case COLUMN_mode: return has_word(MODES, text) ? NULL : "expected one of " MODES;
    case COLUMN_status:
        return has_word(statuses, text) ? NULL : text_of("expected one of %s", statuses);
    case COLUMN_date: return is_date(text) ? NULL : "not a date, year-month-day";
    default: return is_number(text) ? NULL : "not a number; expected decimal digits, 0 to 1e18";
    }
}

const enum column column_needed[NEEDED] = { COLUMN_stage, COLUMN_mode, COLUMN_status };

int row_lacks(const struct row *row, int has_times)
{
    for (int i = 0; i < NEEDED; i++)
        if (!row->cell[column_needed[i]][0])
            return column_needed[i];
    has_times &= row_is_ok(row) && has_word("cold hot", row->mode) && row->size[0] &&
                 (row->rate[0] || row->median_us[0]);
    return has_times && !(row_number(row, COLUMN_median_us) > 0) ? COLUMN_median_us : -1;
}

struct row row_empty(void)
{
    struct row row = { .command = "", .time = "" };

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

#define _GNU_SOURCE   // vasprintf
#include "row.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

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
    if (vasprintf(&text, format, arguments) < 0)
        die(STATUS_ERROR, "out of memory");
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

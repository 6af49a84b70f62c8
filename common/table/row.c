#include "row.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const columns[N_COLUMNS] = {
    "week",
    "stage",
    "name",
    "device",
    "type",
    "arithmetic",
    "size",
    "knobs",
    "variant",
    "mode",
    "status",
    "reps",
    "median_us",
    "p10_us",
    "p90_us",
    "min_us",
    "graph_us",
    "bytes",
    "flops",
    "rate",
    "unit",
    "kernels",
    "kernel",
    "grid",
    "block",
    "regs",
    "shared_bytes",
    "blocks_per_sm",
    "ld_requests",
    "ld_sectors",
    "st_requests",
    "st_sectors",
    "ld_bytes",
    "st_bytes",
    "tex_requests",
    "atomic_requests",
    "shared_requests",
    "shared_wavefronts",
    "barriers",
    "active_lanes",
    "peak_gbs",
    "l2_bytes",
    "sets",
    "batch",
    "seed",
    "max_error",
    "driver",
    "cuda",
    "date",
};

int column_index(const char *column)
{
    for (int i = 0; i < N_COLUMNS; i++)
        if (strcmp(columns[i], column) == 0)
            return i;
    return -1;
}

static int existing(const char *column)
{
    int i = column_index(column);

    assert(i >= 0);
    return i;
}

void row_set(struct row *row, const char *column, const char *format, ...)
{
    char *field = row->field[existing(column)];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(field, FIELD, format, arguments);
    va_end(arguments);
    for (char *c = field; *c; c++)
        if (*c == '\t' || *c == '\n' || *c == '\r')
            *c = ' ';
}

const char *row_get(const struct row *row, const char *column)
{
    return row->field[existing(column)];
}

int row_number(const struct row *row, const char *column, double *out)
{
    const char *text = row_get(row, column);
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end)
        return 0;
    *out = value;
    return 1;
}

int row_same_key(const struct row *a, const struct row *b)
{
    static const char *const key[] = { "stage", "type", "size", "knobs", "variant", "mode" };

    for (size_t i = 0; i < sizeof key / sizeof *key; i++)
        if (strcmp(row_get(a, key[i]), row_get(b, key[i])) != 0)
            return 0;
    return 1;
}

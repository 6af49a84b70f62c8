// One row of the ladder's tables: what one stage or reference did at one size. Fields are text,
// exactly as a file holds them, so that what a claim sees is what was stored; an empty field is
// unknown.
#ifndef ROW_H
#define ROW_H

enum { N_COLUMNS = 49, FIELD = 256 };

extern const char *const columns[N_COLUMNS];

struct row {
    char field[N_COLUMNS][FIELD];
};

// -1: there is no such column.
int column_index(const char *column);

// The column must exist. Tabs and line ends in the text become spaces.
void row_set(struct row *, const char *column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *row_get(const struct row *, const char *column);

// Returns 0 and leaves *out alone where the field is empty or not a number.
int row_number(const struct row *, const char *column, double *out);

// Whether one replaces the other in a store: the same stage, type, size, knobs, variant and mode.
int row_same_key(const struct row *, const struct row *);

#endif

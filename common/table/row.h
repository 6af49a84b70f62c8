// One row of the result table: the result of one stage or reference at one size. Fields are text,
// as in a file, so that claims are judged on what was stored. An empty field is unknown, never 0.
#ifndef ROW_H
#define ROW_H

#include "columns.h"

#ifdef __cplusplus
extern "C" {
#endif

enum column {
#define X(name, says) COLUMN_##name,
    COLUMNS(X)
#undef X
        N_COLUMNS
};

struct row {
    union {
        struct {
#define X(name, says) const char *name;
            COLUMNS(X)
#undef X
        };
        const char *cell[N_COLUMNS];
    };
    // The "# command:" and "# time:" above the row in its file, "" if there is none. The time, in
    // seconds since 1970, is known for results only. A run is the row of a stage and the rows after
    // it, of the references that were timed with it. Runs are numbered from 1.
    const char *command, *time;
    int run;
};

extern const char *const column_name[N_COLUMNS];
extern const char *const column_says[N_COLUMNS];

// The column of this name; -1: there is none.
int column_of_name(const char *name);

// What is wrong with the text of a cell, and what is accepted; NULL: nothing. An empty cell is
// right in every column.
const char *cell_fault(enum column, const char *text);

// The columns that every table and row needs.
enum { NEEDED = 3 };
extern const enum column column_needed[NEEDED];

// A column that the row needs and that is empty or 0; -1: there is none. With `has_times`, the
// table has a column of times, so that a measured row needs one.
int row_lacks(const struct row *, int has_times);

// Whether it is one of COUNTERS.
int column_is_counter(enum column);

// A row of empty fields.
struct row row_empty(void);

// Sets one field: row_set(&row, rate, "%.6g", rate). The text is allocated and kept until the
// program ends. Tabs and line ends in it become spaces.
#define row_set(row, name, ...) row_set_column((row), COLUMN_##name, __VA_ARGS__)
void row_set_column(struct row *, enum column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// NaN if the field is empty or not a number.
double row_number(const struct row *, enum column);

// Whether a name is that of a reference: "ref_cublas".
int name_is_reference(const char *stage);
int row_is_reference(const struct row *);
int row_is_ok(const struct row *);

#ifdef __cplusplus
}
#endif

#endif

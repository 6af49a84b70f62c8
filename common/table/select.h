// Choosing rows of a result table: the rules for tables, figures and claims.
#ifndef SELECT_H
#define SELECT_H

#include "table.h"

// A size as in the size column. "2048x2048" has 2 sides, and their product is 4194304; their
// geometric mean is 2048, and they are equal.
struct size {
    int sides;   // 0: not a size
    double side[3], product, mean;
    int equal_sides;
};
struct size size_of(const char *text);

// Whether a requested size matches this one. A single number stands for equal sides: 4096 matches
// 4096x4096x4096.
int size_matches(const char *asked, const char *size);

// Whether two lists of words ("pitch=2052 kernel=box") hold the same words.
int words_same(const char *a, const char *b);

// What a measurement is about. A field that is NULL matches anything.
struct place {
    const char *size, *mode, *type, *knobs, *variant;
};
int row_is_at(const struct row *, const struct place *);

// Whether two rows describe the same measurement, so that the later one replaces the earlier one:
// the same stage, type, size, knobs, variant and mode.
int row_same_key(const struct row *, const struct row *);

struct rows {
    const struct row **row;
    size_t n;
};
void rows_add(struct rows *, const struct row *);

// Removes each run whose measurements later runs have all made again.
void table_drop_replaced(struct table *);

// The latest row of a stage or reference at this place, whatever its status: a later row replaces
// an earlier one. NULL if there is none.
const struct row *latest_row(const struct table *, const char *stage, const struct place *);

// The row of a stage or reference by the same rules as value_beside(); the row of a reference whose
// medians are used has them in all columns of numbers. NULL if there is no correct row.
const struct row *row_of_term(const struct table *, const struct row *own, const char *stage,
                              const struct place *);

// The value of a column for a stage or reference. For a stage: that of its latest row. For a
// reference: that of its row in the run of `own`, because its time depends on what is timed with
// it; if there is none, or `own` is NULL, the median of its rows. NaN if there is no correct row.
double value_beside(const struct table *, const struct row *own, const char *stage,
                    const struct place *, enum column);

// A number of a row as tables show it: for a reference, the median of its rows at the same place.
double shown_number(const struct table *, const struct row *, enum column);

// The row's rate divided by that of `base`, a stage or reference, at the same place. If the row's
// run has `base`, that row is used, and *same_run is 1. For a reference's row: the median over the
// runs that have both. Otherwise the latest row of `base`, or its median if it is a reference. NaN
// if a rate is missing.
double rate_share(const struct table *, const struct row *, const char *base, int *same_run);

// Whether a word is a knob, "TILE=16", and not an option of a week, "pitch=2052": its name has no
// lower-case letter.
int word_is_knob(const char *word);

// "stage12" is 12; -1 for anything else. The same for "exercise2".
int stage_number(const char *stage);
int exercise_number(const char *key);

#endif

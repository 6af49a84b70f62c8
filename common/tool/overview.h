// The comparison of the weeks: of each its first stage, its last stage and the vendor's library, in
// the recorded run or in this machine's results. The week's messages name them:
//
//   overview: stage1 stage8 ref_cublas 16384x16384: cuBLAS
//   operations: 50: multiplications and additions
//
// `operations`: how many operations the problem has per element, the product of the sides of a
// size, and what they are; for the figure with the roofs.
#ifndef OVERVIEW_H
#define OVERVIEW_H

#include "sheet.h"
#include "select.h"
#include "table.h"

enum { FIRST, LAST, LIBRARY, BARS_PER_WEEK, MOST_WEEKS = 8 };

struct overview {
    const char *week, *library, *unit, *type;
    const char *stage[BARS_PER_WEEK], *size;
    const struct row *row[BARS_PER_WEEK];
    double rate[BARS_PER_WEEK];
    double operations;   // per element; NaN: not given
    const char *operation;
    struct table t, beside;   // beside: of the second device, empty without one
};

struct weeks {
    struct overview of[MOST_WEEKS];
    int n;
    const char *from, *beside;   // names of recorded runs; from is "" for this machine's results
};

// The figures that compare weeks.
struct overview_figure {
    const char *name, *kind;
    // Returns what is missing, or NULL. May set the sheet's provenance to the sizes, if these are
    // not those of the overview.
    const char *(*draw)(struct sheet *, const struct weeks *);
    const char *says;   // how to read it, one sentence
};
extern const struct overview_figure overview_figures[];

int week_number(const struct overview *);

// The last stage's rate as a multiple of the library's, in the same run if there is one.
double rate_of_library(const struct overview *);

// The latest correct row of a stage at this size, cold and with default knobs; NULL if there is
// none.
const struct row *overview_row(const struct table *, const struct overview *, const char *stage,
                               const char *size);

// The rows of a part of `runs`, of a recorded run or, with "", of this machine's newest results.
// Without the part, n is 0.
struct table overview_part(const struct overview *, const char *part, const char *from);

// "8 raster_order", from the name of the stage's file.
const char *overview_label(const struct overview *, const char *stage);

#endif

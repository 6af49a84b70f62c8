// Where rows are stored: the week's results/<device>/rows.tsv, to which every run of a stage
// appends its rows, and the file of --tsv.
#ifndef RESULTS_H
#define RESULTS_H

#include <limits.h>

#include "device.h"
#include "table.h"
#include "week.h"

struct results {
    const struct week *week;
    const struct stage_info *info;
    const struct device *device;
    char week_folder[PATH_MAX];
    const char *folder;   // results/<device>
    struct note note[6], kept_note[6];
    struct appender kept, tsv;
    struct table *rows;   // what is kept; NULL: not read since rows were stored
};

// Checks that rows can be stored before any is measured; ends the program with STATUS_USAGE if they
// cannot. `keep`: rows are kept in the folder of results. `tsv` is the file of --tsv or NULL.
void results_open(struct results *, const struct week *, const struct stage_info *,
                  const struct device *, int keep, const char *tsv, int argc, char *const argv[]);

// Appends a row to the file of --tsv only.
void results_append(struct results *, const struct row *);

// Stores the rows of a run, a stage's and those of its references, in one write.
void results_put(struct results *, const struct row *, size_t n);

// Finds the correct row of a stage or reference for this problem, in this mode, built with these
// knobs; of a reference, that beside the latest row of this stage, by the rules of row_of_term().
// NULL if there is none.
const struct row *results_find(struct results *, const char *stage, const struct problem *,
                               const char *knobs, const char *mode);

#endif

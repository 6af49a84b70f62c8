// Where rows are stored: the week's results/<device>/<stage>.tsv, which every run of a stage
// updates, and the file of --tsv.
#ifndef RESULTS_H
#define RESULTS_H

#include <limits.h>

#include "device.h"
#include "table.h"
#include "week.h"

struct results {
    const struct week *week;
    const struct device *device;
    char week_folder[PATH_MAX], folder[PATH_MAX];   // folder: results/<device>
    struct note note[6];
    const char *command;
    int transient;   // rows are only appended to the file of --tsv
    struct appender tsv;
};

// Checks that rows can be stored before any is measured; ends the program with STATUS_USAGE if they
// cannot. `tsv` is the file of --tsv or NULL.
void results_open(struct results *, const struct week *, const struct stage_info *,
                  const struct device *, const char *tsv, int argc, char *const argv[]);

// Appends a row to the file of --tsv only.
void results_append(struct results *, const struct row *);

// Stores a row in place of the one with the same key unless results are transient, and appends it
// to the file of --tsv. The table is written to a new file, which is renamed, so that an
// interrupted run loses nothing.
void results_put(struct results *, const struct row *);

// Finds the row of a stage or reference for this problem, in this mode, built with these knobs.
// Returns 0 if there is none.
int results_find(const struct results *, const char *stage, const struct problem *,
                 const char *knobs, const char *mode, struct row *);

#endif

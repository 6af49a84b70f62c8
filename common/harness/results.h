// Where rows go and come from: the week's results/<device>/<stage>.tsv, which every run of every
// stage fills, and the file of --tsv.
#ifndef RESULTS_H
#define RESULTS_H

#include <limits.h>

#include "device.h"
#include "table.h"
#include "week.h"

struct results {
    const struct week *week;
    const struct device *device;
    char week_folder[PATH_MAX], folder[PATH_MAX];   // the latter of this device
    struct note note[6];
    const char *command;
    struct appender tsv;
};

// Makes sure that rows can be kept before any is measured; ends the program with STATUS_USAGE if
// they cannot. `tsv` is the file of --tsv or NULL.
void results_open(struct results *, const struct week *, const struct device *, const char *tsv,
                  int argc, char *const argv[]);

// Appends a row to the file of --tsv alone.
void results_append(struct results *, const struct row *);

// Keeps a row: it replaces the one of the same key in the store, by way of a new file that is
// renamed, so that an interrupted run loses nothing, and is appended as above.
void results_put(struct results *, const struct row *);

// Finds the row of a stage or reference for this problem, in this mode, built with these knobs.
// Returns 0 if there is none.
int results_find(const struct results *, const char *stage, const struct problem *,
                 const char *knobs, const char *mode, struct row *);

#endif

// Where rows go and come from: the week's results/<device>/<stage>.tsv, which every run of every
// stage fills, and the file of --tsv.
#ifndef RESULTS_H
#define RESULTS_H

#include "device.h"
#include "week.h"
#include "row.h"

// The folder of the running program's week, by where the program lies:
// <week>/build/<device>/<program>.
const char *week_folder(void);

// Makes sure that rows can be kept before any is measured; ends the program with EXIT_USAGE where
// they cannot. `tsv` may be NULL.
void results_open(const struct device *, const char *tsv, int argc, char *const argv[]);

// Only the file of --tsv gets this row.
void results_tell(const struct row *);

// Keeps a row: it replaces the one of the same key in the store, by way of a file of its own that
// is renamed, so that an interrupted run loses nothing, and goes to the file of --tsv.
void results_put(const struct row *);

// Finds the row of a stage or reference for this problem, in this mode, built with these knobs.
// Returns 0 where there is none.
int results_find(const char *stage, const struct problem *, const char *knobs, const char *mode,
                 struct row *);

#endif

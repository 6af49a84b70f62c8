// Runs programs and collects their rows in a table.
#ifndef MAKE_RUNS_H
#define MAKE_RUNS_H

#include "runs.h"
#include "status.h"

// Builds everything on all cores, then makes the runs one after the other. The table is new; it
// does not exist if no run wrote a row. A run that fails does not stop the others; with
// `failures_are_rows`, it has a row with its status. Returns STATUS_OK, STATUS_WRONG if a run
// failed, or STATUS_USAGE if a program does not build.
enum status make_runs(struct runs *, const char *table, int failures_are_rows);

// The device and the stages that make passes in the environment. Waits until no other `ladder`
// measures in this folder.
struct choice runs_choice(void);

#endif

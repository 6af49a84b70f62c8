// Making runs, and collecting their rows in a table.
#ifndef MEASURE_H
#define MEASURE_H

#include "runs.h"
#include "status.h"

// Makes the runs one after the other, after everything was built, on all cores. The table is new;
// it does not exist if no run left a row. A run that fails does not stop the others; with
// `failures_are_rows`, it leaves a row with its status. Returns STATUS_OK, STATUS_WRONG if a run
// failed, or STATUS_USAGE if a program does not build.
enum status measure_runs(struct runs *, const char *table, int failures_are_rows);

#endif

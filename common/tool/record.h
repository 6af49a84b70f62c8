// Recorded tables, and tables in results/.
#ifndef RECORD_H
#define RECORD_H

#include "runs.h"
#include "table.h"

// Saves a table and prints its path. Ends the program if it cannot be written.
void save_table(const struct table *, const char *path);

// Replaces a recorded table. With `some`, each run in the new table replaces the recorded run with
// the same command, and the other recorded runs are kept.
void record_replace(const char *table, const char *recorded, int some);

// Moves a table to results/<device>/PART.tsv. The device is the one that the table names; with
// `cpu`, the CPU device.
void keep_in_results(const char *table, const char *part, int cpu);

// Adds a row for a run that failed: a copy of another row of the stage, with the run's knobs,
// status error and no measurement.
void put_failed_run(const char *table, const struct run *);

#endif

// Tables that are kept.
#ifndef RECORD_H
#define RECORD_H

#include "runs.h"

// Puts a table in place of a recorded one. With `some`, each of its runs replaces the recorded one
// with the same command, and the others stay.
void record_replace(const char *table, const char *recorded, int some);

// Moves a table to results/<device>/PART.tsv: the device that it names, or the CPU device.
void record_keep(const char *table, const char *part, int cpu);

// Adds a row of a run that failed. It says what the other rows of the stage say, and knows no
// measurement.
void record_failure(const char *table, const struct run *);

#endif

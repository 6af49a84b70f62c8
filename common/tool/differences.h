// Compares the counts of the CPU device with those of ncu on a GPU.
#ifndef DIFFERENCES_H
#define DIFFERENCES_H

#include "table.h"

enum { COMPARED = 7 };

// The counters of ncu that the CPU device counts too, and their names in a figure.
extern const enum column compared[COMPARED];
extern const char *const compared_word[COMPARED];

// The recorded counts of the CPU device for a week, from plots/data/cpu; no rows if there are none.
struct table recorded_counts(const char *week);

// Whether a table has counts of the CPU device.
int has_counts(const struct table *);

// Whether a row has a stage's counts from a GPU, to be compared with the CPU device: without knobs,
// options of the week and older rules.
int is_measured(const struct row *);

// The latest row of the CPU device with the same week, name of stage, size and type. The stage's
// number is not compared, because it may change. A row with --sms, the number of SMs of the GPU, is
// preferred. NULL if there is none.
const struct row *counterpart(const struct table *, const struct row *measured);

// The CPU device's counter as a multiple of ncu's: 1 if both are 0 or ncu's is absent, infinite if
// only ncu's is 0, 0 if the CPU device's is absent.
double counter_ratio(const struct row *measured, const struct row *counted, int i);

// How many counters differ.
int counters_that_differ(const struct row *measured, const struct row *counted);

#endif

// One measurement: the stage and its references at one size, first checked, then timed (GPU) or
// counted (CPU device).
#ifndef MEASURE_H
#define MEASURE_H

#include "check.h"
#include "contender.h"
#include "device.h"
#include "references.h"
#include "results.h"

struct measurement {
    const struct device *device;
    struct contender stage, ref[MOST_REFERENCES];
    int n_refs;
    int hot;
    int one_call;             // a measurement begins with one checked call, not with two
    int exact;                // a check gives each array its own allocation
    int samples;              // to take; 0: until the spread converges
    struct verdict verdict;   // of the stage, in the last run
    // NULL, or the process whose stage is measured in place of this program's
    struct isolated *process;
};

// "cold", "hot" or "count".
const char *measure_mode(const struct measurement *);

// Measures this problem. Fills in each contender's status and, if that is STATUS_OK, its facts and
// timing. The caller checks first that the problem fits into memory.
void measure_run(struct measurement *, const struct problem *);

// Only checks whether the stage is correct at this problem.
void measure_check(struct measurement *, const struct problem *);

// Stores a row of the stage and, if the stage is correct, of each reference.
void measure_put(const struct measurement *, struct results *);

#endif

// One measurement: the stage and its references at one size, first found right, then timed (GPU) or
// counted (CPU device).
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>

#include "device.h"
#include "refs.h"
#include "runner.h"
#include "verify.h"

struct bench {
    const struct device *device;
    struct runner *stage;
    struct runner *ref;   // n_refs of them
    int n_refs;
    int hot;
    int exact;                // a check gives each array an allocation of its own
    int samples;              // to take; 0: as many as the spread asks for
    struct verdict verdict;   // on the stage, in the last run
};

// "cold", "hot" or "count".
const char *bench_mode(const struct bench *);

// Measures at this problem. Each runner then has its status, and its facts and timing where that is
// OK. The caller has made sure that the problem fits into memory.
void bench_run(struct bench *, const struct problem *);

// Only looks whether the stage is right at this problem.
void bench_check(struct bench *, const struct problem *);

// Keeps a row of the stage and of each reference that was measured.
void bench_put(const struct bench *);

#endif

// What takes part in a measurement: the stage itself, or a reference that it is compared with.
#ifndef CONTENDER_H
#define CONTENDER_H

#include "buffers.h"
#include "stats.h"
#include "status.h"
#include "week.h"

struct facts;   // facts.h
struct row;

// Times in microseconds per call; negative: not measured.
struct timing {
    int samples;              // each the mean of a batch of back-to-back calls
    int batch;                // calls in a sample
    int sets;                 // of buffers, among which the calls rotated
    struct stats us, graph;   // graph: of graph replays; median < 0: not measured
    double sm_mhz;            // median SM clock during the samples; negative: unknown
    double watts;             // power after the last sample, of all contenders; negative: unknown
    int noisy;                // the spread did not converge
};

struct contender {
    const struct stage_info *info;
    const char *stage, *name;   // "stage3", "padding"; "ref_cublas", "cublas"
    stage_fn *fn;
    struct problem problem;
    struct arrays *arrays;
    enum status status;
    const char *why;   // one line, if status is not STATUS_OK
    // largest |result - reference| that the check of this problem's inputs found; negative:
    // unknown, or equal bits
    double max_error;
    struct facts *facts;
    struct timing timing;
};

// Initializes it; contender_set() then sets its problem.
void contender_init(struct contender *, const struct stage_info *, stage_fn *);

// Sets its problem, and clears its status, facts and timing.
void contender_set(struct contender *, const struct problem *);

// The rate in the week's unit (GB/s, GFLOP/s, Gpx/s); 0 if it was not timed.
double contender_rate(const struct contender *);

// Its row in the result table. `mode` is cold, hot, count or check.
struct row contender_row(const struct contender *, const char *mode);

#endif

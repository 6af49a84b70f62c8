// Whether a stage is correct: calls it on poisoned outputs and compares everything that it wrote
// with the reference.
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

#include "buffers.h"
#include "compare.h"
#include "backend.h"
#include "status.h"

struct verdict {
    enum status status;
    char why[320];   // one line, if it is not STATUS_OK
    int compared;    // whether `mismatch` says more about STATUS_WRONG
    struct mismatch mismatch;
    // what was compared, where that was no output: "16 whole rows"; else NULL
    const char *digest;
    // of all outputs in the last call, as in a mismatch; negative: unknown
    double max_error;
};

// Two calls with different inputs at the same addresses, device scratch kept between them, so that
// a stage that keeps an answer is wrong in the second. That call has the problem's own seed, and
// leaves its inputs and their right outputs in `arrays`; it must not allocate device memory that it
// does not free. On the CPU device it is counted, if `facts` is not NULL.
void check_stage(stage_fn *, const struct problem *, struct arrays *, struct facts *,
                 struct verdict *);

// One call more, on the inputs that are there, in this set of arrays.
void check_once(stage_fn *, const struct problem *, struct arrays *, int set, struct verdict *);

// What a verdict has to say beyond its line.
void verdict_print(const struct verdict *, FILE *);

#endif

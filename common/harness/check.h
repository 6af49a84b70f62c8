// Whether a stage is right: calls it on poisoned outputs and holds everything that it wrote against
// the reference.
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

#include "buffers.h"
#include "compare.h"
#include "backend.h"

struct verdict {
    enum { RIGHT, WRONG, REFUSED, FAILED } is;
    char why[320];   // one line, where it is not RIGHT
    int compared;    // whether `mismatch` says more about a WRONG
    struct mismatch mismatch;
    // what was compared, where that was no output: "16 whole rows"; else NULL
    const char *digest;
    // of all outputs in the last call, as in a mismatch; negative: unknown
    double max_error;
};

// Two calls with different inputs, device scratch kept between them; the second has the problem's
// own seed, and leaves its inputs and their right outputs in `arrays`. On the CPU device the second
// call is counted, if `facts` is not NULL.
void check_stage(stage_fn *, const struct problem *, struct arrays *, struct facts *,
                 struct verdict *);

// One call more, on the inputs that are there, in this set of arrays.
void check_once(stage_fn *, const struct problem *, struct arrays *, int set, struct verdict *);

// What a verdict has to say beyond its line.
void verdict_print(const struct verdict *, FILE *);

#endif

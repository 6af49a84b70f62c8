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
    const char *why;   // one line, if it is not STATUS_OK
    int compared;      // whether `mismatch` has the details of STATUS_WRONG
    struct mismatch mismatch;
    // the digest that was compared: "16 whole rows"; NULL: outputs were compared
    const char *digest;
    // the largest of all outputs in the last call, as in struct mismatch; negative: unknown
    double max_error;
};

// Before a call.
static const struct verdict not_judged = { .why = "", .max_error = -1 };

// Makes two calls with different inputs at the same addresses and with the same scratch memory, so
// that a stage that caches a result is wrong in the second one. The second call has the problem's
// own seed, and leaves its inputs and their correct outputs in `arrays`. It must not leak device
// memory. On the CPU device, its requests are counted if `facts` is not NULL.
void check_stage(stage_fn *, const struct problem *, struct arrays *, struct facts *,
                 struct verdict *);

// Calls the stage on poisoned outputs, in this set of arrays; with `facts`, the CPU device also
// counts. If the status is not STATUS_OK, call_why() is the reason.
enum status check_poisoned_call(stage_fn *, const struct problem *, const struct arrays *, int set,
                                struct facts *facts);

// Checks one more call, on the present inputs, in this set of arrays. On the CPU device, its
// requests are counted if `facts` is not NULL.
void check_once(stage_fn *, const struct problem *, struct arrays *, int set, struct facts *facts,
                struct verdict *);

// Compares the outputs in this set of arrays with the reference for the present inputs; *v is
// cleared by the caller.
void check_outputs(const struct problem *, struct arrays *, int set, struct verdict *);

// Prints the first wrong elements and their map, if outputs were compared and are wrong.
void verdict_print(const struct verdict *, FILE *);

#endif

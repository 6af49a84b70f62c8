// The claims of a stage, judged with the rows in results/, which runs of all stages have stored.
#ifndef CLAIMS_H
#define CLAIMS_H

#include "claim.h"
#include "contender.h"
#include "results.h"

struct stage_claims {
    struct stage_claim {
        struct claim claim;
        struct problem problem;   // size, type and options; its seed is unused
    } * of;
    int n;
};

// Parses all claims of a file. One that is malformed, or names a size or option that the week does
// not have, ends the program with STATUS_USAGE and a line that names file and claim.
void claims_read(struct stage_claims *, const struct week *, const struct stage_info *);

// Whether a claim is about this kind of device, GPU or CPU device; and about this problem and mode,
// too.
int claim_is_for_device(const struct stage_claim *);
int claim_is_for(const struct stage_claim *, const struct problem *, const char *mode);

// Judges one claim of `own`. Prints it, with only_failure only if it fails. Returns 1 if it counts
// as a failure.
int claim_report(const struct stage_claim *, struct results *, const struct contender *own,
                 int only_failure);

#endif

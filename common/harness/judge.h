// The claims of a stage, held against the rows that its runs and those of others left in results/.
#ifndef JUDGE_H
#define JUDGE_H

#include "claims.h"
#include "device.h"
#include "contender.h"

enum { MOST_CLAIMS = 64 };

struct claims {
    struct claim claim[MOST_CLAIMS];
    int n;
};

// Parses all claims of a file; one that is malformed ends the program with EXIT_USAGE and a line
// that names file and claim.
void claims_of(const struct stage_info *, struct claims *);

// Whether a claim is about this kind of device, whatever its generation; and about this problem and
// mode as well.
int claim_for_device(const struct claim *);
int claim_for(const struct claim *, const struct problem *, const char *mode);

// Judges and prints one; returns 1 where it counts as a failure.
int judge(const struct device *, const struct contender *own, const struct claim *);

#endif

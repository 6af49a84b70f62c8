// The runs that measure: the default one, --bench, --count and --claims.
#ifndef RUNS_H
#define RUNS_H

#include "week.h"

// How checks went. Each size is counted once; `why` is the reason of the last refusal.
struct tally {
    int right, refused, wrong;
    char why[320];
};

// Checks one problem and counts how it went. Returns the exit status that it asks for, were it the
// only one.
int check_problem(const struct problem *, struct tally *);

// These return the program's exit status.
int run(void);
int run_claims(void);

#endif

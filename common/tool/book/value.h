#ifndef VALUE_H
#define VALUE_H

#include "claim.h"
#include "text.h"

struct measured {
    struct table table;
    const struct claim *claim;
    const char *type, *owner;   // owner: the first stage that is named
    int medians;                // references are medians of all runs, not those of the owner's run
};

// Sets the value of an expression of measured values at a place, "(sm_90, 16384x16384)". Returns
// NULL, or what is wrong.
const char *evaluate_measured(struct measured *, const char *place, const char *expression,
                              double *value);

// Sets whether a condition of measured values holds. Returns NULL, or what is wrong.
const char *judge_measured(struct measured *, const char *place, const char *condition, int *holds);

// The same as the first for arithmetic, without measured values.
const char *evaluate_computed(const char *expression, double *value);

// The expression with values for its numbers of the machine, "h200:device.sms". Returns NULL, or
// what is wrong.
const char *fill_in_machine(const char **expression);

#endif

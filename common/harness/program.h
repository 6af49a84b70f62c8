// What the parts of a stage's program share: what was asked for, what it runs on, and what takes
// part.
#ifndef PROGRAM_H
#define PROGRAM_H

#include "measure.h"
#include "device.h"
#include "judge.h"
#include "options.h"
#include "references.h"
#include "contender.h"

struct program {
    struct options options;
    struct device device;
    struct contender stage, refs[MOST_REFERENCES];
    struct measurement measurement;
    struct claims claims;      // the stage's
    struct problem measured;   // what rows are about
    int measuring;             // a program that ends now leaves a row of it
};

extern struct program program;

// This size, of the type and seed and with the week's options that were asked for.
struct problem program_problem(const long long dim[MAX_DIMS]);

// The nth of the week's awkward sizes, with what the week has for it besides.
struct problem program_awkward(const long long dim[MAX_DIMS], int nth);

// The problem that was asked for, or this device's default. Ends the program where it does not fit
// into memory.
struct problem program_chosen(void);

// Whether a sweep goes to this size: not where --size asks for fewer elements.
int program_sweeps(const long long dim[MAX_DIMS]);

// Keeps a row of program.measured that has nothing but a status.
void program_put(enum status);

// Says why the stage was not measured, if so, and returns the exit status for that.
int program_explain(void);
// Says "SKIP:" with the stage and the reason, and returns EXIT_SKIP.
int program_skip(const char *why);

#endif

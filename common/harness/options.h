// The command line of a stage's program.
#ifndef OPTIONS_H
#define OPTIONS_H

#include "watch.h"
#include "week.h"

enum action {
    RUN,
    CHECK,
    BENCH,
    COUNT,
    SHMOO,
    ONCE,
    LANES,
    TRACE,
    DRAW,
    MODEL_ROWS,
    HELP,
    VERSION
};

struct options {
    enum action action;
    int claims, hot, all, lines, exact, alone;   // flags
    int sweep;                                   // CHECK, MODEL_ROWS: at the sizes of a shmoo
    struct problem problem;                      // type, seed, the week's options; dim[] if `sized`
    const char *size;                            // of --size; parsed last: others may set a limit
    int typed;                                   // the type was given
    int sized;                                   // a size was given; a sweep skips larger sizes
    const char *sized_by;   // which of the week's options gave it; NULL: --size
    int reps;               // samples; 0: until the spread converges
    int device;
    const char *events;     // file for --lanes or --trace, "-" for stdout
    struct watch watch;     // what they record
    const char *tsv;        // file to append rows to, "-" for stdout, or NULL
    int transient;          // keep no results
    int quick;              // with CHECK: only small sizes; with BENCH: one checked call
    const char *gpu;        // whose time is modeled, or NULL
    int estimated;          // from estimated machine code
    const char *isolated;   // the program whose stage is called, or NULL
    const char *computes;   // what that stage computes, or NULL
    int seconds;            // limit of its CPU time
    int unconfined;         // that program may do what any program may do
    int serve;              // be that program
};

// Ends the program with one line that names the option, its value and what is accepted, if the
// command line is wrong.
void options_parse(int argc, char *argv[], const struct week *, struct options *);

void options_help(const struct week *);

static inline int logs_events(const struct options *o)
{
    return o->action == LANES || o->action == TRACE;
}

#endif

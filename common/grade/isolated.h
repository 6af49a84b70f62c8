// A stage in another process, for grading. The program that checks (--isolated PROGRAM) makes the
// inputs, computes the reference, and compares. The submission's process is confined (confine.h)
// before its code is mapped; it receives a problem with its inputs, calls its stage, and returns
// the outputs and what the CPU device counted. It never has the correct outputs, the seed of the
// inputs, or a file, and cannot decide whether its outputs are correct. The counts are taken in its
// process; guard.cpp says what protects them.
#ifndef ISOLATED_H
#define ISOLATED_H

#include "backend.h"
#include "contender.h"

enum { ISOLATED_WHY = 320, ISOLATED_WORD = 32 };

struct isolated {
    int pid, socket;
    int seconds;                    // the limit of its CPU time per step
    double used;                    // CPU time before this step
    double deadline;                // of wall time, on the clock of seconds_now()
    const char *program, *source;   // paths; of the file whose lines a diagnosis may show
    const char *diagnosed;          // the first finding of the CPU device, or NULL
    int is_reference;               // the course's own code
};

// A measurement on a GPU (isolated_time.c). isolated_prepare() makes `sets` sets of arrays with the
// inputs host[]. isolated_round() gives each set other inputs (arrays_shift()), poisons all
// outputs, and returns the microseconds of `calls` calls, one set after the other, on this
// process's clock. isolated_return() stores the outputs of a set in device[]. All end this program
// if the other process fails.
void isolated_prepare(struct isolated *, const struct problem *, void *const host[], int sets);
double isolated_round(struct isolated *, const struct problem *, const uint64_t *shift, int sets,
                      int calls);
enum { PROBE_BYTES = 64 };
void isolated_probe(struct isolated *, const struct problem *, uint64_t place, int sets,
                    unsigned char (*bytes)[PROBE_BYTES]);
void isolated_return(struct isolated *, const struct problem *, int set, void *const device[]);

#endif

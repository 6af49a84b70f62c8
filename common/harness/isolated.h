// A stage in another process, for grading. The program that checks (--isolated PROGRAM) makes the
// inputs, computes the reference, and compares. The submission's process is confined (confine.h)
// before its code is mapped; it receives a problem with its inputs, calls its stage, and returns
// the outputs and what the CPU device counted. It never has the correct outputs, the seed of the
// inputs, or a file, and cannot decide whether its outputs are correct. The counts are taken in its
// process; submission.h says what protects them.
#ifndef ISOLATED_H
#define ISOLATED_H

#include "contender.h"

enum { ISOLATED_WHY = 320 };

struct isolated {
    int pid, socket;
    int seconds;                    // the limit of its CPU time
    double deadline;                // of wall time, on the clock of seconds_now()
    const char *program, *source;   // paths; of the file whose lines a diagnosis may show
    const char *diagnosed;          // the first finding of the CPU device, or NULL
    int is_reference;               // the course's own code
};

// Starts a submission's program or, on a GPU, this program with a shared object. It ends with this
// process at the latest, and has limits of CPU time, wall time, memory, and the size of files; with
// free: without confinement. What it prints goes to PROGRAM.log. Ends this program with
// STATUS_USAGE if it cannot be started or confined.
struct isolated *isolated_start(const char *program, int seconds, int free, int is_reference);

// Calls the stage of the other process: sends the inputs host[], and stores the outputs in
// device[]. With `facts`, the call is counted. Returns its status, with the reason in *why if it
// is not STATUS_OK. Ends this program if the other process ends: with STATUS_WRONG after a
// diagnosis, otherwise with STATUS_ERROR.
enum status isolated_call(struct isolated *, const struct problem *, void *const host[],
                          void *const device[], struct facts *facts, const char **why);

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

// Ends the other process.
void isolated_end(struct isolated *);

// The other side: serves the requests that arrive at ISOLATED_SOCKET until it is closed. Sets the
// problem of the stage before each call. is_free: without confinement.
enum status isolated_serve(struct contender *stage, int is_free);

#endif

// A stage in another process, for grading. The program that checks (--isolated PROGRAM) makes the
// inputs, computes the reference and compares. PROGRAM, which holds the submission, runs with
// --serve: it receives a problem with its inputs, calls its stage, and returns the outputs and what
// the CPU device counted. So the submission's process never has the correct outputs, and cannot
// decide whether its own are correct. The counts are taken in its process: a store to the runtime's
// memory could change them.
#ifndef ISOLATED_H
#define ISOLATED_H

#include "contender.h"

enum { ISOLATED_WHY = 320 };

struct isolated {
    int pid, socket;
    int seconds;   // the limit of its CPU time
};

// Starts a stage's program, which ends with this process at the latest, with limits of CPU time,
// wall time, memory, and the size of files. What it prints goes to PROGRAM.log. Ends this program
// with STATUS_USAGE if it cannot be started.
struct isolated *isolated_start(const char *program, int seconds);

// Calls the stage of the other process: sends the inputs host[], and stores the outputs in
// device[]. With `facts`, the call is counted. Returns its status, with the reason in why[] if it
// is not STATUS_OK. Ends this program if the other process ends: with STATUS_WRONG after a
// diagnosis, otherwise with STATUS_ERROR.
enum status isolated_call(struct isolated *, const struct problem *, void *const host[],
                          void *const device[], struct facts *facts, char why[ISOLATED_WHY]);

// Ends the other process.
void isolated_end(struct isolated *);

// The other side: serves the calls that arrive at this socket until it is closed. Sets the problem
// of the stage before each call.
enum status isolated_serve(int socket, struct contender *stage);

#endif

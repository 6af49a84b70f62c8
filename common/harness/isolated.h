// A stage in another process, for grading. The program that checks (--isolated PROGRAM) makes the
// inputs, computes the reference, and compares. The submission's process is confined (confine.h)
// before its code is mapped; it receives a problem with its inputs, calls its stage, and returns
// the outputs and what the CPU device counted. It never has the correct outputs, the seed, or a
// file, and cannot decide whether its outputs are correct. The counts are taken in its process;
// submission.h says what protects them.
#ifndef ISOLATED_H
#define ISOLATED_H

#include "contender.h"

enum { ISOLATED_WHY = 320 };
// What the submission's program is started with: its socket.
enum { ISOLATED_SOCKET = 3 };

struct isolated {
    int pid, socket;
    int seconds;                    // the limit of its CPU time
    double deadline;                // of wall time, on the clock of seconds_now()
    const char *program, *source;   // paths; of the file whose lines a diagnosis may show
    const char *diagnosed;          // the first finding of the CPU device, or NULL
};

// Starts a submission's program, which ends with this process at the latest, with limits of CPU
// time, wall time, memory, and the size of files; with free: without confinement. What it prints
// goes to PROGRAM.log. Ends this program with STATUS_USAGE if it cannot be started or confined.
struct isolated *isolated_start(const char *program, int seconds, int free);

// Calls the stage of the other process: sends the inputs host[], and stores the outputs in
// device[]. With `facts`, the call is counted. Returns its status, with the reason in why[] if it
// is not STATUS_OK. Ends this program if the other process ends: with STATUS_WRONG after a
// diagnosis, otherwise with STATUS_ERROR.
enum status isolated_call(struct isolated *, const struct problem *, void *const host[],
                          void *const device[], struct facts *facts, char why[ISOLATED_WHY]);

// Ends the other process.
void isolated_end(struct isolated *);

// The other side: serves the calls that arrive at ISOLATED_SOCKET until it is closed. Sets the
// problem of the stage before each call.
enum status isolated_serve(struct contender *stage);

#endif

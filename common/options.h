// The command line of a stage's program.
#ifndef OPTIONS_H
#define OPTIONS_H

#include "ladder.h"

enum action { RUN, CHECK, BENCH, COUNT, SHMOO, ONCE, HELP, VERSION };

struct options {
    enum action action;
    int claims, hot, lines, exact;   // flags
    int sized;                   // dim[] was given
    long long dim[MAX_DIMS];
    enum type type;
    int reps;                    // samples to take; 0: as many as the spread asks for
    uint64_t seed;
    int device;
    const char *tsv;             // file to append rows to, "-" for stdout, or NULL
};

enum { MESSAGE = 320 };

// Returns 0, or -1 with one line in message[] that names the option, its value and what is accepted.
int options_parse(int argc, char *argv[], struct options *, char message[MESSAGE]);

void options_help(void);

#endif

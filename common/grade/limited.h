// Commands with limits, for programs that others wrote.
#ifndef LIMITED_H
#define LIMITED_H

#include "text.h"

struct limits {
    int seconds;   // of wall time
    int cpu_seconds, mb,
        file_mb;   // of each process: CPU time, memory, size of a file; 0: no limit
    // What a confined command may read, beside `folder`, in which alone it may change files; NULL:
    // it is not confined. Ends with NULL.
    const char *const *readable;
    const char *folder;
};

// The exit status of a command that could not be started or confined.
enum { LIMITED_UNSTARTED = 126 };

// Runs a command without input and without a shell. If its last two words are "> FILE", its output
// replaces this file. Other output replaces the file `log`. Returns its wait status, or -1 if it
// took too long. What it leaves running is killed.
int run_limited(struct arguments words, const char *log, const struct limits *);

#endif

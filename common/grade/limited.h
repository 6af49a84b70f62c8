// Commands with limits, for programs that others wrote.
#ifndef LIMITED_H
#define LIMITED_H

struct limits {
    int seconds;   // of wall time
    int cpu_seconds, mb,
        file_mb;   // of each process: CPU time, memory, size of a file; 0: no limit
    // What a confined command may read, beside `folder`, in which alone it may change files; NULL:
    // it is not confined. Ends with NULL.
    const char *const *readable;
    const char *folder;
};

// Runs a shell command without input. Its output replaces the file `log`. Returns its wait status,
// or -1 if it took too long. What it leaves running is killed.
int run_limited(const char *command, const char *log, const struct limits *);

#endif

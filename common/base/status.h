// How a call, a check, a run and a program can end: one list for all of them. A status is the exit
// status of a program; its word stands in the result table.
#ifndef STATUS_H
#define STATUS_H

// X(name, exit status, word)
#define STATUSES(X)                                                                            \
    X(STATUS_OK, 0, "ok")         /* correct */                                                \
    X(STATUS_WRONG, 1, "wrong")   /* wrong result, diagnosis, or a claim that does not hold */ \
    X(STATUS_USAGE, 2, "usage")   /* bad usage, or a file that cannot be read or written */    \
    X(STATUS_ERROR, 3, "error")   /* CUDA error, or out of memory */                           \
    X(STATUS_SKIPPED, 77, "skip") /* not for this device or size */

enum status {
#define X(name, exit_status, word) name = exit_status,
    STATUSES(X)
#undef X
};

static inline const char *status_word(enum status status)
{
    switch (status) {
#define X(name, exit_status, word) \
    case name: return word;
        STATUSES(X)
#undef X
    }
    return "";
}

#endif

// Workers: a process per submission, several at once.
#ifndef WORKERS_H
#define WORKERS_H

#include "grade.h"

// How grade_all() ends. STOPPED_BY_REPORT: report() returned 0.
enum ending { ALL_GRADED, INTERRUPTED, STOPPED_BY_REPORT };

struct queue {
    const struct grading *g;
    const struct submission *s;
    struct result *r;   // shared_results(n)
    int n;
    // Called once for each submission, in the order in which their gradings end, while its folder
    // is there. Returns 0 to stop. NULL: none.
    int (*report)(struct queue *, int i);
    void *context;
    int only_here;   // a descriptor that workers close, if it is not 0

    // Private.
    struct work *p;
    int done, workers, most_workers, gpu_busy, interrupted;
};

// Grades all. Every result is one: a worker that does not come to its end gives NOT_GRADED, with
// the reason. SIGINT, SIGTERM and SIGHUP end the grading, unless they are ignored: then the
// submissions that were being graded are reported as NOT_GRADED, and others are not reported.
enum ending grade_all(struct queue *);

// Results in memory that workers share with this process.
struct result *shared_results(int n);

#endif

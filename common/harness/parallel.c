#define _GNU_SOURCE   // sched_getaffinity

#include "parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { MOST_THREADS = 256 };

struct job {
    long long n;
    atomic_llong next;
    void (*work)(long long i, void *context);
    void *context;
};

static void *worker(void *argument)
{
    struct job *job = argument;

    for (long long i; (i = atomic_fetch_add(&job->next, 1)) < job->n;)
        job->work(i, job->context);
    return NULL;
}

void parallel(long long n, void (*work)(long long i, void *context), void *context)
{
    struct job job = { .n = n, .work = work, .context = context };
    pthread_t thread[MOST_THREADS];
    cpu_set_t cpus;
    int wanted = sched_getaffinity(0, sizeof cpus, &cpus) == 0 ? CPU_COUNT(&cpus) : 1, started = 0;

    while (started < wanted - 1 && started < n - 1 && started < MOST_THREADS &&
           pthread_create(&thread[started], NULL, worker, &job) == 0)
        started++;
    worker(&job);   // what no thread could be had for, this one does
    while (started > 0)
        pthread_join(thread[--started], NULL);
}

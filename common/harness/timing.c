#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "call.h"
#include "die.h"
#include "problem.h"
#include "stats.h"

enum {
    MOST_SETS = 4096,
    MOST_CALLS = 100000,   // in a sample
    FEWEST_SAMPLES = 20,
    MOST_SAMPLES = 500,
};

// a sample lasts at least this: events resolve about half a microsecond
static const double BATCH_US = 1000;
// of the same kernel before the first sample, for the clocks to settle
static const double WARM_US = 100e3;
static const double MOST_US = 2e6;          // of samples from one runner
static const double CLOSE_ENOUGH = 0.005;   // interquartile range, as part of the median
// a call below this is timed by graph replay as well: the host's part shows
static const double SHORT_US = 20;

static cudaEvent_t start, stop;

// Shared by all runners: none may come upon the set that another one has just pulled into the
// cache.
static unsigned long turn;

int cold_sets(const struct device *d, const struct problem *p)
{
    double bytes = (double)problem_bytes(p, IN) + (double)problem_bytes(p, OUT);
    double wanted = floor(4 * (d->l2_bytes > 0 ? d->l2_bytes : 64e6) / bytes) + 1;
    double room = floor(0.8 * device_free_bytes() / arrays_device_bytes(p, 1));

    return (int)fmax(1, fmin(fmin(wanted, room), MOST_SETS));
}

static int failed(struct contender *r, cudaError_t result)
{
    if (result == cudaSuccess)
        return 0;
    r->status = ERROR;
    snprintf(r->why, sizeof r->why, "%s (%s), while being timed", cudaGetErrorString(result),
             cudaGetErrorName(result));
    r->timing.samples = 0;
    return 1;
}

// Microseconds of `calls` calls back to back, or -1 and status ERROR.
static double batch_us(struct contender *r, int calls)
{
    void *device[MAX_BUFFERS];
    float ms;

    call_begin();
    if (failed(r, cudaEventRecord(start, cudaStreamPerThread)))
        return -1;
    for (int i = 0; i < calls; i++) {
        arrays_set(r->arrays, (int)(turn++ % r->timing.sets), device);
        week.run(r->fn, &r->problem, device);
    }
    if (failed(r, cudaGetLastError()) || failed(r, cudaEventRecord(stop, cudaStreamPerThread)) ||
        failed(r, cudaEventSynchronize(stop)) ||
        failed(r, cudaEventElapsedTime(&ms, start, stop))) {
        cudaGetLastError();
        return -1;
    }
    return 1e3 * ms;
}

// Finds how many calls make a sample, and warms up meanwhile.
static void prepare(struct contender *r)
{
    double spent = 0;

    r->timing.batch = 1;
    r->timing.sets = r->arrays->sets;
    while (r->status == OK && spent < WARM_US) {
        double us = batch_us(r, r->timing.batch);

        if (us < BATCH_US && r->timing.batch < MOST_CALLS) {
            double needed =
                us > 0 ? r->timing.batch * 1.1 * BATCH_US / us + 1 : 2.0 * r->timing.batch;
            r->timing.batch = (int)fmin(fmin(needed, 10.0 * r->timing.batch), MOST_CALLS);
        }
        spent += us > 0 ? us : BATCH_US;
    }
}

struct samples {
    double *us, *sorted, spent;
    int n, most, done;
};   // n of at most `most`

static void sample(struct contender *r, struct samples *s, int fewest)
{
    double us = batch_us(r, r->timing.batch);
    struct stats now;

    if (us < 0)
        return;
    s->us[s->n++] = us / r->timing.batch;
    s->spent += us;
    if (s->n < fewest)
        return;
    memcpy(s->sorted, s->us, s->n * sizeof *s->us);
    now = stats_of(s->sorted, s->n);
    s->done = now.iqr < CLOSE_ENOUGH * now.median || s->n == s->most || s->spent > MOST_US;
    r->timing.samples = s->n;
    r->timing.median = now.median;
    r->timing.p10 = now.p10;
    r->timing.p90 = now.p90;
    r->timing.min = now.min;
}

// The graph goes through all sets, so that it is as cold as the calls in a stream.
static double replay(const struct contender *r)
{
    int calls = r->timing.batch > r->timing.sets ? r->timing.batch : r->timing.sets;
    void *(*set)[MAX_BUFFERS];
    double us;

    calls = calls < 2 * MOST_SETS ? calls : 2 * MOST_SETS;
    set = must_malloc(calls * sizeof *set);
    for (int i = 0; i < calls; i++)
        arrays_set(r->arrays, i % r->timing.sets, set[i]);
    us = backend_replay_us(r->fn, &r->problem, set, calls);
    free(set);
    return us;
}

void time_all(struct contender *const runner[], int n, int samples)
{
    struct samples *s = must_malloc(n * sizeof *s);
    int going = n;

    cuda_must(cudaEventCreate(&start), "making an event");
    cuda_must(cudaEventCreate(&stop), "making an event");
    for (int i = 0; i < n; i++) {
        s[i] = (struct samples){ .most = samples ? samples : MOST_SAMPLES };
        s[i].us = must_malloc(s[i].most * sizeof *s[i].us);
        s[i].sorted = must_malloc(s[i].most * sizeof *s[i].sorted);
        prepare(runner[i]);
    }
    while (going) {
        going = 0;
        for (int i = 0; i < n; i++)
            going += runner[i]->status == OK && !s[i].done;
        for (int i = 0; i < n && going; i++)
            if (runner[i]->status == OK && s[i].n < s[i].most)
                sample(runner[i], &s[i], samples ? samples : FEWEST_SAMPLES);
    }
    for (int i = 0; i < n; i++)
        if (runner[i]->status == OK && runner[i]->timing.median < SHORT_US)
            runner[i]->timing.graph = replay(runner[i]);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    for (int i = 0; i < n; i++) {
        free(s[i].us);
        free(s[i].sorted);
    }
    free(s);
}

#include "timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "backend.h"
#include "call.h"
#include "program.h"
#include "problem.h"
#include "stats.h"

enum {
    MOST_SETS = 4096,
    MOST_CALLS = 100000,   // in a sample
    FEWEST_SAMPLES = 20,
    LEAST_SAMPLES = 7,
    MOST_SAMPLES = 500,
};

// a sample lasts at least this: events resolve about half a microsecond
static const double BATCH_US = 1000;
// warm-up with the same kernel before the first sample, for the clocks to settle
static const double WARM_US = 100e3;
static const double QUICK_WARM_US = 25e3;   // the same, if `quick`, after another contender's
static const double MOST_US = 2e6;          // all samples of one contender together
static const double QUICK_US = 0.15e6;      // the same, if `quick`
// of a long call: FEWEST_SAMPLES, or as many as fit in this share of that time, but at least
// LEAST_SAMPLES
static const double LONG = 0.5;
static const double CLOSE_ENOUGH = 0.005;   // interquartile range as a share of the median
// A shorter call is timed by graph replay, too. Launch overhead matters below SHORT_CALL_US; longer
// calls are replayed because shorter ones are compared with them.
static const double REPLAYED_US = 200;

struct timer {
    cudaEvent_t start, stop;
    const struct backend_clock *clock;
    // Shared by all contenders, so that none gets the set that another one has just loaded into the
    // cache.
    unsigned long turn;
    double warm_us, most_us;
};

int cold_sets(const struct device *d, const struct problem *p)
{
    double bytes = (double)problem_bytes(p, IN) + (double)problem_bytes(p, OUT);
    double wanted = floor(4 * (d->l2_bytes > 0 ? d->l2_bytes : 64e6) / bytes) + 1;
    double room = floor(0.8 * device_free_bytes() / arrays_device_bytes(p, 1));

    return (int)fmax(1, fmin(fmin(wanted, room), MOST_SETS));
}

static int failed(struct contender *c, cudaError_t result)
{
    if (result == cudaSuccess)
        return 0;
    c->status = STATUS_ERROR;
    c->why =
        text_of("%s (%s), while being timed", cudaGetErrorString(result), cudaGetErrorName(result));
    c->timing.samples = 0;
    return 1;
}

// Microseconds of `calls` calls back to back, or -1 and STATUS_ERROR. *mhz is the SM clock while
// they run: the host reads it before it waits for them.
static double batch_us(struct timer *t, struct contender *c, int calls, double *mhz)
{
    void *device[MAX_BUFFERS];
    float ms;

    call_begin();
    if (failed(c, cudaEventRecord(t->start, cudaStreamPerThread)))
        return -1;
    for (int i = 0; i < calls; i++) {
        arrays_set(c->arrays, (int)(t->turn++ % c->timing.sets), device);
        c->problem.week->run(c->fn, &c->problem, device);
    }
    if (failed(c, cudaGetLastError()) || failed(c, cudaEventRecord(t->stop, cudaStreamPerThread)))
        return -1;
    *mhz = backend_clock_mhz(t->clock);
    if (failed(c, cudaEventSynchronize(t->stop)) ||
        failed(c, cudaEventElapsedTime(&ms, t->start, t->stop))) {
        cudaGetLastError();
        return -1;
    }
    return 1e3 * ms;
}

// Determines the number of calls in a sample, and warms up.
static void warm_up(struct timer *t, struct contender *c)
{
    double spent = 0, mhz;

    c->timing.batch = 1;
    c->timing.sets = c->arrays->sets;
    while (c->status == STATUS_OK && spent < t->warm_us) {
        double us = batch_us(t, c, c->timing.batch, &mhz);

        if (us < BATCH_US && c->timing.batch < MOST_CALLS) {
            double needed =
                us > 0 ? c->timing.batch * 1.1 * BATCH_US / us + 1 : 2.0 * c->timing.batch;
            c->timing.batch = (int)fmin(fmin(needed, 10.0 * c->timing.batch), MOST_CALLS);
        }
        spent += us > 0 ? us : BATCH_US;
    }
}

struct samples {
    double *us, *mhz, *sorted, spent;
    int n, most, done;   // n of at most `most`
};

static void summarize(struct contender *c, const struct samples *s)
{
    memcpy(s->sorted, s->mhz, s->n * sizeof *s->mhz);
    c->timing.sm_mhz = stats_of(s->sorted, s->n).median;
    memcpy(s->sorted, s->us, s->n * sizeof *s->us);
    c->timing.us = stats_of(s->sorted, s->n);
    c->timing.samples = s->n;
    c->timing.noisy = c->timing.us.iqr >= CLOSE_ENOUGH * c->timing.us.median;
}

static void sample(struct timer *t, struct contender *c, struct samples *s, int fewest)
{
    double us = batch_us(t, c, c->timing.batch, &s->mhz[s->n]);

    if (us < 0)
        return;
    s->us[s->n++] = us / c->timing.batch;
    s->spent += us;
    if (s->n < fewest && (s->n < LEAST_SAMPLES || s->spent < LONG * t->most_us))
        return;
    summarize(c, s);
    s->done = !c->timing.noisy || s->n == s->most || s->spent > t->most_us;
}

// The graph's calls rotate among all sets, so that the cache is as cold as for calls in a stream.
static struct stats replay(const struct contender *c)
{
    int calls = c->timing.batch > c->timing.sets ? c->timing.batch : c->timing.sets;
    void *(*set)[MAX_BUFFERS];
    struct stats us;

    calls = calls < 2 * MOST_SETS ? calls : 2 * MOST_SETS;
    set = must_malloc(calls * sizeof *set);
    for (int i = 0; i < calls; i++)
        arrays_set(c->arrays, i % c->timing.sets, set[i]);
    us = backend_replay(c->fn, &c->problem, set, calls);
    free(set);
    return us;
}

static struct samples samples_new(int most)
{
    struct samples s = { .most = most };

    s.us = must_malloc(most * sizeof *s.us);
    s.mhz = must_malloc(most * sizeof *s.mhz);
    s.sorted = must_malloc(most * sizeof *s.sorted);
    return s;
}

// How many contenders need more samples. When one has spent its time, the others need no more than
// FEWEST_SAMPLES: a contender that is 1000 times slower would have to follow.
static int going_on(const struct timer *t, const struct samples *s,
                    struct contender *const contender[], int n)
{
    int going = 0, spent = 0;

    for (int i = 0; i < n; i++)
        spent |= s[i].spent > t->most_us;
    for (int i = 0; i < n; i++)
        going +=
            contender[i]->status == STATUS_OK && !s[i].done && !(spent && s[i].n >= FEWEST_SAMPLES);
    return going;
}

void time_all(const struct device *d, struct contender *const contender[], int n, int samples,
              int quick)
{
    struct samples *s = must_malloc(n * sizeof *s);
    struct timer t = { .clock = d->clock,
                       .warm_us = WARM_US,
                       .most_us = quick ? QUICK_US : MOST_US };
    int going = n;
    double watts;

    cuda_must(cudaEventCreate(&t.start), "making an event");
    cuda_must(cudaEventCreate(&t.stop), "making an event");
    for (int i = 0; i < n; i++) {
        s[i] = samples_new(samples ? samples : MOST_SAMPLES);
        warm_up(&t, contender[i]);
        if (quick)
            t.warm_us = QUICK_WARM_US;
    }
    while (going) {
        going = going_on(&t, s, contender, n);
        for (int i = 0; i < n && going; i++)
            if (contender[i]->status == STATUS_OK && s[i].n < s[i].most)
                sample(&t, contender[i], &s[i], samples ? samples : FEWEST_SAMPLES);
    }
    watts = backend_watts(t.clock);
    for (int i = 0; i < n; i++)
        contender[i]->timing.watts = watts;
    for (int i = 0; i < n; i++)
        if (contender[i]->status == STATUS_OK && contender[i]->timing.us.median < REPLAYED_US)
            contender[i]->timing.graph = replay(contender[i]);
    cudaEventDestroy(t.start);
    cudaEventDestroy(t.stop);
    for (int i = 0; i < n; i++) {
        free(s[i].us);
        free(s[i].mhz);
        free(s[i].sorted);
    }
    free(s);
}

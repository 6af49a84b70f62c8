#include "isolated.h"
#include "measure.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "buffers.h"
#include "folders.h"
#include "problem.h"
#include "program.h"
#include "shift.h"
#include "stats.h"
#include "timing.h"

// One round in CHECKED is checked completely, and the last one.
enum { ROUNDS = 9, CHECKED = 3, FEWEST_CALLS = 8, MOST_CALLS = 4096, REFERENCE_SECONDS = 600 };

// A round lasts about this long, so that the time of the two messages is small beside it.
static const double ROUND_US = 20e3;
// of the free memory, for the sets of one process; there are at most three, and this process's own
static const double SHARE_OF_MEMORY = 0.2;

struct timed {
    struct contender *c;
    struct isolated *process;
    int sets;
    double empty_us;   // of a round without calls
    double us[ROUNDS];
};

static void random_shifts(uint64_t *shift, int n)
{
    for (int i = 0; i < n; i++)
        if (getrandom(&shift[i], sizeof *shift, 0) != sizeof *shift)
            die(STATUS_ERROR, "getrandom: %s", strerror(errno));
}

static int most_sets(const struct problem *p)
{
    double sets = floor(SHARE_OF_MEMORY * device_free_bytes() / arrays_device_bytes(p, 1)) - 1;

    return (int)fmax(1, fmin(sets, MOST_CALLS));
}

// Chooses the number of sets, from the time of a first round.
static void prepare_round(struct timed *t, void *const host[], uint64_t *shift)
{
    const struct problem *p = &t->c->problem;
    int most = most_sets(p);
    double us;

    t->sets = most < FEWEST_CALLS ? most : FEWEST_CALLS;
    random_shifts(shift, t->sets);
    isolated_prepare(t->process, p, host, t->sets);
    isolated_round(t->process, p, shift, t->sets, t->sets);   // warm-up
    us = isolated_round(t->process, p, shift, t->sets, t->sets) / t->sets;
    if (us * t->sets < ROUND_US) {
        t->sets = (int)fmin(most, ceil(ROUND_US / fmax(us, 1)));
        random_shifts(shift, t->sets);
        isolated_prepare(t->process, p, host, t->sets);
        isolated_round(t->process, p, shift, t->sets, t->sets);
    }
    t->empty_us = INFINITY;
    for (int i = 0; i < 3; i++)
        t->empty_us = fmin(t->empty_us, isolated_round(t->process, p, shift, t->sets, 0));
}

// Whether every set has been written: what is left of the poison are bytes of that value.
static void probe_round(struct timed *t)
{
    unsigned char(*bytes)[PROBE_BYTES] = must_malloc(t->sets * sizeof *bytes);
    uint64_t place;

    random_shifts(&place, 1);
    isolated_probe(t->process, &t->c->problem, place, t->sets, bytes);
    for (int i = 0; i < t->sets && t->c->status == STATUS_OK; i++) {
        int written = 0;

        for (int k = 0; k < PROBE_BYTES; k++)
            written |= bytes[i][k] != POISON;
        if (written)
            continue;
        t->c->status = STATUS_WRONG;
        t->c->why = text_of("correct before timing; call %d of %d did not write its output", i + 1,
                            t->sets);
    }
    free(bytes);
}

// Compares the outputs of one set, which the other process could not know to be the one.
static void check_round(struct timed *t, struct arrays *a, void *const base[],
                        const uint64_t *shift)
{
    void *device[MAX_BUFFERS];
    struct verdict v = not_judged;
    uint64_t which;
    int set;

    random_shifts(&which, 1);
    set = (int)(which % t->sets);
    arrays_set(a, 0, device);
    arrays_shift_host(a, base, shift[set]);
    isolated_return(t->process, &t->c->problem, set, device);
    check_outputs(&t->c->problem, a, 0, &v);
    if (v.status == STATUS_OK)
        return;
    t->c->status = v.status;
    t->c->why = text_of("correct before timing, wrong while timed: %s", v.why);
}

static void time_round(struct timed *t, int round, struct arrays *a, void *const base[],
                       uint64_t *shift)
{
    uint64_t which;

    if (t->c->status != STATUS_OK)
        return;
    random_shifts(shift, t->sets);
    t->us[round] =
        (isolated_round(t->process, &t->c->problem, shift, t->sets, t->sets) - t->empty_us) /
        t->sets;
    probe_round(t);
    random_shifts(&which, 1);
    if (t->c->status == STATUS_OK && (which % CHECKED == 0 || round == ROUNDS - 1))
        check_round(t, a, base, shift);
}

static void summarize_rounds(struct timed *t)
{
    struct timing *timing = &t->c->timing;

    if (t->c->status != STATUS_OK)
        return;
    timing->samples = ROUNDS;
    timing->batch = timing->sets = t->sets;
    timing->us = stats_of(t->us, ROUNDS);
    timing->noisy = timing->us.iqr >= 0.02 * timing->us.median;
}

// The process of a reference, which runs as the submission does.
static struct isolated *start_reference(const struct contender *ref)
{
    char folder[PATH_MAX];

    if (program_folder(folder) < 0)
        die(STATUS_ERROR, "/proc/self/exe: %s", strerror(errno));
    return isolated_start(text_of("%s/%s.so", folder, ref->info->key), REFERENCE_SECONDS, 1, 1);
}

void isolated_time(struct measurement *m)
{
    struct timed timed[1 + MOST_REFERENCES] = { { .c = &m->stage, .process = m->process } };
    struct arrays *a = m->stage.arrays;
    uint64_t *shift = must_malloc(MOST_CALLS * sizeof *shift);
    void *base[MAX_BUFFERS] = { NULL };
    int n = 1;

    for (int i = 0; i < m->n_refs; i++)
        if (m->ref[i].status == STATUS_OK && arrays_serve(a, &m->ref[i].problem))
            timed[n++] = (struct timed){ .c = &m->ref[i], .process = start_reference(&m->ref[i]) };
    for (int i = 0; i < a->n; i++)
        if (a->host[i]) {
            base[i] = must_malloc(buffer_bytes(&a->buffer[i]));
            memcpy(base[i], a->host[i], buffer_bytes(&a->buffer[i]));
        }
    for (int i = 0; i < n; i++)
        prepare_round(&timed[i], base, shift);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < n; i++)
            time_round(&timed[i], round, a, base, shift);
    for (int i = 0; i < n; i++) {
        summarize_rounds(&timed[i]);
        if (i > 0)
            isolated_end(timed[i].process);
    }
    for (int i = 0; i < a->n; i++)
        free(base[i]);
    free(shift);
}

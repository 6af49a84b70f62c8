#include "measure.h"

#include <stdlib.h>

#include "call.h"
#include "die.h"
#include "backend.h"
#include "problem.h"
#include "results.h"
#include "timing.h"

const char *measure_mode(const struct measurement *b)
{
    return on_cpu_device ? "count" : b->hot ? "hot" : "cold";
}

static void take_verdict(struct contender *r, const struct verdict *v)
{
    static const enum status status[] = {
        [RIGHT] = OK, [WRONG] = BROKEN, [REFUSED] = SKIPPED, [FAILED] = ERROR
    };

    r->status = status[v->is];
    r->max_error = v->max_error;
    snprintf(r->why, sizeof r->why, "%s", v->why);
    if (v->is == FAILED)
        r->timing.samples = 0;
}

// Whether this device can run it at all.
static int possible(const struct measurement *b, struct contender *r)
{
    if (device_has(b->device, r->info->needs))
        return 1;
    r->status = SKIPPED;
    snprintf(r->why, sizeof r->why, "needs %s", r->info->needs);
    return 0;
}

static void verify_ref(const struct measurement *b, struct contender *ref)
{
    struct verdict v;

    if (!possible(b, ref))
        return;
    if (arrays_serve(b->stage->arrays, &ref->problem)) {
        ref->arrays = b->stage->arrays;
        check_once(ref->fn, &ref->problem, ref->arrays, 0, &v);
    } else if (!arrays_misfit(&ref->problem)) {
        ref->arrays = arrays_new(&ref->problem, b->hot ? 1 : cold_sets(b->device, &ref->problem));
        check_stage(ref->fn, &ref->problem, ref->arrays, NULL, &v);
        arrays_spread(ref->arrays);
    } else {
        v = (struct verdict){ .is = REFUSED, .max_error = -1 };
        snprintf(v.why, sizeof v.why, "%s", arrays_misfit(&ref->problem));
    }
    take_verdict(ref, &v);
    if (v.is == FAILED) {
        warn("%s: %s", ref->stage, ref->why);
        call_must_recover();
    }
}

static void learn_facts(struct contender *r)
{
    void *device[MAX_BUFFERS];

    if (r->status != OK)
        return;
    arrays_set(r->arrays, 0, device);
    call_begin();
    backend_inspect(r->fn, &r->problem, device, &r->facts);
}

// A rate that the memory's pins cannot reach is one that was measured wrong.
static void believe(const struct measurement *b, struct contender *r)
{
    double gbs = r->status == OK ? week.bytes(&r->problem) / r->timing.median / 1e3 : 0;

    if (b->hot || b->device->peak_gbs <= 0 || gbs <= b->device->peak_gbs)
        return;
    r->status = ERROR;
    snprintf(r->why, sizeof r->why,
             "measured %.0f GB/s from memory whose pins reach %.0f GB/s: not to be believed", gbs,
             b->device->peak_gbs);
    r->timing.samples = 0;
}

static void time_them(struct measurement *b)
{
    struct contender *timed[1 + MOST_REFERENCES];
    int n = 0;

    timed[n++] = b->stage;
    for (int i = 0; i < b->n_refs; i++)
        if (b->ref[i].status == OK)
            timed[n++] = &b->ref[i];
    for (int i = 0; i < n; i++)
        learn_facts(timed[i]);
    arrays_spread(b->stage->arrays);
    time_all(timed, n, b->samples);
    if (b->stage->status == OK) {
        check_once(b->stage->fn, &b->stage->problem, b->stage->arrays, b->stage->arrays->sets - 1,
                   &b->verdict);
        take_verdict(b->stage, &b->verdict);
        if (b->verdict.is == WRONG)
            snprintf(b->stage->why, sizeof b->stage->why,
                     "right before it was timed, wrong after: %.270s", b->verdict.why);
    }
    for (int i = 0; i < n; i++)
        believe(b, timed[i]);
}

static void give_back(struct measurement *b)
{
    for (int i = 0; i < b->n_refs; i++)
        if (b->ref[i].arrays && b->ref[i].arrays != b->stage->arrays)
            arrays_free(b->ref[i].arrays);
    arrays_free(b->stage->arrays);
    b->stage->arrays = NULL;
    for (int i = 0; i < b->n_refs; i++)
        b->ref[i].arrays = NULL;
}

static void verify_stage(struct measurement *b, const struct problem *p, int sets)
{
    contender_set(b->stage, p);
    b->stage->arrays = arrays_new(&b->stage->problem, sets);
    check_stage(b->stage->fn, &b->stage->problem, b->stage->arrays, &b->stage->facts, &b->verdict);
    take_verdict(b->stage, &b->verdict);
}

// Gives what the stage made to the week, where one of its options is about that.
static void hand_over(const struct contender *r)
{
    void *device[MAX_BUFFERS], *got[MAX_BUFFERS] = { NULL };
    const char *wrong;
    int wanted = 0;

    for (int i = 0; week.options && week.options[i].name; i++)
        wanted |= r->problem.option[i] && week.options[i].scope == ONE_RESULT;
    if (!wanted)
        return;
    arrays_set(r->arrays, 0, device);
    for (int i = 0; i < r->arrays->n; i++)
        if (r->arrays->buffer[i].role == OUT) {
            got[i] = must_malloc(buffer_bytes(&r->arrays->buffer[i]));
            arrays_download(got[i], device[i], buffer_bytes(&r->arrays->buffer[i]));
        }
    wrong = week.result(&r->problem, r->arrays->host, got);
    for (int i = 0; i < r->arrays->n; i++)
        free(got[i]);
    if (wrong)
        die(EXIT_USAGE, "%s", wrong);
}

void measure_run(struct measurement *b, const struct problem *p)
{
    for (int i = 0; i < b->n_refs; i++)
        contender_set(&b->ref[i], p);
    verify_stage(b, p, on_cpu_device || b->hot ? 1 : cold_sets(b->device, p));
    if (b->stage->status == OK)
        hand_over(b->stage);
    if (b->stage->status == OK && !on_cpu_device) {
        for (int i = 0; i < b->n_refs; i++)
            verify_ref(b, &b->ref[i]);
        time_them(b);
    }
    give_back(b);
}

void measure_check(struct measurement *b, const struct problem *p)
{
    verify_stage(b, p, b->exact ? SEPARATE : 1);
    arrays_free(b->stage->arrays);
    b->stage->arrays = NULL;
}

void measure_put(const struct measurement *b)
{
    const char *mode = measure_mode(b);
    struct row row;

    contender_row(b->stage, mode, &row);
    results_put(&row);
    for (int i = 0; i < b->n_refs; i++)
        if (b->stage->status == OK) {
            contender_row(&b->ref[i], mode, &row);
            results_put(&row);
        }
}

#include "measure.h"

#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "program.h"
#include "backend.h"
#include "problem.h"
#include "select.h"
#include "timing.h"

const char *measure_mode(const struct measurement *m)
{
    return on_cpu_device ? "count" : m->hot ? "hot" : "cold";
}

static void take_verdict(struct contender *c, const struct verdict *v)
{
    c->status = v->status;
    c->max_error = v->max_error;
    c->why = v->why;
    if (v->status == STATUS_ERROR)
        c->timing.samples = 0;
}

// Whether this device can run the reference.
static int possible(const struct measurement *m, struct contender *r)
{
    if (device_has(m->device, r->info->needs))
        return 1;
    r->status = STATUS_SKIPPED;
    r->why = text_of("needs %s", r->info->needs);
    return 0;
}

// Calls a contender that is not checked before it is timed: a call of a CUDA graph cannot be the
// first one, which allocates memory, and a contender may refuse the problem.
static void call_once(const struct contender *c, struct verdict *v)
{
    void *device[MAX_BUFFERS];

    *v = not_judged;
    arrays_set(c->arrays, 0, device);
    v->status = call_stage(c->fn, &c->problem, device);
    if (v->status != STATUS_OK)
        v->why = text_of("%s", call_why());
}

static void check_reference(const struct measurement *m, struct contender *ref)
{
    struct verdict v;

    if (!possible(m, ref))
        return;
    if (arrays_serve(m->stage.arrays, &ref->problem)) {
        ref->arrays = m->stage.arrays;
        // of another problem, one call of the host's reference takes longer than the timing
        if (m->one_call && strcmp(ref->problem.computes, m->stage.problem.computes) != 0)
            call_once(ref, &v);
        else
            check_once(ref->fn, &ref->problem, ref->arrays, 0, NULL, &v);
    } else if (!arrays_misfit(&ref->problem)) {
        ref->arrays = arrays_new(&ref->problem, m->hot ? 1 : cold_sets(m->device, &ref->problem));
        check_stage(ref->fn, &ref->problem, ref->arrays, NULL, &v);
        arrays_spread(ref->arrays);
    } else {
        v = not_judged;
        v.status = STATUS_SKIPPED;
        v.why = arrays_misfit(&ref->problem);
    }
    take_verdict(ref, &v);
    if (v.status == STATUS_ERROR) {
        warn("%s: %s", ref->stage, ref->why);
        call_must_recover();
    }
}

static void learn_facts(struct contender *r)
{
    void *device[MAX_BUFFERS];

    if (r->status != STATUS_OK)
        return;
    arrays_set(r->arrays, 0, device);
    call_begin();
    backend_inspect(r->fn, &r->problem, device, r->facts);
}

// A rate above the peak bandwidth is a measurement error.
static void reject_impossible(const struct measurement *m, struct contender *r)
{
    double gbs = r->status == STATUS_OK
                   ? r->problem.week->bytes(&r->problem) / r->timing.us.median / 1e3
                   : 0;

    if (m->hot || m->device->peak_gbs <= 0 || gbs <= m->device->peak_gbs)
        return;
    r->status = STATUS_ERROR;
    r->why = text_of("measured %.0f GB/s from a memory with a peak of %.0f GB/s: impossible", gbs,
                     m->device->peak_gbs);
    r->timing.samples = 0;
}

static void reject_all(struct measurement *m)
{
    reject_impossible(m, &m->stage);
    for (int i = 0; i < m->n_refs; i++)
        if (m->ref[i].timing.samples)
            reject_impossible(m, &m->ref[i]);
}

static void time_them(struct measurement *m)
{
    struct contender *timed[1 + MOST_REFERENCES];
    int n = 0;

    timed[n++] = &m->stage;
    for (int i = 0; i < m->n_refs; i++)
        if (m->ref[i].status == STATUS_OK)
            timed[n++] = &m->ref[i];
    for (int i = 0; i < n; i++)
        learn_facts(timed[i]);
    arrays_spread(m->stage.arrays);
    time_all(m->device, timed, n, m->samples, m->one_call);
    if (m->stage.status == STATUS_OK) {
        // Other inputs at the same addresses: a stage that caches a result after some calls is
        // wrong.
        struct problem other = m->stage.problem;

        other.seed += 2;   // check_stage() used the next seed
        arrays_fill(m->stage.arrays, &other);
        arrays_spread(m->stage.arrays);
        check_once(m->stage.fn, &other, m->stage.arrays, m->stage.arrays->sets - 1, NULL,
                   &m->verdict);
        take_verdict(&m->stage, &m->verdict);
        if (m->verdict.status == STATUS_WRONG && !m->one_call)
            m->stage.why = text_of("correct before timing, wrong after timing: %s", m->verdict.why);
    }
    reject_all(m);
}

static void free_arrays(struct measurement *m)
{
    for (int i = 0; i < m->n_refs; i++)
        if (m->ref[i].arrays && m->ref[i].arrays != m->stage.arrays)
            arrays_free(m->ref[i].arrays);
    arrays_free(m->stage.arrays);
    m->stage.arrays = NULL;
    for (int i = 0; i < m->n_refs; i++)
        m->ref[i].arrays = NULL;
}

static void measure_correctness(struct measurement *m, const struct problem *p, int sets)
{
    contender_set(&m->stage, p);
    m->stage.arrays = arrays_new(&m->stage.problem, sets);
    m->stage.arrays->process = m->process;
    if (m->one_call)
        arrays_fill(m->stage.arrays, &m->stage.problem);
    if (m->one_call && !on_cpu_device && !m->process)   // it is checked after it was timed
        call_once(&m->stage, &m->verdict);
    else if (m->one_call)
        check_once(m->stage.fn, &m->stage.problem, m->stage.arrays, 0, m->stage.facts, &m->verdict);
    else
        check_stage(m->stage.fn, &m->stage.problem, m->stage.arrays, m->stage.facts, &m->verdict);
    take_verdict(&m->stage, &m->verdict);
}

// Passes the stage's outputs to the week if one of its options needs them.
static void hand_over(const struct contender *r)
{
    void *got[MAX_BUFFERS];
    const struct week *week = r->problem.week;
    const char *wrong;
    int wanted = 0;

    for (int i = 0; week->options && week->options[i].name; i++)
        wanted |= r->problem.option[i] && week->options[i].scope == ONE_RESULT;
    if (!wanted)
        return;
    arrays_outputs(r->arrays, 0, got);
    wrong = week->result(&r->problem, r->arrays->host, got);
    for (int i = 0; i < r->arrays->n; i++)
        free(got[i]);
    if (wrong)
        die(STATUS_USAGE, "%s", wrong);
}

void measure_run(struct measurement *m, const struct problem *asked)
{
    struct problem counted = *asked, *p = &counted;

    counted.counted_sms = stage_number(m->stage.stage) < 0 ? 0 : asked->week->counted_sms;
    for (int i = 0; i < m->n_refs; i++)
        contender_set(&m->ref[i], p);
    measure_correctness(m, p, on_cpu_device || m->hot || m->process ? 1 : cold_sets(m->device, p));
    if (m->stage.status == STATUS_OK)
        hand_over(&m->stage);
    if (m->stage.status == STATUS_OK && !on_cpu_device && m->process) {
        for (int i = 0; i < m->n_refs; i++)
            possible(m, &m->ref[i]);
        isolated_time(m);
        reject_all(m);
    } else if (m->stage.status == STATUS_OK && !on_cpu_device) {
        for (int i = 0; i < m->n_refs; i++)
            check_reference(m, &m->ref[i]);
        time_them(m);
    }
    free_arrays(m);
}

void measure_check(struct measurement *m, const struct problem *p)
{
    measure_correctness(m, p, m->exact ? SEPARATE : 1);
    arrays_free(m->stage.arrays);
    m->stage.arrays = NULL;
}

void measure_put(const struct measurement *m, struct results *results)
{
    struct row row[1 + MOST_REFERENCES];
    int n = 0;

    row[n++] = contender_row(&m->stage, measure_mode(m));
    for (int i = 0; i < m->n_refs && m->stage.status == STATUS_OK; i++)
        row[n++] = contender_row(&m->ref[i], measure_mode(m));
    results_put(results, row, n);
}

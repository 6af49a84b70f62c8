#include "estimate_async.h"

#include <math.h>
#include <stdlib.h>

#include "../base/program.h"

struct phase {
    int arrivals;                      // of warps of this block
    double own, all;                   // bytes that land: of copies of this block, and of all
    unsigned copies_by;                // the warp of the first own copy
    const struct emu_event *expects;   // the arrival that expects the bytes
};

struct mbarrier_use {
    const char *object;
    struct phase *phase;
    int n, now, arrivals;
};

struct async {
    struct mbarrier_use *of;
    int n;
    const struct emu_event *events;
    int n_events;
    int *at;   // of each event: its phase
    int *most_requests, intervals, warps;
};

static struct mbarrier_use *use_of(const struct async *a, const struct emu_event *e)
{
    for (int k = 0; k < a->n; k++)
        if (a->of[k].object == e->object)
            return &a->of[k];
    return NULL;
}

static struct phase *phase_of(const struct async *a, const struct emu_event *e)
{
    struct mbarrier_use *m = use_of(a, e);
    int at = a->at[e - a->events];

    return m && at >= 0 && at < m->n ? &m->phase[at] : NULL;
}

static void note_phase(struct async *a, const struct emu_event *e)
{
    struct mbarrier_use *m = use_of(a, e);
    int at;

    if (!m) {
        a->of = grown(a->of, a->n, sizeof *a->of);
        m = &a->of[a->n++];
        *m = (struct mbarrier_use){ .object = e->object };
    }
    at = e->step == EMU_ARRIVE || e->step == EMU_PHASE ? (int)e->group : m->now;
    while (m->n <= at) {
        m->phase = grown(m->phase, m->n, sizeof *m->phase);
        m->phase[m->n++] = (struct phase){ .copies_by = EMU_NO_WARP };
    }
    a->at[e - a->events] = at;
    if (e->step == EMU_PHASE)
        m->now = at + 1;
}

static void note_bytes(struct async *a, const struct emu_event *e)
{
    struct phase *p = phase_of(a, e);

    if (e->step != EMU_BULK || !e->is_shared || e->kind != EMU_BULK_LD)
        return;
    p->all += e->size;
    if (e->warp == EMU_NO_WARP)
        return;
    p->own += e->size;
    if (p->copies_by == EMU_NO_WARP)
        p->copies_by = e->warp;
}

static void note_arrival(struct async *a, const struct emu_event *e)
{
    struct mbarrier_use *m = use_of(a, e);
    struct phase *p = phase_of(a, e);

    if (e->step != EMU_ARRIVE || e->warp == EMU_NO_WARP)
        return;
    p->arrivals += __builtin_popcount(e->lanes);
    m->arrivals = p->arrivals > m->arrivals ? p->arrivals : m->arrivals;
    if (!p->expects && (p->copies_by == EMU_NO_WARP || p->copies_by == e->warp))
        p->expects = e;
}

// Of each warp: the barriers of all warps so far, and the requests since the last one.
struct progress {
    int barriers, requests;
};

static void note_requests(struct async *a)
{
    struct progress *of = must_calloc(a->warps, sizeof *of);

    for (const struct emu_event *e = a->events; e < a->events + a->n_events; e++) {
        struct progress *p = e->warp < (unsigned)a->warps ? &of[e->warp] : NULL;
        unsigned first;

        if (!p)
            continue;
        while (a->intervals <= p->barriers) {
            a->most_requests = grown(a->most_requests, a->intervals, sizeof *a->most_requests);
            a->most_requests[a->intervals++] = 0;
        }
        p->requests += e->step == EMU_REQUEST;
        if (p->requests > a->most_requests[p->barriers])
            a->most_requests[p->barriers] = p->requests;
        if (e->step == EMU_BARRIER && async_together(a, e, &first) == a->warps)
            p->barriers++, p->requests = 0;
    }
    free(of);
}

int async_most_requests(const struct async *a, int k)
{
    return k < a->intervals ? a->most_requests[k] : 0;
}

struct async *async_of(const struct emu_event *events, int n, int warps)
{
    struct async *a = must_calloc(1, sizeof *a);

    a->warps = warps;
    a->events = events;
    a->n_events = n;
    a->at = must_calloc(n + 1, sizeof *a->at);
    for (int k = 0; k < n; k++)
        if ((events[k].step == EMU_BULK || events[k].step >= EMU_INIT) && events[k].object[0] &&
            events[k].step <= EMU_PHASE)
            note_phase(a, &events[k]);
    for (int k = 0; k < n; k++)
        if (events[k].object[0])
            note_bytes(a, &events[k]);
    for (int k = 0; k < n; k++)
        note_arrival(a, &events[k]);
    note_requests(a);
    return a;
}

void async_free(struct async *a)
{
    for (int k = 0; k < a->n; k++)
        free(a->of[k].phase);
    free(a->of);
    free(a->most_requests);
    free(a->at);
    free(a);
}

// The events of these warps have one position.
int async_together(const struct async *a, const struct emu_event *e, unsigned *first)
{
    const struct emu_event *from = e, *end = a->events + a->n_events;
    int n = 0;

    while (from > a->events && from[-1].order == e->order)
        from--;
    for (*first = from->warp; from < end && from->order == e->order; from++)
        n++;
    return n;
}

int async_arrivals(const struct async *a, const struct emu_event *e)
{
    const struct mbarrier_use *m = use_of(a, e);

    return m ? m->arrivals : 0;
}

int async_number(const struct async *a, const struct emu_event *e)
{
    const struct mbarrier_use *m = use_of(a, e);

    return m ? (int)(m - a->of) : a->n;
}

double async_expected(const struct async *a, const struct emu_event *e)
{
    const struct phase *p = phase_of(a, e);

    return p && p->expects == e && p->own > 0 ? p->all : 0;
}

double async_landing(const struct async *a, const struct emu_event *e)
{
    const struct phase *p = phase_of(a, e);

    return p && p->own > 0 ? ceil(e->size * p->all / p->own) : e->size;   // no byte is missing
}

// `ladder figure trace`: what the warps of a block did, in the order of execution on the CPU
// device. The order is not a time.
#include "event_figures.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_SLOTS = 4 };

// What has one color.
static const struct look {
    const char *says;
    enum color color;
} look[] = { { "load", BLUE },           { "store", VERMILION }, { "shared load", SKY },
             { "shared store", ORANGE }, { "copy", GREEN },      { "other", PURPLE },
             { "wgmma", WINE },          { "wait", DARK },       { "barrier", BLACK },
             { "next launch", GRAY } };
enum {
    M_LOAD,
    M_STORE,
    M_SHARED_LOAD,
    M_SHARED_STORE,
    M_COPY,
    M_OTHER,
    M_PRODUCT,
    M_WAIT,
    M_BARRIER,
    M_LAUNCH,
    MARKS,
    M_NONE
};

static int mark_of(const struct event *e)
{
    switch (kind_of(e)) {
    case EVENT_LOAD: return M_LOAD;
    case EVENT_STORE: return M_STORE;
    case EVENT_SHARED_LOAD: return M_SHARED_LOAD;
    case EVENT_SHARED_STORE: return M_SHARED_STORE;
    case EVENT_COPY_LOAD:
    case EVENT_COPY_STORE:
    case EVENT_BULK_LOAD:
    case EVENT_BULK_FILL:
    case EVENT_BULK_STORE:
    case EVENT_BULK_SOURCE:
    case EVENT_COMMIT: return M_COPY;
    case EVENT_OPERAND_A:
    case EVENT_OPERAND_B: return M_PRODUCT;
    case EVENT_PRODUCTS_DONE:
    case EVENT_WAIT: return M_WAIT;
    case EVENT_DONE:
    case EVENT_INIT:
    case EVENT_ARRIVE:
    case EVENT_PHASE:
    case EVENT_BLOCKED:
    case EVENT_RESUMED: return M_NONE;
    case EVENT_BARRIER: return M_BARRIER;
    default: return M_OTHER;
    }
}

// A commit group of one warp: its copies are in flight from the first to the wait that completes
// the group.
struct flight {
    int warp, slot;
    const char *launch;
    long group;
    double from, to;
};

struct trace {
    const struct events *all;
    long end;   // the first position that is not drawn
    int warps, slots;
    int used[MARKS], barriers;
    unsigned others;   // set of the kinds that M_OTHER stands for
    struct flight *flight;
    int flights;
    struct pipeline pipeline;
};

// --- copies in flight

static int is_of(const struct flight *f, const struct event *e)
{
    return f->warp == atoi(e->warp) && strcmp(f->launch, e->launch) == 0;
}

static void find_flights(struct trace *t)
{
    for (size_t i = 0; i < t->all->n; i++) {
        const struct event *e = &t->all->row[i];
        int busy[MOST_SLOTS] = { 0 }, slot = 0, is_new = 1;

        if (kind_of(e) != EVENT_COPY_LOAD && kind_of(e) != EVENT_COPY_STORE)
            continue;
        for (int k = 0; k < t->flights; k++) {
            const struct flight *f = &t->flight[k];

            is_new &= !is_of(f, e) || f->group != atol(e->group);
            busy[f->slot] |= is_of(f, e) && f->to > step_of(e);
        }
        if (!is_new)
            continue;
        while (slot < MOST_SLOTS - 1 && busy[slot])
            slot++;
        t->slots = slot + 1 > t->slots ? slot + 1 : t->slots;
        t->flight = grown(t->flight, t->flights, sizeof *t->flight);
        t->flight[t->flights++] = (struct flight){
            atoi(e->warp),  slot,       e->launch,
            atol(e->group), step_of(e), end_of_group(&t->pipeline, i, EVENT_WAIT)
        };
    }
}

// --- drawing

static void put_flights(struct sheet *s, struct trace *t)
{
    block_begin(s, "flights", "copies in flight: from, to, low, high, color");
    for (int i = 0; i < t->flights; i++) {
        const struct flight *f = &t->flight[i];
        double h = 0.46 / t->slots, low = f->warp + 0.02 + f->slot * h;

        fprintf(s->data, "%g %g %g %g %d # warp %d group %ld\n", f->from - 0.5, f->to + 0.5, low,
                low + 0.86 * h, paler(rgb(GREEN)), f->warp, f->group);
    }
    put_pipeline(s, &t->pipeline);
}

// Adjacent events of a warp with one color are one bar.
static void put_events(struct sheet *s, struct trace *t)
{
    double top = t->flights || t->pipeline.objects ? -0.02 : 0.44;

    block_begin(s, "events", "from, to, low, high, color");
    for (size_t i = 0, next; i < t->all->n; i = next) {
        const struct event *e = &t->all->row[i], *last = e;
        int mark = mark_of(e), warp = atoi(e->warp);

        for (next = i + 1; next < t->all->n && mark != M_BARRIER; next++) {
            const struct event *other = &t->all->row[next];

            if (mark_of(other) != mark || strcmp(other->warp, e->warp) != 0 ||
                step_of(other) > step_of(last) + 1)
                break;
            last = other;
        }
        if (mark == M_NONE || !e->warp[0])
            continue;
        t->used[mark] = 1;
        if (mark == M_OTHER)
            t->others |= 1u << kind_of(e);
        if (mark != M_BARRIER)
            fprintf(s->data, "%g %g %g %g %d # warp %s %s|%s\n", step_of(e) - 0.5,
                    step_of(last) + 0.5, warp - 0.44, warp + top, rgb(look[mark].color), e->warp,
                    e->kind, e->line);
    }
}

static void put_lines(struct sheet *s, struct trace *t)
{
    block_begin(s, "lines", "barriers and next launches: position, color");
    for (size_t i = 0; i < t->all->n; i++) {
        const struct event *e = &t->all->row[i];

        if (i && strcmp(e->launch, e[-1].launch) != 0) {
            fprintf(s->data, "%g %d\n", step_of(e) - 0.5, rgb(look[M_LAUNCH].color));
            t->used[M_LAUNCH] = 1;
        }
        if (mark_of(e) == M_BARRIER &&
            (i == 0 || step_of(e) > step_of(e - 1))) {   // its first warp
            fprintf(s->data, "%g %d\n", step_of(e), rgb(look[M_BARRIER].color));
            t->barriers++;
        }
    }
}

static const char *words_of_kinds(unsigned kinds)
{
    const char *words = "";

    for (int k = 0; k < N_EVENT_KINDS; k++)
        if (kinds >> k & 1)
            words = joined(words, ", ", event_word((enum event_kind)k));
    return words;
}

static void put_legend(struct sheet *s, const struct trace *t)
{
    block_begin(s, "legend", "text, color");
    for (int i = 0; i < MARKS; i++) {
        const char *sign = i == M_BARRIER ? "|" : i == M_LAUNCH ? "¦" : "■";

        if (t->used[i])
            fprintf(s->data, "%s %d\n",
                    field(text_of("%s %s", sign,
                                  i == M_OTHER ? words_of_kinds(t->others) : look[i].says)),
                    rgb(look[i].color));
        if (i == M_COPY && t->flights)
            fprintf(s->data, "\"■ in flight\" %d\n", paler(rgb(GREEN)));
    }
    for (int i = 0; i < PIPELINE_LOOKS; i++)
        if (t->pipeline.used[i])
            fprintf(s->data, "%s %d\n", field(pipeline_says(i)), pipeline_color(i));
}

// The most groups of one warp whose copies are in flight at once.
static int most_in_flight(const struct trace *t)
{
    int most = 0;

    for (int i = 0; i < t->flights; i++) {
        const struct flight *f = &t->flight[i];
        int n = 0;

        for (int k = 0; k < t->flights; k++)
            n += t->flight[k].warp == f->warp && strcmp(t->flight[k].launch, f->launch) == 0 &&
                 t->flight[k].from <= f->from && t->flight[k].to > f->from;
        most = n > most ? n : most;
    }
    return most;
}

// Whether a warp accesses memory while its copies are in flight.
static int overlaps(const struct trace *t)
{
    for (size_t i = 0; i < t->all->n; i++) {
        const struct event *e = &t->all->row[i];

        if (event_is_request(kind_of(e)) && mark_of(e) != M_COPY)
            for (int k = 0; k < t->flights; k++)
                if (is_of(&t->flight[k], e) && t->flight[k].from < step_of(e) &&
                    step_of(e) < t->flight[k].to)
                    return 1;
    }
    return 0;
}

static const char *trace_title(const struct trace *t, int whole)
{
    int groups = most_in_flight(t), copies = t->pipeline.most_copies;

    if (copies)
        return text_of("The block works while up to %d bulk cop%s in flight", copies,
                       copies > 1 ? "ies are" : "y is");
    if (t->pipeline.used[P_COPIES])
        return "The block waits for its bulk copies before it goes on";
    if (groups && overlaps(t))
        return text_of("Each warp goes on while up to %d group%s of its copies %s in flight",
                       groups, groups > 1 ? "s" : "", groups > 1 ? "are" : "is");
    if (groups)
        return "Each warp waits for its copies before it goes on";
    if (t->barriers)
        return text_of("%d barrier%s: no warp goes on before all have arrived", t->barriers,
                       t->barriers > 1 ? "s" : "");
    return whole ? "No barrier: the warps do not wait for each other"
                 : "No barrier in these steps: the warps do not wait for each other";
}

// The launch that has bulk copies or products, if there is one.
static struct events of_pipeline(const struct events *all)
{
    struct events some = { .notes = all->notes };
    const char *launch = NULL;

    for (size_t i = 0; i < all->n && !launch; i++)
        if (event_is_box(event_kind_of(all->row[i].kind)))
            launch = all->row[i].launch;
    if (!launch)
        return *all;
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->row[i].launch, launch) == 0) {
            some.row = grown(some.row, some.n, sizeof *some.row);
            some.row[some.n++] = all->row[i];
        }
    return some;
}

void draw_trace(struct sheet *s, const struct events *events, long most)
{
    struct events of = of_pipeline(events), *all = &of;
    struct trace t = { .all = all };
    long first, last, steps;

    if (!all->n)
        fail("this block has no events; expected another block");
    first = atol(all->row[0].event);
    last = atol(all->row[all->n - 1].event);
    steps = last - first + 1;
    t.end = first + (steps < most ? steps : most);
    while (step_of(&all->row[all->n - 1]) >= t.end)
        all->n--;
    for (size_t i = 0; i < all->n; i++)
        if (atoi(all->row[i].warp) >= t.warps)
            t.warps = atoi(all->row[i].warp) + 1;
    t.pipeline = pipeline_of(all, t.end, t.warps);
    find_flights(&t);
    sheet_number(s, "first", first);
    sheet_number(s, "steps", t.end - 1);
    sheet_number(s, "warps", t.warps);
    block_begin(s, "objects", "name of an mbarrier, a row each below the warps");
    for (int i = 0; i < t.pipeline.objects; i++)
        fprintf(s->data, "%s\n", field(t.pipeline.object[i].label));
    put_flights(s, &t);
    put_events(s, &t);
    put_lines(s, &t);
    put_legend(s, &t);
    s->title = trace_title(&t, t.end > last);
    s->subtitle =
        text_of("%s | block %s | %s", table_note(&all->notes, "stage"), all->row[0].block,
                t.end <= last ? text_of("the first %ld of %ld steps; EVENTS=%ld draws all",
                                        t.end - first, steps, steps)
                              : text_of("%ld steps", steps));
}

#include "event_figures.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4, MOST_WARPS = 32 };

static const struct {
    const char *says;
    enum color color;
    int is_pale;
} look[] = {
    [P_WAITS] = { "■ waits", DARK, 1 },
    [P_PRODUCTS] = { "■ wgmma in flight", WINE, 1 },
    [P_COPIES] = { "■ bulk copy in flight", GREEN, 1 },
    [P_EVEN] = { "■ phase 0, 2, ...", GRAY, 0 },
    [P_ODD] = { "■ phase 1, 3, ...", DARK, 0 },
    [P_ARRIVAL] = { "| arrival", BLACK, 0 },
};

const char *pipeline_says(enum pipeline_look l) { return look[l].says; }
int pipeline_color(enum pipeline_look l)
{
    return look[l].is_pale ? paler(rgb(look[l].color)) : rgb(look[l].color);
}

// --- mbarriers

// The member or variable that an argument names: "full" of "&ring.full[i], 1"; NULL if none.
static const char *named_at(const char *from)
{
    int n = 0;

    from += strspn(from, " &*(");
    while (isalnum((unsigned char)from[n]) || from[n] == '_' || from[n] == '.')
        if (from[n++] == '.') {   // a member
            from += n;
            n = 0;
        }
    return n ? text_of("%.*s", n, from) : NULL;
}

// "full" of the source line "mbarrier_init(&ring.full[i], 1);", the first argument of the first
// call whose name contains `call`; NULL if it has no such call, or if the argument is no address
// and has to be one.
static const char *argument_in(const char *text, const char *call, int is_address)
{
    const char *name = strstr(text, call), *from = name ? strchr(name, '(') : NULL;

    return from && (!is_address || from[1] == '&') ? named_at(from + 1) : NULL;
}

// "full" of "tma_load_2d(t.A, A, k, row, full);", the last argument.
static const char *last_argument_in(const char *text, const char *call)
{
    const char *name = strstr(text, call), *from = name ? strrchr(name, ',') : NULL;

    return from ? named_at(from + 1) : NULL;
}

// The name of an mbarrier in the first line that passes it to a function of mbarriers, or else in
// one that arrives at it, copies with it or initializes it. If lines only name the ring that it is
// in: what it counts.
static const char *label_of(const struct pipeline *p, const char *object)
{
    const char *label = NULL, *used = NULL, *made = NULL, *counts = "arrivals";

    for (size_t i = 0; i < p->all->n && !label; i++) {
        const struct event *e = &p->all->row[i];

        if (!same(e->object, object))
            continue;
        label = argument_in(e->text, "mbarrier_", 0);
        if (!used)
            used = argument_in(e->text, "arrive", 1);
        if (!used)
            used = last_argument_in(e->text, "tma_load");
        if (!made && kind_of(e) == EVENT_INIT)
            made = argument_in(e->text, "init", 1);
        if (kind_of(e) == EVENT_DONE)
            counts = "copies";
    }
    return label ? label : used ? used : made ? made : counts;
}

static int object_row(const struct pipeline *p, const char *name)
{
    for (int i = 0; i < p->objects; i++)
        if (same(p->object[i].name, name))
            return p->warps + i;
    return -1;
}

static int is_used(const struct pipeline *p, const char *object)
{
    for (size_t i = 0; i < p->all->n; i++) {
        const struct event *e = &p->all->row[i];

        if (same(e->object, object) && kind_of(e) != EVENT_INIT)
            return 1;
    }
    return 0;
}

// Those that are not only initialized. Those of one name are numbered, in the order of their first
// events, and are neighbors.
static void find_objects(struct pipeline *p)
{
    for (size_t i = 0; i < p->all->n; i++) {
        const struct event *e = &p->all->row[i];

        if (!e->object[0] || p->objects == MOST_OBJECTS || object_row(p, e->object) >= 0 ||
            !is_used(p, e->object))
            continue;
        p->object[p->objects++] = (struct object){ e->object, label_of(p, e->object) };
    }
    for (int i = 0; i < p->objects; i++) {
        const char *label = p->object[i].label;
        int n = 0;

        for (int k = i; k < p->objects; k++)
            n += same(p->object[k].label, label);
        for (int k = i, number = 0; n > 1 && k < p->objects; k++) {
            struct object next = p->object[k];

            if (k > i && !same(next.label, label))
                continue;
            memmove(&p->object[i + number + 1], &p->object[i + number],
                    (k - i - number) * sizeof next);
            next.label = text_of("%s[%d]", label, number);
            p->object[i + number++] = next;
        }
        i += n - 1;
    }
}

// --- bars

static void put_bar(struct sheet *s, struct pipeline *p, enum pipeline_look l, double from,
                    double to, double low, double high, const char *says)
{
    p->used[l] = 1;
    fprintf(s->data, "%g %g %g %g %d # %s\n", from, to, low, high, pipeline_color(l), says);
}

// The first event of this kind after `after`, of the same launch, for which `is_it`; the end of the
// drawing if there is none.
static double end_of(const struct pipeline *p, size_t after, enum event_kind kind,
                     int (*is_it)(const struct event *, const struct event *))
{
    const struct event *from = &p->all->row[after];

    for (size_t i = after + 1; i < p->all->n; i++) {
        const struct event *e = &p->all->row[i];

        if (kind_of(e) == kind && same(e->launch, from->launch) && is_it(e, from))
            return step_of(e);
    }
    return p->end;
}

static int is_same_warp(const struct event *e, const struct event *of)
{
    return same(e->warp, of->warp);
}
static int is_same_group(const struct event *e, const struct event *of)
{
    return same(e->group, of->group);
}
static int completes(const struct event *e, const struct event *product)
{
    return same(e->warp, product->warp) && atol(e->group) >= atol(product->group);
}

double end_of_group(const struct pipeline *p, size_t first, enum event_kind kind)
{
    return end_of(p, first, kind, completes);
}

static void put_waits(struct sheet *s, struct pipeline *p)
{
    for (size_t i = 0; i < p->all->n; i++) {
        const struct event *e = &p->all->row[i];
        int warp = atoi(e->warp);

        if (kind_of(e) == EVENT_BLOCKED)
            put_bar(s, p, P_WAITS, step_of(e) - 0.5,
                    end_of(p, i, EVENT_RESUMED, is_same_warp) + 0.5, warp - 0.36, warp - 0.1,
                    text_of("waits %s|%s", e->warp, e->object));
    }
}

// The products of a warp that one wait completes are one bar.
static void put_products(struct sheet *s, struct pipeline *p)
{
    double last[MOST_WARPS] = { 0 };
    int slot[MOST_WARPS] = { 0 };

    for (size_t i = 0; i < p->all->n; i++) {
        const struct event *e = &p->all->row[i];
        int warp = atoi(e->warp);
        double to;

        if (kind_of(e) != EVENT_OPERAND_B)
            continue;
        to = end_of_group(p, i, EVENT_PRODUCTS_DONE);
        if (to == last[warp])
            continue;
        last[warp] = to;
        slot[warp] = !slot[warp];
        put_bar(s, p, P_PRODUCTS, step_of(e) - 0.5, to + 0.5, warp + 0.22 - 0.2 * slot[warp],
                warp + 0.42 - 0.2 * slot[warp], text_of("wgmma %s|%s", e->warp, e->group));
    }
}

// Copies to shared memory are in the row of their mbarrier, others in that of their warp.
static void put_copies(struct sheet *s, struct pipeline *p)
{
    double until[MOST_WARPS + MOST_OBJECTS][SLOTS] = { 0 };

    for (size_t i = 0; i < p->all->n; i++) {
        const struct event *e = &p->all->row[i];
        enum event_kind kind = kind_of(e);
        int row = e->object[0] ? object_row(p, e->object) : atoi(e->warp), slot = 0;
        double to, h = 0.4 / SLOTS;

        if ((kind != EVENT_BULK_FILL && kind != EVENT_BULK_SOURCE) || row < 0)
            continue;
        to = end_of(p, i, EVENT_DONE, is_same_group);
        while (slot < SLOTS - 1 && until[row][slot] > step_of(e))
            slot++;
        until[row][slot] = to;
        put_bar(s, p, P_COPIES, step_of(e) - 0.5, to + 0.5,
                row - 0.42 + slot * h + (row < p->warps) * 0.44,
                row - 0.42 + (slot + 0.8) * h + (row < p->warps) * 0.44,
                text_of("copy %s|%s", e->group, e->object));
    }
}

static void put_phases(struct sheet *s, struct pipeline *p)
{
    double from[MOST_OBJECTS];
    int phase[MOST_OBJECTS] = { 0 };

    for (int i = 0; i < p->objects; i++)
        from[i] = -1;
    for (size_t i = 0; i < p->all->n; i++) {
        const struct event *e = &p->all->row[i];
        enum event_kind kind = kind_of(e);
        int row = e->object[0] ? object_row(p, e->object) : -1;
        enum pipeline_look l = atol(e->group) % 2 ? P_ODD : P_EVEN;

        if (row < 0)
            continue;
        if (kind == EVENT_INIT || (kind == EVENT_ARRIVE && from[row - p->warps] < 0))
            from[row - p->warps] = step_of(e);
        if (kind != EVENT_PHASE)
            continue;
        put_bar(s, p, l, from[row - p->warps], step_of(e), row + 0.06, row + 0.4,
                text_of("phase %s|%s", e->group, e->object));
        from[row - p->warps] = step_of(e);
        phase[row - p->warps] = atoi(e->group) + 1;
    }
    for (int i = 0; i < p->objects; i++)
        if (from[i] >= 0)
            put_bar(s, p, phase[i] % 2 ? P_ODD : P_EVEN, from[i], p->end - 0.5, p->warps + i + 0.06,
                    p->warps + i + 0.4, text_of("phase %d|%s", phase[i], p->object[i].name));
    for (size_t i = 0; i < p->all->n; i++) {
        const struct event *e = &p->all->row[i];
        int row = e->object[0] ? object_row(p, e->object) : -1;

        if (row >= 0 && kind_of(e) == EVENT_ARRIVE)
            put_bar(s, p, P_ARRIVAL, step_of(e) - 0.5, step_of(e) + 0.5, row + 0.06, row + 0.4,
                    text_of("arrival|%s", e->object));
    }
}

// --- the message

static void count_copies(struct pipeline *p)
{
    int flying = 0;
    const char *launch = "";

    for (size_t i = 0; i < p->all->n; i++) {
        const struct event *e = &p->all->row[i];
        enum event_kind kind = kind_of(e);

        if (!same(e->launch, launch))
            flying = 0;
        launch = e->launch;
        flying += (kind == EVENT_BULK_FILL || kind == EVENT_BULK_SOURCE) - (kind == EVENT_DONE);
        if (flying > p->most_copies && event_is_request(kind) &&
            (!event_is_box(kind) || kind == EVENT_OPERAND_B))
            p->most_copies = flying;
    }
}

struct pipeline pipeline_of(const struct events *all, long end, int warps)
{
    struct pipeline p = { .all = all, .end = end, .warps = warps };

    find_objects(&p);
    count_copies(&p);
    return p;
}

void put_pipeline(struct sheet *s, struct pipeline *p)
{
    put_waits(s, p);
    put_products(s, p);
    put_copies(s, p);
    put_phases(s, p);
}

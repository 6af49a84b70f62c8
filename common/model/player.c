#include "player.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate.h"
#include "names.h"
#include "program.h"

const char *player_open(struct player *p, const char *machines, const char *gpu)
{
    const char *wrong = gpu_find(machines, gpu, &p->gpu);

    if (wrong)
        return wrong;
    p->machine = model_machine_read(machines, p->gpu.is_measured ? p->gpu.name : p->gpu.row);
    return p->machine ? NULL : text_of("the numbers of this GPU in %s cannot be used", machines);
}

const char *player_read_code(struct player *p, const char *path)
{
    const char *name;

    p->code = model_code_read(path);
    if (!p->code)
        return text_of("%s has no kernel", path);
    while ((name = model_code_kernel(p->code, p->n_kernels))) {
        p->kernel = grown(p->kernel, p->n_kernels, sizeof *p->kernel);
        p->kernel[p->n_kernels++] = name;
    }
    return NULL;
}

// ---- estimated machine code ----

enum { MOST_EVENTS = 1 << 16 };

static void record_next_launch(void)
{
    static const struct emu_watch middle = { .which = EMU_MIDDLE_BLOCK,
                                             .warp = -1,
                                             .most = MOST_EVENTS };

    emu_record(&middle);
}

void player_estimate(struct player *p, const char *why)
{
    p->why_estimated = why;
    p->more_work = 1;
    p->code = model_code_empty();
    record_next_launch();
}

static double blocks_of(const struct emu_launch *l)
{
    return (double)l->grid[0] * l->grid[1] * l->grid[2];
}

// Launches of one kernel with the same grid and block are taken to do the same.
static int is_traced(const struct player *p, const struct emu_launch *l)
{
    for (int k = 0; k < p->n_traces; k++)
        if (strcmp(p->trace[k].kernel, l->kernel) == 0 &&
            memcmp(p->trace[k].grid, l->grid, sizeof l->grid) == 0 &&
            memcmp(p->trace[k].block, l->block, sizeof l->block) == 0)
            return 1;
    return 0;
}

void player_trace(struct player *p, const struct emu_launch *l)
{
    unsigned threads = l->block[0] * l->block[1] * l->block[2];
    const struct emu_event *events;
    uint64_t omitted;
    struct trace t = { .kernel = text_of("%s", l->kernel) };
    int n;

    if (l->moved)
        return;
    if (!is_traced(p, l)) {
        n = emu_events(&events, &omitted);
        memcpy(t.grid, l->grid, sizeof t.grid);
        memcpy(t.block, l->block, sizeof t.block);
        t.blocks = blocks_of(l);
        t.code = text_of("%d", p->n_traces);
        t.lacks = model_code_estimate(p->code, t.code, events, n, omitted,
                                      (int)((threads + 31) / 32), l->static_shared);
        p->trace = grown(p->trace, p->n_traces, sizeof *p->trace);
        p->trace[p->n_traces++] = t;
    }
    record_next_launch();
}

// Whether two names are equal up to their arguments as templates.
static int is_same_template(const char *a, const char *b)
{
    size_t n = strcspn(a, "<");

    return n == strcspn(b, "<") && strncmp(a, b, n) == 0;
}

// The trace of the kernel whose grid is closest; without one, of the same template with other
// arguments.
static const struct trace *trace_of(const struct player *p, const struct emu_launch *l)
{
    const struct trace *best = NULL;

    for (int is_exact = 1; is_exact >= 0 && !best; is_exact--)
        for (int k = p->n_traces - 1; k >= 0; k--) {
            const struct trace *t = &p->trace[k];

            if ((is_exact ? strcmp(t->kernel, l->kernel) == 0
                          : is_same_template(t->kernel, l->kernel)) &&
                (!best ||
                 fabs(log(t->blocks / blocks_of(l))) < fabs(log(best->blocks / blocks_of(l)))))
                best = t;
        }
    return best;
}

static const char *estimated_kernel(const struct player *p, const struct emu_launch *l,
                                    struct model_time *time)
{
    const struct trace *t = trace_of(p, l);

    if (!t || t->lacks) {
        snprintf(time->lacks, sizeof time->lacks, "%s",
                 t ? t->lacks : "an execution of this kernel");
        return NULL;
    }
    // other launches of a call have more blocks, which do as much as before
    model_code_lengthen(p->code, t->code,
                        p->working && p->working != l ? 1
                                                      : p->more_work * t->blocks / blocks_of(l));
    return t->code;
}

// Where the parameters of a kernel begin in its constant bank. They are aligned there.
static size_t first_parameter(int sm) { return sm >= 100 ? 0x380 : sm >= 90 ? 0x210 : 0x160; }

// The arguments of a launch in the kernel's parameter space.
static unsigned char *parameters_of(const struct emu_launch *l, int sm, size_t *bytes)
{
    size_t base = first_parameter(sm), at = base, most = 0;
    unsigned char *to;

    for (int i = 0; i < l->n_arguments; i++)
        most += l->place[i].bytes + l->place[i].align;
    to = must_calloc(most + 1, 1);
    for (int i = 0; i < l->n_arguments; i++) {
        const struct emu_place *place = &l->place[i];

        at = (at + place->align - 1) / place->align * place->align;
        memcpy(to + at - base, l->arguments + place->at, place->bytes);
        at += place->bytes;
    }
    *bytes = at - base;
    return to;
}

// Plays a launch. Returns 0, or -1 with time->lacks set.
static int play(const struct player *p, const struct emu_launch *l, double read_bytes,
                double written_bytes, struct model_time *time)
{
    struct model_launch launch = {
        .dynamic_shared = l->dynamic_shared,
        .read_bytes = read_bytes,
        .written_bytes = written_bytes,
        .follows = l->follows,
        .readable = emu_readable,
        .box_bytes = emu_box_bytes,
    };
    const char *symbol = l->symbol ? l->symbol : "";
    unsigned char *parameters;
    int result;

    memset(time, 0, sizeof *time);
    memcpy(launch.grid, l->grid, sizeof launch.grid);
    memcpy(launch.block, l->block, sizeof launch.block);
    memcpy(launch.cluster, l->cluster, sizeof launch.cluster);
    launch.kernel = p->why_estimated ? estimated_kernel(p, l, time)
                                     : kernel_named(p->kernel, p->n_kernels, symbol);
    if (!launch.kernel && p->why_estimated)
        return -1;
    if (!launch.kernel) {
        snprintf(time->lacks, sizeof time->lacks, "the machine code has no kernel %s", l->kernel);
        return -1;
    }
    parameters = parameters_of(l, p->gpu.sm, &launch.n_parameters);
    launch.parameters = parameters;
    emu_open_memory(1);
    result = model_play(p->machine, p->code, &launch, time);
    emu_open_memory(0);
    free(parameters);
    return result;
}

static int is_equal(const struct played *p, const struct emu_launch *l)
{
    return strcmp(p->kernel, l->kernel) == 0 && p->dynamic_shared == l->dynamic_shared &&
           memcmp(p->grid, l->grid, sizeof p->grid) == 0 &&
           memcmp(p->block, l->block, sizeof p->block) == 0;
}

static struct played *equal_one(const struct plays *all, const struct emu_launch *l)
{
    for (int i = 0; i < all->n; i++)
        if (is_equal(&all->of[i], l))
            return &all->of[i];
    return NULL;
}

static double together(const struct played *p) { return p->n * p->time.us; }

static void add_time(struct plays *all, const struct model_time *t)
{
    all->stream_us += t->us + t->launch_us;
    all->host_us += t->host_us;
    all->graph_us += t->us + t->graph_us;
    all->assumed_branches += t->assumed_branches;
    for (int i = 0; i < all->n; i++)
        if (all->of[i].is_known && !(together(&all->of[all->main]) >= together(&all->of[i])))
            all->main = i;
}

struct played *player_add(const struct player *p, struct plays *all, const struct emu_launch *l,
                          double read_bytes, double written_bytes)
{
    struct played *one = equal_one(all, l);

    if (l->moved) {
        all->operations++;
        return NULL;
    }
    all->launches++;
    if (one) {
        one->n++;
        add_time(all, &one->time);
        return one;
    }
    all->of = (struct played *)grown(all->of, all->n, sizeof *all->of);
    one = &all->of[all->n++];
    *one = (struct played){ .kernel = l->kernel, .dynamic_shared = l->dynamic_shared, .n = 1 };
    memcpy(one->grid, l->grid, sizeof one->grid);
    memcpy(one->block, l->block, sizeof one->block);
    one->is_known = play(p, l, read_bytes, written_bytes, &one->time) == 0;
    if (!one->is_known)
        one->time.us = one->time.launch_us = one->time.host_us = one->time.graph_us = NAN;
    add_time(all, &one->time);
    return one;
}

double plays_us(const struct plays *all) { return fmax(all->stream_us, all->host_us); }

static double threads_of(const struct emu_launch *l)
{
    return (double)l->grid[0] * l->grid[1] * l->grid[2] * l->block[0] * l->block[1] * l->block[2];
}

// The launch with the most threads; -1 without any.
static int largest(const struct emu_launch *l, int n)
{
    int most = -1;

    for (int i = 0; i < n; i++)
        if (!l[i].moved && (most < 0 || threads_of(&l[i]) > threads_of(&l[most])))
            most = i;
    return most;
}

// The launch that does the work of a call: the one with the most products of floats or, without
// any, with the most threads.
static const struct emu_launch *working(const struct player *p, const struct emu_launch *l, int n)
{
    int by_threads = largest(l, n), by_products = -1;
    double most = 0;

    for (int i = 0; i < n; i++) {
        const struct trace *t = l[i].moved ? NULL : trace_of(p, &l[i]);
        double products = t ? model_code_products(p->code, t->code) * blocks_of(&l[i]) : 0;

        if (products > most)
            most = products, by_products = i;
    }
    return by_products >= 0 ? &l[by_products] : by_threads >= 0 ? &l[by_threads] : NULL;
}

struct plays player_call(const struct player *player, double read_bytes, double written_bytes)
{
    struct player of_call = *player, *p = &of_call;
    struct plays all = { 0 };
    const struct emu_launch *l;
    int n = emu_launches(&l), most = largest(l, n);

    p->working = p->why_estimated ? working(p, l, n) : NULL;
    for (int i = 0; i < n; i++)
        player_add(p, &all, &l[i], i == most ? read_bytes : 0, i == most ? written_bytes : NAN);
    if (all.n) {
        const struct model_time *t = &all.of[all.main].time;

        all.stream_us += all.operations * t->launch_us;
        all.host_us += all.operations * t->host_us;
        all.graph_us += all.operations * t->graph_us;
    }
    return all;
}

// ---- the table ----

// What `ladder validation errors --estimated` prints of all stages (tests/validation.t compares).
static const char error_of_estimates[] =
    "of 84 stages on an H200, half are within 20 % and 60 % within 25 %; it does not know how nvcc "
    "orders instructions, nor which arrays it puts into constant memory";

enum { SHOWN_UNITS = 4 };

static const char *shape(const unsigned n[3])
{
    return n[2] > 1 ? text_of("%ux%ux%u", n[0], n[1], n[2])
         : n[1] > 1 ? text_of("%ux%u", n[0], n[1])
                    : text_of("%u", n[0]);
}

static void print_count(const char *what, uint64_t requests, uint64_t units, const char *unit)
{
    if (requests)
        printf("      %-14s %10llu requests, %.4g %s each\n", what, (unsigned long long)requests,
               (double)units / (double)requests, unit);
}

static void print_launch(const struct played *p)
{
    const char *times = p->n > 1 ? text_of("%d x ", p->n) : "";
    const struct emu_counts *c = &p->counts;

    printf("    %-46s",
           text_of("%s%s<<<%s, %s>>>", times, p->kernel, shape(p->grid), shape(p->block)));
    if (!p->is_known)
        printf(" unknown: %s\n", p->time.lacks);
    else
        printf(" %9.2f us  %d registers, %d block%s per SM, limiter: %s\n", p->time.us,
               p->time.registers, p->time.blocks_per_sm, p->time.blocks_per_sm == 1 ? "" : "s",
               model_unit_name[p->time.limiter]);
    print_count("global loads", c->ld_requests, c->ld_sectors, emu_unit());
    print_count("global stores", c->st_requests, c->st_sectors, emu_unit());
    print_count("shared memory", c->shared_requests, c->shared_wavefronts, "wavefronts");
}

// The unit with the longest time below that of `before`; the first of equal ones. -1: none.
static int next_unit(const struct model_time *t, int before)
{
    int next = -1;

    for (int i = 0; i < MODEL_UNITS; i++) {
        int is_later = before < 0 || t->unit_us[i] < t->unit_us[before] ||
                       (t->unit_us[i] == t->unit_us[before] && i > before);

        if (is_later && t->unit_us[i] > 0 && (next < 0 || t->unit_us[i] > t->unit_us[next]))
            next = i;
    }
    return next;
}

static void print_units(const struct played *p)
{
    const struct model_time *t = &p->time;
    int unit = next_unit(t, -1);

    printf("    %-24s %30s %14s %12s\n", text_of("unit, in %.14s", p->kernel), "work", "rate",
           "busy");
    for (int i = 0; i < SHOWN_UNITS && unit >= 0; i++, unit = next_unit(t, unit)) {
        const char *work = model_unit_work[unit];

        printf("      %-22s %30s %14s %9.2f us\n", model_unit_name[unit],
               text_of("%.4g %s", t->unit_work[unit], work),
               text_of("%.4g %s", t->unit_work[unit] / t->unit_us[unit] / 1e3,
                       strcmp(work, "bytes") == 0 ? "GB/s" : "G/s"),
               t->unit_us[unit]);
    }
}

void player_print(const struct player *p, const struct plays *all)
{
    printf("  model    %s: a model, not a measurement (docs/model.md)%s\n",
           model_machine_name(p->machine),
           p->why_estimated                  ? "; machine code estimated"
           : model_code_is_recorded(p->code) ? "; machine code as recorded"
                                             : "");
    if (p->why_estimated)
        printf("    because  %s\n    error    %s\n", p->why_estimated, error_of_estimates);
    for (int i = 0; i < all->n; i++)
        print_launch(&all->of[i]);
    if (!all->n)
        printf("    no launch\n");
    if (!all->n || !all->of[all->main].is_known)
        return;
    print_units(&all->of[all->main]);
    printf("    limiter  %s\n", all->of[all->main].time.why);
    if (all->assumed_branches)
        printf("    assumed  %d executions of branches that depend on data\n",
               all->assumed_branches);
    for (int i = 0; i < all->n; i++)
        if (all->of[i].is_known && all->of[i].time.lacks[0])
            printf("    lacks    %s: %s\n", all->of[i].kernel, all->of[i].time.lacks);
}

// Launch facts and counts on the CPU device, which records them.
#define _GNU_SOURCE   // getline
#include "backend.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "../emu/emu.h"
#include "event_log.h"
#include "call_facts.h"
#include "program.h"

const int on_cpu_device = 1;

enum { SOURCE = 52 };   // characters of a source line in the table of requests

static double threads_of(const struct emu_launch *l)
{
    return (double)l->grid[0] * l->grid[1] * l->grid[2] * l->block[0] * l->block[1] * l->block[2];
}

static void describe(const struct emu_launch *l, struct facts *f)
{
    snprintf(f->kernel, sizeof f->kernel, "%s", l->kernel);
    memcpy(f->grid, l->grid, sizeof f->grid);
    memcpy(f->block, l->block, sizeof f->block);
    f->shared_bytes = (long)(l->static_shared + l->dynamic_shared);
}

static struct counts counts_of(const struct emu_counts *c)
{
    uint64_t memory = c->ld_requests + c->st_requests + c->shared_requests_source;
    struct counts counts = facts_unknown.counts;

#define X(name) counts.name = c->name;
    EMU_COUNTS(X, X)
#undef X
    counts.copies_in_flight = c->copies ? (double)c->copies_in_flight / c->copies : 0;
    counts.groups_in_flight = c->products ? (double)c->groups_in_flight / c->products : 0;
    counts.active_lanes = memory ? (double)c->lanes / memory : -1;
    return counts;
}

void backend_set(const struct problem *p)
{
    emu_rules(p->rules[0] ? p->rules : "9.0");
    emu_sms(p->sms ? p->sms : p->counted_sms);
    emu_order_matters(1);
}

void backend_call(stage_fn *stage, const struct problem *p, void *const device[])
{
    p->week->run((stage_fn *)emu_guarded((void *)stage), p, device);
}

int backend_inspect(stage_fn *stage, const struct problem *p, void *const device[], struct facts *f)
{
    const struct emu_launch *launch;
    struct emu_counts counts;

    backend_set(p);
    emu_reset();
    backend_call(stage, p, device);
    *f = facts_unknown;
    f->kernels = emu_launches(&launch);
    for (int i = 0, most = 0; i < f->kernels; i++)
        if (i == 0 || threads_of(&launch[i]) > threads_of(&launch[most]))
            describe(&launch[most = i], f);
    emu_totals(&counts);
    if (f->kernels > 0)   // copies are not counted
        f->counts = counts_of(&counts);
    return 0;
}

void backend_settle(void) {}

struct stats backend_replay(stage_fn *stage, const struct problem *p, void *(*set)[MAX_BUFFERS],
                            int calls)
{
    (void)stage, (void)p, (void)set, (void)calls;
    return (struct stats){ .median = -1 };
}

struct backend_clock *backend_clock_open(int device) { return (void)device, NULL; }
double backend_clock_mhz(const struct backend_clock *clock) { return (void)clock, -1; }
double backend_watts(const struct backend_clock *clock) { return (void)clock, -1; }

// The first n characters of a longer text.
static const char *first_characters(const char *text, size_t n)
{
    const char *end = text;

    while (characters_of(end) > characters_of(text) - n)
        end++;
    return text_head(text, end - text);
}

const char *backend_source_line(const char *folder, const char *name, int line, size_t most)
{
    char path[PATH_MAX];
    char *text = NULL, *start, *end;
    size_t room = 0;
    ssize_t read = 0;
    FILE *file;

    snprintf(path, sizeof path, "%s%s%s", name[0] == '/' ? "" : folder, name[0] == '/' ? "" : "/",
             name);
    file = fopen(path, "r");
    for (int i = 0; file && read >= 0 && i < line; i++)
        read = getline(&text, &room, file);
    if (file)
        fclose(file);
    if (!text || read < 0)
        return "";
    for (start = text; isspace((unsigned char)*start);)
        start++;
    for (end = start + strlen(start); end > start && isspace((unsigned char)end[-1]); end--)
        end[-1] = '\0';
    if (characters_of(start) > most)
        start = text_of("%s...", first_characters(start, most - 3));
    return start;
}

static const char *kind_word(enum emu_kind kind)
{
    switch (kind) {
    case EMU_BULK_LD: return "bulk load";
    case EMU_BULK_ST: return "bulk store";
    case EMU_PRODUCT: return "wgmma";
    case EMU_CLUSTER_LD: return "cluster load";
    case EMU_CLUSTER_ST: return "cluster store";
    case EMU_CLUSTER_ATOMIC: return "cluster atomic";
    case EMU_MULTICAST: return "multicast";
    default: return event_word(request_kind(kind, 0));
    }
}

void backend_print_lines(const char *folder, int most)
{
    const struct emu_line *l;
    int n = emu_lines(&l);
    const char *file = "";

    if (n > most) {
        printf("  %d source lines make requests; --lines shows them\n", n);
        return;
    }
    for (int i = 0; i < n; i++) {
        const char *text = backend_source_line(folder, l[i].file, l[i].line, SOURCE);
        const char *base = strrchr(l[i].file, '/');
        int shared = l[i].kind == EMU_SHARED_LD || l[i].kind == EMU_SHARED_ST ||
                     l[i].kind == EMU_SHARED_ATOMIC;
        // the order of the elements in a cudaArray is unknown, and so are the sectors of a fetch
        int unknown = l[i].kind == EMU_TEX && l[i].units == 0;

        if (strcmp(file, l[i].file) != 0)
            printf("  %-58s kind          requests  each    (ideal)\n",
                   text_head(base ? base + 1 : l[i].file, 58));
        file = l[i].file;
        printf("  %4d  %-*s %-13s%9llu ", l[i].line,
               SOURCE + (int)(strlen(text) - characters_of(text)), text, kind_word(l[i].kind),
               (unsigned long long)l[i].requests);
        if (unknown)
            printf("    -\n");
        else
            printf("%5.4g %s (%.4g)\n", (double)l[i].units / l[i].requests,
                   shared                     ? "wavefronts"
                   : l[i].kind == EMU_PRODUCT ? "clocks"
                                              : emu_unit(),
                   (double)l[i].ideal / l[i].requests);
    }
}

void backend_print_products(void)
{
    const struct emu_product *p;
    int n = emu_products(&p);

    for (int i = 0; i < n; i++)
        printf("    %-14s %8llu requests, %10llu clocks, %10llu bytes of shared memory\n",
               text_of("m64n%uk%u %s", p[i].n, p[i].k, p[i].type),
               (unsigned long long)p[i].requests, (unsigned long long)p[i].clocks,
               (unsigned long long)p[i].bytes);
}

// The CPU device's handler takes no context.
static struct {
    diagnosis_handler *call;
    void *context;
} on_diagnosis;

static void pass_diagnosis(const char *first) { on_diagnosis.call(on_diagnosis.context, first); }

void backend_on_diagnosis(diagnosis_handler *handler, void *context)
{
    on_diagnosis.call = handler;
    on_diagnosis.context = context;
    emu_on_diagnosis(pass_diagnosis);
}

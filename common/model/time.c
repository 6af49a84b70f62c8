/* The time of a launch: the SM's first blocks are played, and the others follow in proportion. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/program.h"
#include "run.h"

// Instructions of warps that are played; the time of a launch with more follows from their rate.
// COUNTED: instructions after which a warp's path is not followed further. COMPARED: warps whose
// first instructions are equal have one path. FEW_WAVES: in a launch of few waves, the blocks of
// the last wave are played, too.
enum { BUDGET = 100000, COUNTED = 30000000, COMPARED = 4096, FEW_WAVES = 12 };

// Below this a unit is not the limit.
static const double BUSY = 0.6;

const char *const model_unit_name[MODEL_UNITS] = {
    "instruction issue", "FMA pipe",     "ALU pipe",      "XU pipe", "FP64 pipe", "tensor cores",
    "shared memory",     "L1",           "texture units", "L2",      "DRAM",      "atomics",
    "constant cache",    "block starts", "latency",       "launch",
};
const char *const model_unit_work[MODEL_UNITS] = {
    "warp instructions",
    "warp instructions",
    "warp instructions",
    "warp instructions",
    "warp instructions",
    "warp instructions",
    "wavefronts",
    "wavefronts",
    "texels",
    "sectors",
    "bytes",
    "lanes",
    "words",
    "blocks",
    "",
    "launches",
};
// The words of ncu, and what they mean.
static const struct {
    const char *name, *says;
} stalls[STALLS] = {
    [STALL_NONE] = { "", "their turn" },
    [STALL_LONG_SCOREBOARD] = { "long scoreboard", "data from L2 or DRAM" },
    [STALL_SHORT_SCOREBOARD] = { "short scoreboard", "shared memory or special functions" },
    [STALL_WAIT] = { "wait", "the result of the instruction before" },
    [STALL_BARRIER] = { "barrier", "other warps at a barrier" },
    [STALL_MATH_PIPE] = { "math pipe throttle", "a pipe that is busy" },
    [STALL_LG_THROTTLE] = { "LG throttle", "the queue of loads and stores" },
    [STALL_MIO_THROTTLE] = { "MIO throttle", "the queue of shared memory" },
    [STALL_NOT_SELECTED] = { "not selected", "a scheduler that issues for others" },
    [STALL_MEMBAR] = { "membar", "a fence" },
    [STALL_BRANCH] = { "branch resolving", "the instructions behind a branch" },
};

// --- what fits on an SM

static double round_up(double x, double to) { return ceil(x / to) * to; }

static int blocks_per_sm(const struct numbers *n, const struct model_kernel *k,
                         const struct model_launch *l, int warps)
{
    double shared = round_up(k->static_shared + l->dynamic_shared + n->shared_block, 128),
           registers = round_up(fmax(k->registers, 16) * 32, 256),
           by_registers = floor(floor(n->registers / registers / 4) * 4 / warps),
           by_threads = floor(n->threads / (32 * warps)),
           by_shared = shared > 0 ? floor(n->shared_bytes / shared) : n->blocks;

    return (int)fmax(1, fmin(fmin(by_registers, by_threads), fmin(by_shared, n->blocks)));
}

// What shared memory leaves.
static size_t l1_bytes_of(const struct numbers *n, const struct model_kernel *k,
                          const struct model_launch *l, int resident)
{
    static const int kib[] = { 0, 8, 16, 32, 64, 100, 132, 164, 196, 228 };
    double shared = resident * (k->static_shared + l->dynamic_shared + n->shared_block);

    for (size_t c = 0; c < sizeof kib / sizeof *kib; c++)
        if (1024. * kib[c] >= shared && 1024. * kib[c] < n->l1_bytes)
            return (size_t)(n->l1_bytes - 1024. * kib[c]);
    return (size_t)(n->l1_bytes - n->shared_bytes > 16384 ? n->l1_bytes - n->shared_bytes : 16384);
}

// --- setting up

static void pipe_numbers(struct play *p, const struct model_machine *m)
{
    double *cycles = must_calloc(opcode_count(), sizeof *cycles),
           *latency = must_calloc(opcode_count(), sizeof *latency);

    for (int k = 0; k < opcode_count(); k++) {
        const struct opcode *op = opcode_at(k);
        double rate = 64;

        latency[k] = 4;
        if (op && op->number) {
            rate = machine_number(m, text_of("%s.rate", op->number), 64);
            latency[k] = machine_number(m, text_of("%s.latency", op->number), 4);
        }
        cycles[k] = LANES / (rate / SCHEDULERS);
        // rates that are almost a whole number of cycles are one
        if (fabs(cycles[k] - rint(cycles[k])) < 0.05)
            cycles[k] = rint(cycles[k]);
    }
    p->cycles = cycles;
    p->latency = latency;
    p->wide_cycles = rint(LANES / (machine_number(m, "pipe.imad_wide.rate", 32) / SCHEDULERS));
    p->wide_latency = machine_number(m, "pipe.imad_wide.latency", 9);
}

static void make_blocks(struct play *p, int warps)
{
    const struct model_launch *l = p->sm.launch;
    size_t shared = p->sm.kernel->static_shared + l->dynamic_shared + 1024;

    p->n_warps = p->resident * warps;
    p->block = must_calloc(p->resident, sizeof *p->block);
    p->warp = must_calloc(p->n_warps, sizeof *p->warp);
    p->count = must_calloc(p->sm.kernel->n + 1, sizeof *p->count);
    for (int b = 0; b < p->resident; b++) {
        struct block *s = &p->block[b].shared;

        *s = (struct block){ .launch = l, .code = p->sm.code, .kernel = p->sm.kernel };
        s->threads = l->block[0] * l->block[1] * l->block[2];
        s->warps = (unsigned)warps;
        s->shared_bytes = round_up((double)shared, 16);
        s->shared = must_calloc(1, s->shared_bytes);
        s->unknown = must_calloc(1, s->shared_bytes / 4 + 1);
        p->block[b].slot = b;
    }
    for (int k = 0; k < p->n_warps; k++) {
        p->warp[k] = must_calloc(1, sizeof *p->warp[k]);
        p->warp[k]->w.r = must_calloc(p->sm.kernel->highest + 4, sizeof *p->warp[k]->w.r);
        p->warp[k]->w.unknown = must_calloc(p->sm.kernel->highest + 4, sizeof(uint32_t));
    }
}

static void free_blocks(struct play *p)
{
    for (int b = 0; b < p->resident; b++) {
        free(p->block[b].shared.shared);
        free(p->block[b].shared.unknown);
    }
    for (int k = 0; k < p->n_warps; k++) {
        free(p->warp[k]->w.r);
        free(p->warp[k]->w.unknown);
        free(p->warp[k]);
    }
    free(p->block);
    free(p->warp);
    free(p->count);
    free(p->end);
    free(p->event);
}

// --- rates

void play_note(struct play *p)
{
    if (p->sm.now < p->n_marks * p->mark_step)
        return;
    if (p->n_marks == MOST_MARKS) {
        for (int k = 0; k < MOST_MARKS / 2; k++) {
            p->mark_t[k] = p->mark_t[2 * k];
            p->mark_issued[k] = p->mark_issued[2 * k];
        }
        p->n_marks = MOST_MARKS / 2;
        p->mark_step *= 2;
        return;
    }
    p->mark_t[p->n_marks] = p->sm.now;
    p->mark_issued[p->n_marks++] = p->sm.issued;
}

// Instructions per cycle in the second half of what was played.
static double late_rate(const struct play *p)
{
    int half = p->n_marks / 2;

    if (p->n_marks < 4 || p->sm.now <= p->mark_t[half])
        return p->sm.issued / fmax(1, p->sm.now);
    return (p->sm.issued - p->mark_issued[half]) / (p->sm.now - p->mark_t[half]);
}

// --- a block without time: its instructions

// Runs to a barrier, or to the end: then returns 0.
static int run_warp(struct play *p, struct warp *w, long *steps)
{
    while (*steps < COUNTED) {
        const struct instruction *i;
        int stops;

        *steps += warp_skip(w, COUNTED - *steps) + 1;
        i = warp_next(w);
        stops = i->op->kind == KIND_BARRIER && p->sm.kernel->needs_shared_data;
        warp_compute(w, i);
        if (!warp_advance(w, i))
            return 0;
        if (stops)
            return 1;
    }
    return 0;
}

// All warps by turns, because addresses or branches depend on what they write to shared memory.
static double steps_together(struct play *p, struct played_block *b)
{
    int goes_on = 1, alive[64];
    long steps = 0;

    for (unsigned k = 0; k < b->shared.warps; k++)
        alive[k] = 1;
    while (goes_on) {
        goes_on = 0;
        for (unsigned k = 0; k < b->shared.warps; k++)
            if (alive[k])
                goes_on |= alive[k] = run_warp(p, &p->warp[k]->w, &steps);
    }
    return (double)steps;
}

// The first steps of a warp, as a number that says which path they took; 0: it has ended.
static uint64_t first_steps(struct warp *w, long *steps)
{
    uint64_t hash = 0xcbf29ce484222325;

    while (*steps < COMPARED) {
        const struct instruction *i = warp_next(w);

        hash = (hash ^ i->address ^ (uint64_t)w->group[w->now].lanes << 32) * 0x100000001b3;
        warp_compute(w, i);
        ++*steps;
        if (!warp_advance(w, i))
            return 0;
    }
    return hash;
}

// Warps that begin as one before are taken to have its length.
static double steps_of_block(struct play *p)
{
    struct played_block *b = &p->block[0];
    unsigned warps = b->shared.warps, same;
    uint64_t path[64];
    long length[64] = { 0 };
    double steps = 0;

    block_begin(p, b, p->first_block);
    for (unsigned k = 0; k < warps; k++)
        warp_start(&p->warp[k]->w, &b->shared, 32 * k);
    if (p->sm.kernel->needs_shared_data)
        return steps_together(p, b);
    for (unsigned k = 0; k < warps; k++) {
        path[k] = first_steps(&p->warp[k]->w, &length[k]);
        for (same = 0; same < k && path[same] != path[k]; same++)
            ;
        if (path[k] && same < k)
            length[k] = length[same];
        else if (path[k])
            run_warp(p, &p->warp[k]->w, &length[k]);
        steps += (double)length[k];
    }
    return steps;
}

// --- one play

struct outcome {
    double cycles;   // of the launch
    double scale;    // of what was counted to the whole launch, on this SM
    double steps;    // instructions of an SM
};

static void begin(struct play *p, double dram_share, double part_share)
{
    p->sm.part_share = part_share;
    p->sm.dram_share = dram_share;
    p->mark_step = 64;
    p->last_start = -1e9;
    p->sm.rate_of = NULL;
}

static void play_again(struct play *p, const struct model_machine *m, double share, double parts,
                       size_t l1)
{
    struct sm old = p->sm;

    p->sm = (struct sm){ .n = old.n,
                         .launch = old.launch,
                         .code = old.code,
                         .kernel = old.kernel,
                         .active = old.active,
                         .machine = m };
    memory_begin(&p->sm, l1);
    p->n_events = p->n_ended = p->n_marks = p->unlocked = 0;
    p->started = 0;
    p->barrier_unit = 0;
    memset(p->waiting, 0, sizeof p->waiting);
    memset(p->count, 0, (p->sm.kernel->n + 1) * sizeof *p->count);
    for (int k = 0; k < p->n_warps; k++)
        p->warp[k]->waits_at = 0;
    begin(p, share, parts);
    play_run(p, BUDGET);
}

// All blocks that were to be played have ended: the others take as long, each.
static struct outcome in_proportion(const struct play *p, double blocks)
{
    struct outcome o = { .scale = blocks / p->n_ended };
    int n = p->n_ended, r = p->resident;
    double rate = n >= 3 * r ? (p->end[n - r - 1] - p->end[r - 1]) / (n - 2 * r)
                : n > 1      ? (p->end[n - 1] - p->end[n / 2 - 1]) / (n - n / 2)
                             : p->end[0];

    o.cycles = p->sm.now + (blocks - n) * rate;
    o.steps = p->sm.issued * o.scale;
    return o;
}

// The blocks that remain when the SM is full for the last time; they have the SM for themselves.
static double cycles_of_rest(struct play *p, double share, double parts, size_t l1, int rest,
                             double steps)
{
    struct play alone = *p;
    double cycles;

    alone.resident = rest;
    alone.most_blocks = rest;
    alone.n_warps = rest * (int)p->block[0].shared.warps;
    alone.count = must_calloc(p->sm.kernel->n + 1, sizeof *alone.count);
    alone.end = NULL;
    alone.event = NULL;
    play_again(&alone, alone.sm.machine, share, parts, l1);
    cycles = alone.sm.now;
    if (alone.n_ended < rest)
        cycles += (rest * steps - alone.sm.issued) / late_rate(&alone);
    memory_end(&alone.sm);
    free(alone.count);
    free(alone.end);
    free(alone.event);
    return cycles;
}

// The blocks are too long to be played to their end: their instructions follow at the rate of the
// last ones that were played.
static struct outcome at_late_rate(struct play *p, double blocks, double steps, double share,
                                   double parts, size_t l1)
{
    struct outcome o = { .steps = steps * blocks, .scale = steps * blocks / p->sm.issued };
    double full = floor(blocks / p->resident) * p->resident, rest = blocks - full;

    if (rest == 0 || full == 0 || full > FEW_WAVES * p->resident)
        full = blocks, rest = 0;
    o.cycles = p->sm.now + (full * steps - p->sm.issued) / late_rate(p);
    if (rest > 0)
        o.cycles += cycles_of_rest(p, share, parts, l1, (int)rest, steps);
    return o;
}

static struct outcome outcome_of(struct play *p, double blocks, double *steps, double share,
                                 double parts, size_t l1)
{
    double longer = p->sm.kernel->start ? p->sm.kernel->longer : 1;
    struct outcome o;

    if (p->n_ended == p->most_blocks) {
        o = in_proportion(p, blocks);
        o.cycles *= longer;
        o.scale *= longer;
        o.steps *= longer;
        return o;
    }
    if (*steps == 0) {
        struct sm kept = p->sm;
        long *count = p->count;

        *steps = steps_of_block(p);
        p->sm = kept;
        p->count = count;
    }
    return at_late_rate(p, blocks, *steps * longer, share, parts, l1);
}

// --- the report

struct place {
    const struct instruction *first;
    double n;
};

// The source line of which most instructions are, and *all instructions.
static struct place busiest_line(const struct play *p, double *all)
{
    struct place *of = NULL, most = { NULL, 0 };
    int places = 0;

    *all = 0;
    for (int k = 0; k < p->sm.kernel->n; k++) {
        const struct instruction *i = &p->sm.kernel->instruction[k];
        int at = 0;

        *all += p->count[k];
        if (!i->line || !p->count[k])
            continue;
        while (at < places && (of[at].first->line != i->line || of[at].first->file != i->file))
            at++;
        if (at == places) {
            of = grown(of, places, sizeof *of);
            of[places++] = (struct place){ i, 0 };
        }
        of[at].n += p->count[k];
    }
    for (int k = 0; k < places; k++)
        if (of[k].n > most.n)
            most = of[k];
    free(of);
    return most;
}

static void add_line(struct play *p, char *why, size_t room)
{
    double all;
    struct place most = busiest_line(p, &all);

    if (most.first) {
        const char *file = most.first->file, *name = file ? strrchr(file, '/') : NULL;

        snprintf(why + strlen(why), room - strlen(why),
                 "; %.0f %% of the instructions are of %s:%d", 100 * most.n / all,
                 name   ? name + 1
                 : file ? file
                        : "?",
                 most.first->line);
    }
}

static enum stall main_stall(const struct sm *s)
{
    enum stall worst = STALL_WAIT;

    for (int k = STALL_LONG_SCOREBOARD; k < STALLS; k++)
        if (k != STALL_NOT_SELECTED && s->stalled[k] > s->stalled[worst])
            worst = (enum stall)k;
    return worst;
}

static void explain(struct play *p, const struct outcome *o, struct model_time *t)
{
    enum stall stall = main_stall(&p->sm);
    int busiest = 0;
    double share = 0;

    for (int u = 0; u < MODEL_LATENCY; u++) {
        double cycles = p->sm.busy[u] * o->scale;

        t->unit_us[u] = cycles / p->sm.n->mhz;
        t->unit_work[u] = p->sm.work[u] * o->scale * p->sm.n->sms * p->sm.active;
        if (cycles / o->cycles > share) {
            share = cycles / o->cycles;
            busiest = u;
        }
    }
    t->limiter = share >= BUSY ? (enum model_unit)busiest : MODEL_LATENCY;
    t->busiest = (enum model_unit)busiest;
    t->waits = stalls[stall].name;
    if (t->limiter != MODEL_LATENCY)
        snprintf(t->why, sizeof t->why, "%s, busy %.0f %% of the time", model_unit_name[busiest],
                 fmin(100, 100 * share));
    else
        snprintf(t->why, sizeof t->why,
                 "latency: warps wait for %s (%s); %s is busy %.0f %% of the time",
                 stalls[stall].says, stalls[stall].name, model_unit_name[busiest], 100 * share);
    if (t->limiter == MODEL_ISSUE || t->limiter == MODEL_INT)
        add_line(p, t->why, sizeof t->why);
}

static void note_lacks(struct play *p, struct model_time *t)
{
    const char *unknown = NULL;

    for (int k = 0; k < p->sm.kernel->n && !unknown; k++)
        if (p->sm.kernel->instruction[k].is_unknown && p->count[k])
            unknown = p->sm.kernel->instruction[k].text;
    if (unknown)
        snprintf(t->lacks, sizeof t->lacks, "the instruction %s", unknown);
    else if (p->sm.has_deadlock)
        snprintf(t->lacks, sizeof t->lacks, "a barrier that did not open");
    else if (p->sm.lacks_texture)
        snprintf(t->lacks, sizeof t->lacks, "misses of the texture cache");
    else if (p->sm.n_invented)
        snprintf(t->lacks, sizeof t->lacks, "%ld addresses that depend on data", p->sm.n_invented);
}

// --- the entry

static int prepare(struct play *p, const struct model_machine *m, const struct model_code *code,
                   const struct model_launch *l, struct model_time *t, double *blocks, size_t *l1)
{
    struct numbers *n = must_calloc(1, sizeof *n);
    double all = (double)l->grid[0] * l->grid[1] * l->grid[2];
    int warps = (int)((l->block[0] * l->block[1] * l->block[2] + 31) / 32);
    unsigned cluster[3];

    machine_numbers(m, n);
    p->sm.n = n;
    p->sm.machine = m;
    p->sm.launch = l;
    p->sm.code = code;
    p->sm.kernel = code_find(code, l->kernel);
    if (!p->sm.kernel || !warps || all < 1) {
        snprintf(t->lacks, sizeof t->lacks, "the machine code of %.90s", l->kernel);
        free(n);
        return -1;
    }
    for (int k = 0; k < 3; k++)
        cluster[k] = l->cluster[k] ? l->cluster[k] : p->sm.kernel->cluster[k];
    p->cluster = (cluster[0] ? cluster[0] : 1) * (cluster[1] ? cluster[1] : 1) *
                 (cluster[2] ? cluster[2] : 1);
    p->resident = blocks_per_sm(n, p->sm.kernel, l, warps);
    *blocks = ceil(all / n->sms);
    p->sm.active = fmin(1, all / n->sms);
    t->registers = p->sm.kernel->registers;
    t->blocks_per_sm = p->resident;
    *l1 = l1_bytes_of(n, p->sm.kernel, l, p->resident);
    if (p->resident > *blocks)
        p->resident = (int)*blocks;
    p->most_blocks = (long)fmin(*blocks, 6 * p->resident);
    p->stride = (uint64_t)fmax(1, fmin(n->sms, all));
    p->first_block = (uint64_t)((*blocks - p->most_blocks) / 2) * p->stride;
    p->first_block = p->first_block / p->cluster * p->cluster;
    if (p->first_block + (p->most_blocks - 1) * p->stride >= all)
        p->first_block = 0;
    make_blocks(p, warps);
    pipe_numbers(p, m);
    return 0;
}

// The share of the sectors that come from DRAM: the launch's bytes over what all SMs ask for.
static double share_of(const struct play *p, const struct outcome *o)
{
    double bytes = p->sm.launch->read_bytes,
           asked = 32 * p->sm.asked_first * o->scale * p->sm.n->sms * p->sm.active;

    return isnan(bytes) || asked <= 0 ? 1 : fmin(1, bytes / asked);
}

int model_play(const struct model_machine *m, const struct model_code *code,
               const struct model_launch *launch, struct model_time *t)
{
    struct play p = { 0 };
    struct outcome o;
    double blocks, steps = 0, share = 1, parts = 0;
    size_t l1;

    memset(t, 0, sizeof *t);
    if (prepare(&p, m, code, launch, t, &blocks, &l1))
        return -1;
    for (int pass = 0;; pass++) {
        play_again(&p, m, share, parts, l1);
        o = outcome_of(&p, blocks, &steps, share, parts, l1);
        if (pass)
            break;
        share = share_of(&p, &o);
        parts = share_of_parts(&p.sm);
        if (share > 0.95 && parts < 0.05)
            break;
        memory_end(&p.sm);
    }
    // what DRAM and L2 have still to write delays the next launch
    o.cycles = fmax(o.cycles, fmax(p.sm.busy[MODEL_DRAM], p.sm.busy[MODEL_L2]) * o.scale);
    o.cycles =
        fmax(o.cycles, p.sm.busy[MODEL_TENSOR] * o.scale * p.sm.n->mhz / p.sm.n->product_mhz);
    explain(&p, &o, t);
    note_lacks(&p, t);
    for (int k = 0; k < p.n_warps; k++)
        t->assumed_branches += p.warp[k]->w.assumed;
    t->us = o.cycles / p.sm.n->mhz;
    t->launch_us = p.sm.n->launch;
    t->host_us = p.sm.n->launch_host;
    t->graph_us = p.sm.n->launch_graph;
    t->instructions = o.steps / blocks * launch->grid[0] * launch->grid[1] * launch->grid[2];
    memory_end(&p.sm);
    free((void *)p.sm.n);
    free((void *)p.cycles);
    free((void *)p.latency);
    free_blocks(&p);
    return 0;
}

/* Playing one SM: an event per instruction that a warp issues. A warp issues in order, when its
 * registers are ready, its scheduler is free and the unit takes the instruction. */
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/program.h"

// Not measured: how many cycles of work the queues before the load-store unit, before L2 and before
// the register banks hold, and the latency of the uniform pipe.
enum { LSU_QUEUE = 16, STORE_QUEUE = 400, READ_QUEUE = 2, UNIFORM_LATENCY = 6 };

// The other blocks of a cluster do the same: its barrier is one of the block that takes longer.
enum { CLUSTER_BARRIER = 16 };

// --- events

static int is_before(const struct event *a, const struct event *b)
{
    return a->t < b->t || (a->t == b->t && a->order < b->order);
}

static void push(struct play *p, struct event e)
{
    int at = p->n_events;

    p->event = grown(p->event, p->n_events, sizeof *p->event);
    e.order = p->order++;
    for (p->n_events++; at && is_before(&e, &p->event[(at - 1) / 2]); at = (at - 1) / 2)
        p->event[at] = p->event[(at - 1) / 2];
    p->event[at] = e;
}

static struct event pop(struct play *p)
{
    struct event first = p->event[0], last = p->event[--p->n_events];
    int at = 0;

    for (;;) {
        int child = 2 * at + 1;

        if (child >= p->n_events)
            break;
        if (child + 1 < p->n_events && is_before(&p->event[child + 1], &p->event[child]))
            child++;
        if (!is_before(&p->event[child], &last))
            break;
        p->event[at] = p->event[child];
        at = child;
    }
    p->event[at] = last;
    return first;
}

// When the registers of the next instruction are ready, and what it waits for.
static double registers_ready(struct played_warp *w, const struct instruction *i)
{
    double t = w->next;

    w->because = STALL_NONE;
    for (int pass = 0; pass < 2; pass++) {
        const struct registers *list = pass ? i->writes : i->reads;

        for (int k = 0; k < (pass ? i->n_writes : i->n_reads); k++)
            for (int r = list[k].first; r < list[k].first + list[k].count && r < 255; r++)
                if (w->ready[list[k].file][r] > t) {
                    t = w->ready[list[k].file][r];
                    w->because = w->from[list[k].file][r];
                }
    }
    return t;
}

static void schedule(struct play *p, struct played_warp *w)
{
    double t = registers_ready(w, warp_next(&w->w));

    p->sm.stalled[w->because] += t - w->next;
    push(p, (struct event){ .t = t, .warp = w });
}

// A unit that refuses a warp takes the warps that wait for it one after the other, the oldest
// first. In turn, all blocks would be in the same phase.
static void later(struct play *p, struct played_warp *w, double t, enum stall why, int unit)
{
    struct waiting *q = &p->waiting[unit];
    struct played_warp **at = &q->first;

    w->since = p->sm.now;
    w->because = why;
    while (*at && (*at)->age < w->age)
        at = &(*at)->behind;
    w->behind = *at;
    *at = w;
    if (!q->has_event)
        push(p, (struct event){ .t = t, .unit = unit + 1 });
    q->has_event = 1;
}

static double free_at(const struct sm *s, int unit)
{
    switch (unit) {
    case UNIT_LSU: return s->lsu - LSU_QUEUE;
    case UNIT_STORE: return s->store - STORE_QUEUE;
    case UNIT_TEXTURE: return s->texture - LSU_QUEUE;
    case UNIT_ATOMIC: return s->atomic - STORE_QUEUE;
    default:
        if (unit < UNIT_PIPE)
            return s->issue[unit - UNIT_ISSUE];
        if ((unit - UNIT_PIPE) % PIPES == PIPE_READ)
            return fmax(s->bank[(unit - UNIT_PIPE) / PIPES][0],
                        s->bank[(unit - UNIT_PIPE) / PIPES][1]) -
                   READ_QUEUE;
        return s->pipe[(unit - UNIT_PIPE) / PIPES][(unit - UNIT_PIPE) % PIPES] -
               ((unit - UNIT_PIPE) % PIPES == PIPE_TENSOR ? s->product_step : 0);
    }
}

static void results_ready(struct played_warp *w, const struct instruction *i, double t,
                          enum stall why)
{
    for (int k = 0; k < i->n_writes; k++)
        for (int r = i->writes[k].first; r < i->writes[k].first + i->writes[k].count && r < 255;
             r++) {
            w->ready[i->writes[k].file][r] = t;
            w->from[i->writes[k].file][r] = (uint8_t)why;
        }
}

// --- blocks

void block_begin(struct play *p, struct played_block *b, uint64_t index)
{
    const struct model_launch *l = p->sm.launch;
    struct block *s = &b->shared;

    s->index[0] = (unsigned)(index % l->grid[0]);
    s->index[1] = (unsigned)(index / l->grid[0] % l->grid[1]);
    s->index[2] = (unsigned)(index / l->grid[0] / l->grid[1]);
    s->rank = (unsigned)(index % p->cluster);
    memset(b->arrived, 0, sizeof b->arrived);
    b->n_mbarriers = 0;
    b->alive = (int)s->warps;
    if (p->sm.kernel->needs_shared_data) {
        memset(s->shared, 0, s->shared_bytes);
        memset(s->unknown, 1, s->shared_bytes / 4 + 1);
    }
}

static int by_warps(int warps)
{
    int k = 0;

    while (k < 5 && 1 << k < warps)
        k++;
    return k;
}

static void start_block(struct play *p, struct played_block *b, double t)
{
    double gap = p->sm.n->sms * p->sm.active / p->sm.n->block_rate * p->sm.n->mhz,
           each = p->sm.n->warp_start[by_warps((int)b->shared.warps)];

    t = fmax(t, p->last_start + gap);   // of the GPU: blocks start one after the other
    p->last_start = t;
    b->start = t;
    p->sm.busy[MODEL_BLOCKS] += gap;
    p->sm.work[MODEL_BLOCKS]++;
    block_begin(p, b, p->first_block + p->started++ * p->stride);
    for (unsigned k = 0; k < b->shared.warps; k++) {
        struct played_warp *w = p->warp[b->slot * b->shared.warps + k];

        warp_start(&w->w, &b->shared, 32 * k);
        memset(w->ready, 0, sizeof w->ready);
        w->block = b;
        w->age = 64 * p->started + k;
        w->scheduler = (int)((k + b->slot * b->shared.warps) % SCHEDULERS);
        w->waits_at = w->n_groups = w->n_batches = 0;
        w->copies = w->products = 0;
        w->next = t + k * each;
        schedule(p, w);
    }
}

static void end_block(struct play *p, struct played_block *b)
{
    int warps = (int)b->shared.warps;

    p->end = grown(p->end, p->n_ended, sizeof *p->end);
    p->end[p->n_ended++] = p->sm.now;
    if (p->started < p->most_blocks)
        start_block(p, b, p->sm.now + p->sm.n->turnover[by_warps(warps)]);
}

// --- barriers

static void release(struct play *p, struct played_block *b, int id, double t)
{
    b->arrived[id] = 0;
    if (id == CLUSTER_BARRIER)
        t += p->sm.n->cluster;
    for (unsigned k = 0; k < b->shared.warps; k++) {
        struct played_warp *w = p->warp[b->slot * b->shared.warps + k];

        if (w->waits_at == id + 1) {
            w->waits_at = 0;
            p->sm.stalled[STALL_BARRIER] += t - w->next;
            w->next = t;
            schedule(p, w);
        }
    }
}

static void arrive(struct play *p, struct played_warp *w, int id, int needed, int waits)
{
    const struct numbers *n = p->sm.n;
    double each = (n->barrier[5] - n->barrier[0]) / 31, t;

    p->barrier_unit = fmax(p->barrier_unit, p->sm.now) + each;
    t = p->barrier_unit + n->barrier[0] - each;
    if (waits) {
        w->waits_at = id + 1;
        w->next = p->sm.now + 1;
    }
    if (++w->block->arrived[id] >= needed)
        release(p, w->block, id, t);
}

static void exit_warp(struct play *p, struct played_warp *w)
{
    struct played_block *b = w->block;

    w->in_use = 0;
    if (--b->alive == 0)
        end_block(p, b);
    else if (b->arrived[0] >= b->alive && b->arrived[0])
        release(p, b, 0, p->sm.now + p->sm.n->barrier[0]);
}

// Returns whether the warp goes on: else the last one that arrives schedules it.
static int barrier(struct play *p, struct played_warp *w, const struct instruction *i)
{
    uint32_t scratch[LANES], unknown = 0;
    int id = i->n_operands && i->operand[0].kind == OPERAND_IMMEDIATE
               ? (int)(i->operand[0].value % 16)
               : 0,
        needed = w->block->alive, waits = !strstr(i->text, "ARV");

    for (int k = 1; k < i->n_operands; k++)
        if (i->operand[k].kind == OPERAND_IMMEDIATE || i->operand[k].kind == OPERAND_REGISTER) {
            uint32_t threads = warp_source(&w->w, &i->operand[k], 0, scratch, &unknown)[0];

            if (!unknown && threads)
                needed = (int)threads / 32;
        }
    arrive(p, w, id, needed, waits);
    return !waits;
}

// --- mbarriers: copies report their bytes to them

static struct mbarrier *mbarrier_at(struct played_block *b, uint32_t address)
{
    for (int k = 0; k < b->n_mbarriers; k++)
        if (b->mbarrier[k].address == address)
            return &b->mbarrier[k];
    if (b->n_mbarriers == MBARRIERS)
        return NULL;
    b->mbarrier[b->n_mbarriers] = (struct mbarrier){ address, 1, 1, 0, 0 };
    return &b->mbarrier[b->n_mbarriers++];
}

// The phase ends when all have arrived and all bytes are there.
static void check_phase(struct play *p, struct played_block *b, struct mbarrier *m, double t)
{
    if (m->pending > 0 || m->bytes > 0)
        return;
    m->phase ^= 1;
    m->pending += m->count;
    for (unsigned k = 0; k < b->shared.warps; k++) {
        struct played_warp *w = p->warp[b->slot * b->shared.warps + k];

        if (w->waits_at == 100 + (int)(m - b->mbarrier) && (int)w->parity != m->phase) {
            w->waits_at = 0;
            t = fmax(t, p->sm.now);
            p->sm.stalled[STALL_LONG_SCOREBOARD] += fmax(0, t - w->next);
            w->next = t + p->sm.n->mbarrier / 4;
            schedule(p, w);
        }
    }
}

static void bytes_arrived(struct play *p, const struct event *e)
{
    struct mbarrier *m = mbarrier_at(e->block, e->address);

    if (m && e->block->start == e->start) {
        m->bytes -= (long)e->bytes;
        check_phase(p, e->block, m, e->t);
    }
}

// Of the lanes that execute an instruction, the first.
static int first_lane(const struct warp *w, const struct instruction *i)
{
    uint32_t active = warp_active(w, i);

    return active ? __builtin_ctz(active) : 0;
}

static uint32_t value_of(struct played_warp *w, const struct instruction *i, int k, int word)
{
    uint32_t scratch[LANES], unknown = 0;

    if (k >= i->n_operands)
        return 0;
    return warp_source(&w->w, &i->operand[k], word, scratch, &unknown)[first_lane(&w->w, i)];
}

// Blocks of a cluster do the same: what one does to the barrier of another, that one does to its.
static uint32_t local(uint64_t address) { return (uint32_t)address & 0xffffff; }

// The mbarrier of an instruction, NULL if it is not known, with the lanes and the value.
static struct mbarrier *synced(struct played_warp *w, const struct instruction *i, uint32_t *lanes,
                               uint32_t *value)
{
    const struct recorded *recorded = i->recorded[0];
    uint64_t address[LANES];
    int at = i->n_results;

    if (recorded) {
        *lanes = recorded->lanes;
        *value = (uint32_t)recorded->address[1];
        return mbarrier_at(w->block, (uint32_t)recorded->address[0]);
    }
    *lanes = warp_active(&w->w, i);
    while (at < i->n_operands && i->operand[at].kind != OPERAND_ADDRESS)
        at++;
    if (at == i->n_operands || !*lanes)
        return NULL;
    *value = value_of(w, i, at + 1, 0);
    if (i->flags & FLAG_EXCHANGE)
        *value = 0x100000 - (*value >> 1 & 0xfffff);
    warp_addresses(&w->w, i, &i->operand[at], address);
    return mbarrier_at(w->block, local(address[first_lane(&w->w, i)]));
}

static int syncs(struct play *p, struct played_warp *w, const struct instruction *i)
{
    uint32_t lanes, value;
    struct mbarrier *m = synced(w, i, &lanes, &value);

    if (!m)
        return 1;
    if (i->flags & FLAG_EXCHANGE) {
        m->count = m->pending = (int)value;
        m->phase = 0;
        m->bytes = 0;
    } else if (i->flags & FLAG_PHASE) {
        w->parity = value >> 31;
        if ((int)w->parity == m->phase) {
            w->waits_at = 100 + (int)(m - w->block->mbarrier);
            return 0;
        }
    } else {
        int arrivals = i->flags & FLAG_A0T1 ? 0 : __builtin_popcount(lanes);

        if (!(i->flags & FLAG_A1T0))
            m->bytes += value;
        m->pending -= arrivals;
        check_phase(p, w->block, m, p->sm.now);
    }
    return 1;
}

// --- bulk copies

// Parameters have addresses from 0 on, as constants.
static const void *tensor_map(const struct sm *s, uint64_t address)
{
    uint64_t offset = address - s->kernel->parameters;

    return offset < s->launch->n_parameters ? s->launch->parameters + offset
                                            : (const void *)address;
}

static double bulk_bytes(struct play *p, struct played_warp *w, const struct instruction *i,
                         struct mbarrier *m)
{
    const struct model_launch *l = p->sm.launch;
    const struct operand *map = &i->operand[1];

    if (i->text[1] == 'T' && l->box_bytes && map->kind == OPERAND_ADDRESS) {
        uint64_t at = w->w.ur[map->ureg] | (uint64_t)w->w.ur[map->ureg + 1] << 32;
        size_t bytes = l->box_bytes(tensor_map(&p->sm, at));

        if (bytes)
            return (double)bytes;
    }
    return m && m->bytes > 0 ? (double)m->bytes : 4096;
}

static void land(struct play *p, struct played_warp *w, double t, uint32_t at, double bytes)
{
    push(p,
         (struct event){
             .t = t, .block = w->block, .start = w->block->start, .address = at, .bytes = bytes });
}

static void bulk_copy(struct play *p, struct played_warp *w, const struct instruction *i)
{
    const struct recorded *recorded = i->recorded[0];
    const struct operand *to = &i->operand[0];
    uint32_t at =
        to->kind == OPERAND_ADDRESS && to->ureg != ZERO_REGISTER ? local(w->w.ur[to->ureg + 1]) : 0;
    struct mbarrier *m = mbarrier_at(w->block, at);
    double bytes, blocks = 1;

    if (recorded) {
        land(p, w, bulk_load(&p->sm, recorded->bytes, p->sm.now), (uint32_t)recorded->address[0],
             (double)recorded->address[1]);
        return;
    }
    if (!warp_active(&w->w, i))
        return;
    bytes = bulk_bytes(p, w, i, m);
    if (i->flags & FLAG_MULTICAST)
        blocks = __builtin_popcount(value_of(w, i, 2, 0) >> 16);
    land(p, w, bulk_load(&p->sm, bytes, p->sm.now), at, bytes * fmax(1, blocks));
}

static void bulk_store_box(struct play *p, struct played_warp *w, const struct instruction *i)
{
    const struct operand *map = &i->operand[1];
    size_t bytes = 0;

    if (!warp_active(&w->w, i))
        return;
    if (!i->recorded[0] && p->sm.launch->box_bytes && map->kind == OPERAND_ADDRESS &&
        map->ureg != ZERO_REGISTER)
        bytes = p->sm.launch->box_bytes(
            tensor_map(&p->sm, w->w.ur[map->ureg] | (uint64_t)w->w.ur[map->ureg + 1] << 32));
    if (i->recorded[0])
        bytes = (size_t)i->recorded[0]->bytes;
    bulk_store(&p->sm, bytes ? (double)bytes : 4096, p->sm.now);
}

// --- memory

static double width_index(int bytes) { return bytes <= 4 ? 0 : bytes == 8 ? 1 : 2; }

static double shared_access(struct play *p, struct played_warp *w, const struct instruction *i)
{
    struct sm *s = &p->sm;
    struct request r;
    int width = (int)width_index(i->bytes), kind = i->op->kind,
        k = kind == KIND_LDS || kind == KIND_ATOMS ? i->n_results : 0;
    double cycles, start;

    while (k < i->n_operands && i->operand[k].kind != OPERAND_ADDRESS)
        k++;
    request_of(s, &w->w, i, &i->operand[k < i->n_operands ? k : 0], &r);
    if (!strncmp(i->text, "LDSM", 4) || !strncmp(i->text, "STSM", 4)) {
        int n = 8 * (i->text[strlen(i->text) - 1] - '0');

        r.lanes &= n >= 32 ? ~0u : (1u << n) - 1;
    }
    cycles = kind == KIND_ATOMS ? atomic_cycles(&r) : shared_cycles(&r);
    start = fmax(s->lsu, s->now);
    s->lsu = start + cycles;
    s->busy[MODEL_SHARED] += cycles;
    s->work[MODEL_SHARED] += cycles;
    if (kind == KIND_ATOMS)
        return start + cycles + s->n->atoms_latency;
    return start + s->n->lds_latency[width] + cycles - s->n->lds[width];
}

static void copy_to_shared(struct play *p, struct played_warp *w, const struct instruction *i)
{
    const struct operand *last = &i->operand[i->n_operands - 1];
    uint32_t unknown = 0;
    struct request r;
    double t = p->sm.now;

    if (last->kind != OPERAND_PREDICATE || warp_predicate(&w->w, last, &unknown)) {
        request_of(&p->sm, &w->w, i, &i->operand[1], &r);
        t = global_load(&p->sm, &r, t, !(i->flags & FLAG_BYPASS));
    }
    shared_access(p, w, i);
    w->copies = fmax(w->copies, t);
}

static void commit(double *open, double *list, int *n)
{
    if (*n == MOST_ASYNC) {
        memmove(list, list + 1, (MOST_ASYNC - 1) * sizeof *list);
        --*n;
    }
    list[*n] = fmax(*open, *n ? list[*n - 1] : 0);
    ++*n;
}

// Waits until at most `most` of the committed groups are in flight.
static double wait_for(const double *list, int n, int most)
{
    return n > most ? list[n - 1 - most] : 0;
}

static int last_number(const struct instruction *i)
{
    const struct operand *o = &i->operand[i->n_operands - 1];

    return i->n_operands && o->kind == OPERAND_IMMEDIATE ? (int)o->value : 0;
}

// --- tensor cores

static double product_rate(const struct sm *s, const struct instruction *i)
{
    const char *group = i->op->kind == KIND_WGMMA ? "wgmma" : "mma",
               *type = strstr(i->text, "TF32") || strstr(i->text, "1688.F32.TF") ? "tf32"
                     : strstr(i->text, "S8") || strstr(i->text, "U8")            ? "s8"
                     : strstr(i->text, "E4M3") || strstr(i->text, "E5M2")        ? "e4m3"
                     : strstr(i->text, "BF16")                                   ? "bf16"
                                                                                 : "f16";
    double or_else = strcmp(type, "tf32") ? 1024 : 512;

    if (i->op->kind == KIND_MMA && i->shape[2] == 8 && strcmp(type, "tf32"))
        return machine_number(s->machine, "mma.f16_m16n8k8.rate", or_else);
    return machine_number(s->machine, text_of("%s.%s.rate", group, type), or_else);
}

static double product_cycles(struct sm *s, const struct instruction *i)
{
    double products = (double)i->shape[0] * i->shape[1] * i->shape[2];

    if (i->op->kind == KIND_WGMMA)   // a warp has a quarter of the rows
        products /= 4;
    if (s->rate_of != i->op || s->rate_text != i->text) {
        s->rate_of = i->op;
        s->rate_text = i->text;
        s->rate = product_rate(s, i);
    }
    return products / (s->rate / SCHEDULERS);
}

static double multiply(struct play *p, struct played_warp *w, const struct instruction *i)
{
    struct sm *s = &p->sm;
    double *pipe = &s->pipe[w->scheduler][PIPE_TENSOR], cycles = product_cycles(s, i);

    *pipe = fmax(*pipe, s->now) + cycles;
    s->busy[MODEL_TENSOR] += cycles / SCHEDULERS;
    s->work[MODEL_TENSOR]++;
    if (i->op->kind == KIND_MMA)
        return *pipe - cycles + fmax(cycles, p->latency[opcode_index(i->op)]);
    w->products = *pipe + p->latency[opcode_index(i->op)] - cycles;
    for (int k = 0; k < i->n_operands; k++)
        if (i->operand[k].kind == OPERAND_OTHER && k > i->n_results) {   // gsb0
            commit(&w->products, w->batch, &w->n_batches);
            break;
        }
    return s->now;
}

// --- issue

static const struct {
    enum pipe pipe;
    enum model_unit unit;
} pipe_of[] = {
    [KIND_FMA] = { PIPE_LITE, MODEL_FMA },
    [KIND_FMA_HALF] = { PIPE_LITE, MODEL_FMA },
    [KIND_IMAD] = { PIPE_HEAVY, MODEL_FMA },
    [KIND_ALU] = { PIPE_ALU, MODEL_INT },
    [KIND_XU] = { PIPE_XU, MODEL_XU },
    [KIND_FP64] = { PIPE_FP64, MODEL_FP64 },
    [KIND_UNIFORM] = { PIPE_UNIFORM, MODEL_INT },
};

static int has_pipe(int kind) { return kind >= KIND_FMA && kind <= KIND_UNIFORM; }

// FP32 instructions use the half of the FMA pipe that is free first.
static enum pipe pipe_for(const struct sm *s, const struct played_warp *w,
                          const struct instruction *i)
{
    const double *pipe = s->pipe[w->scheduler];

    if (i->op->kind == KIND_FMA || i->op->kind == KIND_FMA_HALF)
        return pipe[PIPE_LITE] <= pipe[PIPE_HEAVY] ? PIPE_LITE : PIPE_HEAVY;
    return pipe_of[i->op->kind].pipe;
}

static int reads_banks(int kind) { return kind >= KIND_FMA && kind <= KIND_IMAD; }

static int is_busy(struct play *p, struct played_warp *w, int unit, enum stall why)
{
    double free = free_at(&p->sm, unit);

    if (free <= p->sm.now)
        return 0;
    later(p, w, free, why, unit);
    return 1;
}

// Whether a unit of this instruction does not take it now. Then the warp waits for the unit.
static int is_refused(struct play *p, struct played_warp *w, const struct instruction *i)
{
    int kind = i->op->kind, pipes = UNIT_PIPE + w->scheduler * PIPES;

    if (is_busy(p, w, UNIT_ISSUE + w->scheduler, STALL_NOT_SELECTED) ||
        (has_pipe(kind) && is_busy(p, w, pipes + (int)pipe_for(&p->sm, w, i), STALL_MATH_PIPE)) ||
        (reads_banks(kind) && is_busy(p, w, pipes + PIPE_READ, STALL_MATH_PIPE)))
        return 1;
    if (kind == KIND_MMA || kind == KIND_WGMMA) {
        p->sm.product_step = product_cycles(&p->sm, i);
        return is_busy(p, w, pipes + PIPE_TENSOR, STALL_MATH_PIPE);
    }
    if (((kind >= KIND_LDS && kind <= KIND_ATOMG) || kind == KIND_SHFL) &&
        is_busy(p, w, UNIT_LSU, kind >= KIND_LDG ? STALL_LG_THROTTLE : STALL_MIO_THROTTLE))
        return 1;
    return kind >= KIND_LDG && is_busy(p, w,
                                       kind == KIND_TEXTURE ? UNIT_TEXTURE
                                       : kind == KIND_ATOMG ? UNIT_ATOMIC
                                                            : UNIT_STORE,
                                       STALL_LG_THROTTLE);
}

static void use_pipe(struct play *p, struct played_warp *w, const struct instruction *i)
{
    struct sm *s = &p->sm;
    int kind = i->op->kind, at = opcode_index(i->op);
    enum pipe pipe = pipe_for(s, w, i);
    double cycles = p->cycles[at], latency = p->latency[at];

    if (kind == KIND_FMA || kind == KIND_FMA_HALF)
        cycles *= 2;   // half of the lanes at once
    if (kind == KIND_IMAD && (i->flags & FLAG_WIDE))
        cycles = p->wide_cycles, latency = p->wide_latency;
    if (kind == KIND_UNIFORM)
        cycles = 2, latency = UNIFORM_LATENCY;
    for (int b = 0; b < 2 && reads_banks(kind); b++)
        s->bank[w->scheduler][b] = fmax(s->bank[w->scheduler][b], s->now) + i->of_bank[b];
    s->pipe[w->scheduler][pipe] = s->now + cycles;
    s->busy[pipe_of[kind].unit] += cycles / SCHEDULERS / (pipe_of[kind].unit == MODEL_FMA ? 2 : 1);
    s->work[pipe_of[kind].unit]++;
    results_ready(w, i, s->now + latency, latency > 10 ? STALL_SHORT_SCOREBOARD : STALL_WAIT);
}

static void use_memory(struct play *p, struct played_warp *w, const struct instruction *i)
{
    struct sm *s = &p->sm;
    int kind = i->op->kind, k = i->n_results;
    struct request r;

    while (k < i->n_operands - 1 && i->operand[k].kind != OPERAND_ADDRESS)
        k++;
    if (kind == KIND_LDG) {
        request_of(s, &w->w, i, &i->operand[k], &r);
        results_ready(w, i, global_load(s, &r, s->now, !(i->flags & FLAG_STRONG)),
                      STALL_LONG_SCOREBOARD);
    } else if (kind == KIND_STG) {
        request_of(s, &w->w, i, &i->operand[k], &r);
        global_store(s, &r, s->now);
    } else if (kind == KIND_ATOMG) {
        request_of(s, &w->w, i, &i->operand[k], &r);
        r.is_float = strstr(i->text, ".F32") != NULL;
        results_ready(w, i, global_atomic(s, &r, s->now, i->n_writes > 0), STALL_LONG_SCOREBOARD);
    } else if (kind == KIND_LDL || kind == KIND_STL) {   // interleaved: a line per word
        s->lsu = fmax(s->lsu, s->now) + fmax(1, i->bytes / 4);
        s->busy[MODEL_L1] += fmax(1, i->bytes / 4);
        results_ready(w, i, s->lsu + s->n->l1_latency, STALL_LONG_SCOREBOARD);
    } else if (kind == KIND_LDGSTS)
        copy_to_shared(p, w, i);
    else
        results_ready(w, i, shared_access(p, w, i), STALL_SHORT_SCOREBOARD);
}

static void fetch_texture(struct play *p, struct played_warp *w, const struct instruction *i)
{
    struct sm *s = &p->sm;
    double cycles = __builtin_popcount(warp_active(&w->w, i)) / s->n->texture;

    s->texture = fmax(s->texture, s->now) + cycles;
    s->busy[MODEL_TEXTURE] += cycles;
    s->work[MODEL_TEXTURE] += cycles * s->n->texture;
    s->lacks_texture = 1;
    results_ready(w, i, s->texture - cycles + s->n->texture_latency, STALL_LONG_SCOREBOARD);
}

// Units without a queue of their own here.
static void use_other(struct play *p, struct played_warp *w, const struct instruction *i)
{
    struct sm *s = &p->sm;
    double t;

    switch (i->op->kind) {
    case KIND_SHFL:
        t = fmax(s->lsu, s->now);
        s->lsu = t + 1;
        s->busy[MODEL_SHARED] += 1;
        s->work[MODEL_SHARED] += 1;
        results_ready(w, i, t + p->latency[opcode_index(i->op)], STALL_SHORT_SCOREBOARD);
        break;
    case KIND_CONSTANT:
        t = s->n->constant * constant_words(&w->w, i, &i->operand[1]);
        s->constant = fmax(s->constant, s->now) + t;
        s->busy[MODEL_CONSTANT] += t;
        s->work[MODEL_CONSTANT] += t / s->n->constant;
        results_ready(w, i, s->constant - s->n->constant + s->n->constant_latency,
                      STALL_SHORT_SCOREBOARD);
        break;
    case KIND_TEXTURE: fetch_texture(p, w, i); break;
    case KIND_MMA:
    case KIND_WGMMA: results_ready(w, i, multiply(p, w, i), STALL_WAIT); break;
    case KIND_WARPGROUP:
        if (i->flags & FLAG_DEPBAR)
            w->next = fmax(w->next, wait_for(w->batch, w->n_batches, last_number(i)));
        break;
    case KIND_COMMIT: commit(&w->copies, w->group, &w->n_groups); break;
    case KIND_WAIT: w->next = fmax(w->next, wait_for(w->group, w->n_groups, last_number(i))); break;
    case KIND_FENCE:
        if (i->flags & FLAG_GPU)
            w->next = fmax(w->next, s->now + s->n->atomic_latency);
        break;
    case KIND_TMA_LOAD: bulk_copy(p, w, i); break;
    case KIND_TMA_STORE: bulk_store_box(p, w, i); break;
    default: results_ready(w, i, s->now + 2, STALL_WAIT);
    }
}

static void note_issue(struct play *p, const struct instruction *i)
{
    p->sm.issued++;
    p->sm.busy[MODEL_ISSUE] += 1. / SCHEDULERS;
    p->sm.work[MODEL_ISSUE]++;
    p->count[i - p->sm.kernel->instruction]++;
}

// Returns 0 if the warp waits, or has ended.
static int execute(struct play *p, struct played_warp *w, const struct instruction *i)
{
    int kind = i->op->kind, at = w->w.group[w->w.now].at, goes_on;

    w->next = p->sm.now + 1;
    if (kind == KIND_SYNCS && !syncs(p, w, i))
        return 0;   // the same again when the phase is over
    if (has_pipe(kind))
        use_pipe(p, w, i);
    else if (kind >= KIND_LDS && kind <= KIND_ATOMG)
        use_memory(p, w, i);
    else
        use_other(p, w, i);
    warp_compute(&w->w, i);
    goes_on = warp_advance(&w->w, i);
    if (!goes_on) {
        exit_warp(p, w);
        return 0;
    }
    if (kind == KIND_BRANCH && w->w.group[w->w.now].at != at + 1) {
        p->sm.stalled[STALL_BRANCH] += p->sm.n->branch - 1;
        w->next = fmax(w->next, p->sm.now + p->sm.n->branch);
    }
    if (kind == KIND_BARRIER)
        return barrier(p, w, i);
    if (kind == KIND_CLUSTER_WAIT)
        arrive(p, w, CLUSTER_BARRIER, w->block->alive, 1);
    return kind != KIND_CLUSTER_WAIT;
}

static void issue(struct play *p, struct played_warp *w)
{
    const struct instruction *i = warp_next(&w->w);

    if (is_refused(p, w, i))
        return;
    p->sm.issue[w->scheduler] = p->sm.now + 1;
    note_issue(p, i);
    if (execute(p, w, i))
        schedule(p, w);
}

static void serve(struct play *p, int unit)
{
    struct waiting *q = &p->waiting[unit];
    struct played_warp *w = q->first;

    q->has_event = 0;
    if (!w)
        return;
    q->first = w->behind;
    p->sm.stalled[w->because] += p->sm.now - w->since;
    issue(p, w);
    if (q->first && !q->has_event) {
        push(p, (struct event){ .t = fmax(p->sm.now, free_at(&p->sm, unit)), .unit = unit + 1 });
        q->has_event = 1;
    }
}

// A barrier that never opens is one that the model does not understand.
static int unlock(struct play *p)
{
    int n = 0;

    for (int k = 0; k < p->n_warps; k++)
        if (p->warp[k]->waits_at && p->warp[k]->block && p->warp[k]->block->alive) {
            int is_behind =
                p->warp[k]->waits_at < 100;   // of the instruction; at an mbarrier: at it

            p->warp[k]->waits_at = 0;
            p->warp[k]->next = p->sm.now;
            n++;
            if (is_behind || warp_advance(&p->warp[k]->w, warp_next(&p->warp[k]->w)))
                schedule(p, p->warp[k]);
            else
                exit_warp(p, p->warp[k]);
        }
    p->sm.has_deadlock |= n;
    return n && p->unlocked++ < 1000;
}

void play_run(struct play *p, double most_issued)
{
    for (int k = 0; k < p->resident && p->started < p->most_blocks; k++)
        start_block(p, &p->block[k], 0);
    while (p->n_events || unlock(p)) {
        struct event e = pop(p);

        p->sm.now = e.t;
        if (e.unit)
            serve(p, e.unit - 1);
        else if (e.warp)
            issue(p, e.warp);
        else
            bytes_arrived(p, &e);
        if (p->sm.issued >= most_issued)
            break;
        play_note(p);
    }
}

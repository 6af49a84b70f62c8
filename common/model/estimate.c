/* Machine code of a kernel for which there is no compiler of GPUs: what one block did on the CPU
 * device, request by request, with instructions between them as the host's code has
 * (common/emu/lanes/paths.cpp). The rules are about machine code: none was chosen by a time.
 *
 * - A request is one instruction, with the addresses that it had. Loads of up to four rounds of a
 *   loop are issued before what follows them (nvcc unrolls by four), up to a barrier, an exchange,
 *   or a load from shared memory that a store there precedes.
 * - Between two barriers or stores to shared memory, loads of one window of 16 bytes are one load,
 *   and so are loads of the same addresses (common/emu/README.md, "Merged loads"). Loads of less
 *   than 4 bytes in different rounds of a loop that g++ has not unrolled are not.
 * - A sum and a product of floats are an FFMA, and wait for the last two loads. An integer
 *   operation of the host is one here; calculating the address of a request is free, because its
 *   offset is part of the instruction, and so is the counter of a loop.
 * - Work is that of the lanes of a request since the last request of one of them. Sides of a branch
 *   have what is before the branch in common. Warps without a lane in a short branch issue its
 *   instructions, too, without effect.
 * - A loop's round ends with a comparison and a branch, a quarter of them if it has no barrier.
 * - Bulk copies, mbarriers and products of warpgroups are as the CPU device executed them. Only the
 *   arrivals of the block's own warps count, and a multicast of another block arrives with a copy
 *   of this one.
 * - 32 registers per thread, or 16 more than the products between two requests: an outer product of
 *   what was loaded has as many sums. Results of wgmma are registers, too. */
#include "estimate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/program.h"
#include "estimate_async.h"
#include "play.h"
#include "reader.h"

enum {
    REGISTERS = 32,
    OTHERS = 16,   // registers beside those of an outer product
    MOST_REGISTERS = 255,
    UNROLLED = 4,
    FIRST_SUM = 8,   // registers of results, in turn, and of loads
    SUMS = 16,
    FIRST_LOAD = 32,
    MATRICES = 224,   // results of products of matrices, in turn, each of 4 registers
    N_MATRICES = 7,
    WAITED = 256,       // mbarriers, and the barrier of the cluster
    PREDICATED = 4,     // requests of a branch at most
    LOADED = 48,        // each of 4 registers
    ACCUMULATOR = 24,   // and following ones: the results of a product of a warpgroup
    MOST_PENDING = 4096,
    WINDOWS = 1024,
    BEFORE = 8,    // integer instructions before the first request
    UNKNOWN = 3,   // and where the host's path is not known
};

// What follows the loads: arithmetic, or a store.
struct pending {
    struct emu_work work;
    const struct emu_event *store;
    int has_matrices;   // or a product of matrices
    int source[2];      // registers of the last loads
};

// Loads from shared memory of one window of 16 bytes, or of the same addresses, since the last
// store to shared memory or barrier.
struct window {
    uint64_t hash;
    uintptr_t pc;   // of its first load
    int instruction, source;
    unsigned bytes;   // bits of the bytes that are loaded; 0: lanes load different ones
};

struct builder {
    struct model_code *code;
    struct model_kernel *kernel;
    struct instruction *known;   // by their texts
    int n_known;
    struct pending pending[MOST_PENDING];
    int n_pending, n_loads, n_sums, source[2];
    uintptr_t seen[64];   // loads since the last flush
    int rounds[64], n_seen;
    struct window window[WINDOWS];
    int n_windows;
    int stores_shared, has_barrier;
    double branches;
    const struct emu_event *const *event;   // of the warp
    int last[LANES];                        // of each lane's events
    struct emu_work *work;                  // before each event
    uintptr_t load_pc;                      // of the last load
    uint64_t commits, products;             // so far, of the warp
    uint64_t waited[WAITED];   // by mbarriers: the latest phase of a wait of the warp, + 1
    const struct async *async;
    int warps;                // of the block
    int barriers, requests;   // of all warps, so far; of the warp since the last of these
};

static const struct instruction *decoded(struct builder *b, const char *text)
{
    int at = 0;

    while (at < b->n_known && strcmp(b->known[at].source, text))
        at++;
    if (at == b->n_known) {
        b->known = grown(b->known, b->n_known, sizeof *b->known);
        memset(&b->known[at], 0, sizeof b->known[at]);
        instruction_decode(&b->known[at], text);
        b->known[b->n_known++].source = text_of("%s", text);
    }
    return &b->known[at];
}

static struct instruction *emit(struct builder *b, const char *text)
{
    struct model_kernel *k = b->kernel;

    k->instruction = grown(k->instruction, k->n, sizeof *k->instruction);
    k->instruction[k->n] = *decoded(b, text);
    k->instruction[k->n].address = 16 * k->n;
    return &k->instruction[k->n++];
}

static struct instruction *emitf(struct builder *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static struct instruction *emitf(struct builder *b, const char *format, ...)
{
    char text[96];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return emit(b, text);
}

static int next_sum(struct builder *b) { return FIRST_SUM + b->n_sums++ % SUMS; }

static const char *width_of(unsigned bytes)
{
    return bytes == 1  ? ".U8"
         : bytes == 2  ? ".U16"
         : bytes == 8  ? ".64"
         : bytes == 16 ? ".128"
                       : "";
}

static struct recorded *recorded_of(const struct emu_event *e)
{
    struct recorded *r = must_calloc(1, sizeof *r);

    memcpy(r->address, e->address, sizeof r->address);
    r->lanes = e->lanes;
    r->bytes = (int)e->size;
    return r;
}

static void note_place(struct builder *b, struct instruction *i, const struct emu_event *e)
{
    i->file = file_named(b->code, e->file, strlen(e->file));
    i->line = e->line;
}

// --- arithmetic

static void emit_work(struct builder *b, const struct pending *p)
{
    const struct emu_work *w = &p->work;
    int registers = OTHERS + (int)w->products;
    unsigned both = w->sums < w->products ? w->sums : w->products;

    if (registers > b->kernel->registers)
        b->kernel->registers = registers > MOST_REGISTERS ? MOST_REGISTERS : registers;
    b->kernel->products += w->products;
    for (unsigned k = 0; k < both; k++) {
        int d = next_sum(b);
        emitf(b, "FFMA R%d,R%d%s,R%d,R%d", d, p->source[0], k ? ".reuse" : "", p->source[1] | 1, d);
    }
    for (unsigned k = both; k < w->sums; k++) {
        int d = next_sum(b);
        emitf(b, "FADD R%d,R%d,R%d", d, d, p->source[0]);
    }
    for (unsigned k = both; k < w->products; k++)
        emitf(b, "FMUL R%d,R%d,R%d", next_sum(b), p->source[0], p->source[1]);
    for (unsigned k = 0; k < w->fp64; k++)
        emitf(b, "DFMA R%d,R%d,R%d,R%d", FIRST_SUM, p->source[0], p->source[1], FIRST_SUM);
    for (unsigned k = 0; k < w->special; k++)
        emitf(b, "MUFU.RCP R%d,R%d", next_sum(b), p->source[0]);
    for (unsigned k = 0; k < w->integers; k++) {
        int d = next_sum(b);
        emitf(b, k % 2 ? "IMAD R%d,R%d,R1,RZ" : "IADD3 R%d,R%d,R1,RZ", d, d);
    }
}

static void emit_matrices(struct builder *b, const struct pending *p)
{
    int d = MATRICES + 4 * (b->n_sums++ % N_MATRICES);

    emitf(b, "HMMA.16816.F32.BF16 R%d,R%d,R%d,R%d", d, p->source[0], p->source[1], d);
}

static void emit_store(struct builder *b, const struct pending *p)
{
    const struct emu_event *e = p->store;
    struct instruction *i;

    if (e->is_shared)
        i = emitf(b, "STS%s [R2],R%d", width_of(e->size), p->source[0]);
    else
        i = emitf(b, "STG.E%s [R2.64],R%d", width_of(e->size), p->source[0]);
    i->recorded[0] = recorded_of(e);
    note_place(b, i, e);
}

// The width of one load of these bytes of a window.
static int joined_bytes(unsigned bytes)
{
    unsigned words = 0;

    for (int k = 0; k < 4; k++)
        words |= (bytes >> 4 * k & 15 ? 1u : 0) << k;
    return __builtin_popcount(words) > 2 || (words & 3 && words & 12) ? 16
         : __builtin_popcount(words) == 2                             ? 8
         : __builtin_popcount(bytes) > 1                              ? 4
                                                                      : 0;
}

static void join_windows(struct builder *b)
{
    for (int k = 0; k < b->n_windows; k++) {
        const struct window *w = &b->window[k];
        struct instruction *i = &b->kernel->instruction[w->instruction], old = *i;
        int bytes = joined_bytes(w->bytes);

        if (bytes <= old.recorded[0]->bytes)
            continue;
        *i = *decoded(b, text_of("LDS%s R%d,[R2]", width_of(bytes), w->source));
        i->recorded[0] = old.recorded[0];
        i->recorded[0]->bytes = bytes;
        for (int l = 0; l < LANES; l++)
            i->recorded[0]->address[l] &= ~(uint64_t)(bytes - 1);
        i->file = old.file;
        i->line = old.line;
        i->address = old.address;
    }
    b->n_windows = 0;
}

static void flush(struct builder *b)
{
    if (b->stores_shared)
        join_windows(b);
    for (int k = 0; k < b->n_pending; k++)
        if (b->pending[k].store)
            emit_store(b, &b->pending[k]);
        else if (b->pending[k].has_matrices)
            emit_matrices(b, &b->pending[k]);
        else
            emit_work(b, &b->pending[k]);
    b->n_pending = b->n_seen = b->n_loads = b->stores_shared = 0;
}

static struct pending *add_pending(struct builder *b)
{
    struct pending *p;

    if (b->n_pending == MOST_PENDING)
        flush(b);
    p = &b->pending[b->n_pending++];
    memset(p, 0, sizeof *p);
    memcpy(p->source, b->source, sizeof p->source);
    return p;
}

// --- loads

// Whether this load is one more round of a loop of which four are issued already.
static int is_next_round(struct builder *b, uintptr_t pc)
{
    for (int k = 0; k < b->n_seen; k++)
        if (b->seen[k] == pc)
            return ++b->rounds[k] > UNROLLED;
    if (b->n_seen == 64)
        return 1;
    b->seen[b->n_seen] = pc;
    b->rounds[b->n_seen++] = 1;
    return 0;
}

// Where in its window all lanes load; -1: at different places.
static int place_of(const struct emu_event *e)
{
    int first = e->lanes ? __builtin_ctz(e->lanes) : 0, place = (int)(e->address[first] % 16);

    for (int l = 0; l < LANES; l++)
        if (e->lanes >> l & 1 && (int)(e->address[l] % 16) != place)
            return -1;
    return place;
}

static uint64_t hash_of(const struct emu_event *e, int shift)
{
    uint64_t hash = 0xcbf29ce484222325 ^ e->lanes ^ (uint64_t)(shift ? 0 : e->size) << 40;

    for (int l = 0; l < LANES; l++)
        if (e->lanes >> l & 1)
            hash = (hash ^ e->address[l] >> shift) * 0x100000001b3;
    return hash;
}

// Whether a load from shared memory is part of one that was issued.
static int is_merged(struct builder *b, const struct emu_event *e, int instruction, int source)
{
    int place = place_of(e);
    unsigned bytes = place < 0 ? 0 : ((1u << e->size) - 1) << place;
    uint64_t hash = hash_of(e, place < 0 ? 0 : 4);

    for (int k = 0; k < b->n_windows; k++)
        if (b->window[k].hash == hash && (e->size >= 4 || b->window[k].pc != e->pc)) {
            b->window[k].bytes |= bytes;
            b->source[1] = b->source[0];
            b->source[0] = b->window[k].source + (place < 0 ? 0 : place / 4);
            return 1;
        }
    if (b->n_windows == WINDOWS)
        join_windows(b);
    b->window[b->n_windows++] = (struct window){ hash, e->pc, instruction, source, bytes };
    return 0;
}

static void add_load(struct builder *b, const struct emu_event *e)
{
    int source;
    struct instruction *i;

    b->load_pc = e->pc;
    if (is_next_round(b, e->pc) || b->n_loads == LOADED || (e->is_shared && b->stores_shared)) {
        flush(b);
        is_next_round(b, e->pc);
    }
    source = FIRST_LOAD + 4 * (b->n_loads % LOADED);
    if (e->is_shared && is_merged(b, e, b->kernel->n, source))
        return;
    b->n_loads++;
    if (e->kind == EMU_TEX)
        i = emitf(b, "TEX.SCR.LL RZ,R%d,R2,R4,0x0,0x58,2D,0x1", source);
    else if (e->is_shared)
        i = emitf(b, "LDS%s R%d,[R2]", width_of(e->size), source);
    else
        i = emitf(b, "LDG.E%s R%d,[R2.64]", width_of(e->size), source);
    i->recorded[0] = recorded_of(e);
    note_place(b, i, e);
    b->source[1] = b->source[0];
    b->source[0] = source;
}

// --- events

static unsigned less(unsigned a, unsigned b) { return a > b ? a - b : 0; }

static unsigned all_of(const struct emu_work *w)
{
    return w->integers + w->addresses + w->sums + w->products + w->fp64 + w->special;
}

// Without the work of another path from the same place, whose first part is the same.
static struct emu_work without(struct emu_work a, struct emu_work b)
{
    return (struct emu_work){ .is_known = a.is_known && b.is_known,
                              .integers = less(a.integers, b.integers),
                              .addresses = less(a.addresses, b.addresses),
                              .sums = less(a.sums, b.sums),
                              .products = less(a.products, b.products),
                              .fp64 = less(a.fp64, b.fp64),
                              .special = less(a.special, b.special),
                              .branches = less(a.branches, b.branches) };
}

// Lanes that a branch has separated have the work before the branch in common, which is part of the
// event of the others with the most work.
static struct emu_work own_part(const struct builder *b, int before, int k)
{
    int most = -1;

    for (int j = before + 1; j < k; j++)
        if (b->event[j]->lanes && !(b->event[j]->lanes & b->event[k]->lanes) &&
            (most < 0 || all_of(&b->work[j]) > all_of(&b->work[most])))
            most = j;
    return most < 0 ? b->work[k] : without(b->work[k], b->work[most]);
}

// What the lanes of the warp's event k have computed since the last event of one of them.
static struct emu_work work_before(struct builder *b, int k)
{
    const struct emu_event *e = b->event[k];
    struct emu_work *w = &b->work[k];
    int before = -1;

    for (int l = 0; l < LANES; l++)
        if (!e->lanes || e->lanes >> l & 1) {
            before = b->last[l] > before ? b->last[l] : before;
            b->last[l] = k;
        }
    *w = (struct emu_work){ .integers = before < 0 ? BEFORE : UNKNOWN };
    if (before >= 0 && b->event[before]->pc && e->pc) {
        struct emu_work known = emu_work_between(b->event[before]->pc, e->pc);

        *w = known.is_known ? known : *w;
    }
    return own_part(b, before, k);
}

static void add_work(struct builder *b, int k)
{
    struct emu_work w = work_before(b, k);

    // what the host does there is passing arguments
    if (b->event[k]->step > EMU_BARRIER ||
        (b->event[k]->step == EMU_EXCHANGE && b->event[k]->group))
        w.integers = w.integers < UNKNOWN ? w.integers : UNKNOWN, w.addresses = 0;
    // the address of the request, and the counter of the loop
    w.integers += w.addresses > 1 ? w.addresses - 1 : 0;
    w.integers -= w.integers < w.branches ? w.integers : w.branches;
    b->branches += b->has_barrier ? w.branches : (double)w.branches / UNROLLED;
    if (w.branches)
        b->has_barrier = 0;
    if (w.integers + w.sums + w.products + w.fp64 + w.special)
        add_pending(b)->work = w;
    for (; b->branches >= 1; b->branches--) {
        emit(b, "ISETP.GE.AND P0,PT,R0,R1,PT");
        emit(b, "NOP");
    }
}

static void add_request(struct builder *b, const struct emu_event *e)
{
    struct instruction *i;

    switch (e->kind) {
    case EMU_LD:
    case EMU_TEX:
    case EMU_CLUSTER_LD:
    case EMU_SHARED_LD: add_load(b, e); return;
    case EMU_ST:
    case EMU_CLUSTER_ST:
    case EMU_SHARED_ST:
        add_pending(b)->store = e;
        b->stores_shared |= e->is_shared;
        return;
    case EMU_ATOMIC:
    case EMU_CLUSTER_ATOMIC:
        flush(b);
        i = emitf(b, "RED.E.ADD.STRONG.GPU [R2.64],R%d", b->source[0]);
        break;
    default: flush(b); i = emitf(b, "ATOMS.ADD RZ,[R2],R%d", b->source[0]);
    }
    i->recorded[0] = recorded_of(e);
    note_place(b, i, e);
}

// A copy is two events: the read and the store. One that only fills with zeros is a store.
static int add_copy(struct builder *b, const struct emu_event *e, const struct emu_event *next)
{
    struct instruction *i;
    int is_both = next && next->step == EMU_COPY && next->order == e->order && e->kind == EMU_LD;

    if (!is_both) {
        add_pending(b)->store = e;
        return 1;
    }
    i = emitf(b, "LDGSTS.E%s%s [R2],[R4.64]", e->size == 16 ? ".BYPASS" : "", width_of(e->size));
    i->recorded[0] = recorded_of(next);
    i->recorded[1] = recorded_of(e);
    note_place(b, i, e);
    return 2;
}

// nvcc predicates the few instructions of a short branch, so that warps without a lane there issue
// them, too: per request its address and itself.
static void add_predicated(struct builder *b)
{
    int skipped = async_most_requests(b->async, b->barriers++);

    for (int k = 0; k < 2 * skipped && !b->requests && skipped <= PREDICATED; k++)
        emit(b, "NOP");
    b->requests = 0;
}

// Barriers of some of the block's warps have numbers that distinguish them.
static void add_barrier(struct builder *b, const struct emu_event *e)
{
    unsigned first;
    int warps = async_together(b->async, e, &first);

    if (warps == b->warps) {
        add_predicated(b);
        emit(b, "BAR.SYNC.DEFER_BLOCKING 0x0");
    } else
        emitf(b, "BAR.SYNC.DEFER_BLOCKING 0x%x,0x%x", 1 + first % 15, 32 * warps);
}

// A product of matrices in registers or, at the pc of the load before, what is left of an LDSM. All
// types of 32 bytes of a row of A take equally long.
static void add_matrices(struct builder *b, const struct emu_event *e)
{
    if (b->load_pc != e->pc)
        add_pending(b)->has_matrices = 1;
    b->load_pc = 0;
}

static void add_step(struct builder *b, const struct emu_event *e)
{
    switch (e->step) {
    case EMU_COMMIT:
        emit(b, "LDGDEPBAR");
        b->commits++;
        break;
    case EMU_WAIT:
        flush(b);
        emitf(b, "DEPBAR.LE SB0,0x%x",
              (unsigned)(b->commits > e->group ? b->commits - e->group : 0));
        break;
    case EMU_EXCHANGE:
        if (e->group) {
            add_matrices(b, e);
            break;
        }
        flush(b);
        emitf(b, "SHFL.BFLY PT,R%d,R%d,0x1,0x1f", b->source[0], b->source[0]);
        break;
    case EMU_BARRIER:
        flush(b);
        join_windows(b);
        add_barrier(b, e);
        b->has_barrier = 1;
        break;
    case EMU_SYNCWARP: flush(b); break;
    default: break;
    }
}

// --- asynchronous operations of Hopper

static uint32_t mbarrier_address(const struct builder *b, const struct emu_event *e)
{
    return 8 * (uint32_t)(async_number(b->async, e) + 1);
}

// An instruction about an mbarrier: which, a value, and the lanes that execute it.
static void emit_sync(struct builder *b, const struct emu_event *e, const char *text,
                      uint64_t value)
{
    struct instruction *i = emit(b, text);

    i->recorded[0] = must_calloc(1, sizeof *i->recorded[0]);
    i->recorded[0]->address[0] = mbarrier_address(b, e);
    i->recorded[0]->address[1] = value;
    i->recorded[0]->lanes = e->lanes;
    note_place(b, i, e);
}

// A copy has an event for each side. Those from global memory count there, with the bytes that land
// in shared memory; others are between blocks of a cluster.
static int add_bulk(struct builder *b, const struct emu_event *e, const struct emu_event *next)
{
    int is_both = next && next->step == EMU_BULK && next->group == e->group && !e->is_shared,
        is_load = e->kind == EMU_BULK_LD;
    struct instruction *i;

    if (e->is_shared)
        return 1;
    i = emit(b, is_load ? "UTMALDG.2D [UR8],[UR4]" : "UTMASTG.2D [UR8],[UR4]");
    i->recorded[0] = must_calloc(1, sizeof *i->recorded[0]);
    i->recorded[0]->address[0] = mbarrier_address(b, e);
    i->recorded[0]->address[1] = is_both ? (uint64_t)async_landing(b->async, next) : 0;
    i->recorded[0]->lanes = e->lanes;
    i->recorded[0]->bytes = (int)e->size;
    note_place(b, i, e);
    return is_both ? 2 : 1;
}

// A product of 32 bytes of each row of A: of 16 elements of 2 bytes, 8 of 4 or 32 of one. All take
// equally long.
static void add_product(struct builder *b, const struct emu_event *e)
{
    unsigned columns = e->size / 32;
    int registers = ACCUMULATOR + (int)columns / 2;

    note_place(b,
               emitf(b, "HGMMA.64x%ux16.F32.BF16 R%d,gdesc[UR8],R%d,gsb0", columns, ACCUMULATOR,
                     ACCUMULATOR),
               e);
    b->products++;
    b->kernel->products += 64. / 4 / LANES * 16 * columns;
    if (registers > b->kernel->registers)
        b->kernel->registers = registers > MOST_REGISTERS ? MOST_REGISTERS : registers;
}

// Lanes of a warp go on one after the other, so the wait of the last ones may be an event behind
// later steps of the first one.
static int has_waited(struct builder *b, const struct emu_event *e)
{
    int number = async_number(b->async, e) % WAITED;
    uint64_t before = b->waited[number];   // the phase + 1

    b->waited[number] = e->group + 1 > before ? e->group + 1 : before;
    return e->group < before;
}

static void wait_for_phase(struct builder *b, const struct emu_event *e)
{
    if (has_waited(b, e))
        return;
    if (!strcmp(e->object, "cluster")) {
        emit(b, "UCGABAR_ARV");
        emit(b, "UCGABAR_WAIT");
    } else if (async_arrivals(b->async, e))
        emit_sync(b, e, "SYNCS.PHASECHK.TRANS64.TRYWAIT P0,[UR4],R4", (e->group & 1) << 31);
}

static void add_async(struct builder *b, const struct emu_event *e)
{
    if (e->step != EMU_BLOCKED && e->step != EMU_OPERAND_A)
        flush(b);
    switch (e->step) {
    case EMU_OPERAND_B: add_product(b, e); break;
    case EMU_PRODUCTS_DONE:
        emitf(b, "WARPGROUP.DEPBAR.LE gsb0,0x%x", (unsigned)(b->products - e->group));
        break;
    case EMU_INIT:
        if (async_arrivals(b->async, e))
            emit_sync(b, e, "SYNCS.EXCH.64 URZ,[UR4],UR8", (uint64_t)async_arrivals(b->async, e));
        break;
    case EMU_ARRIVE:
        emit_sync(b, e, "SYNCS.ARRIVE.TRANS64 RZ,[UR4],R4", (uint64_t)async_expected(b->async, e));
        break;
    case EMU_RESUMED: wait_for_phase(b, e); break;
    default: break;
    }
}

static void build_warp(struct builder *b, const struct emu_event *const *e, int n)
{
    b->event = e;
    b->work = must_calloc(n + 1, sizeof *b->work);
    for (int l = 0; l < LANES; l++)
        b->last[l] = -1;
    b->source[0] = b->source[1] = FIRST_LOAD;
    b->commits = b->products = 0;
    memset(b->waited, 0, sizeof b->waited);
    b->barriers = b->requests = 0;
    b->has_barrier = 0;
    emit(b, "S2R R0,SR_TID.X");
    emit(b, "S2R R1,SR_CTAID.X");
    emit(b, "LDC.64 R2,c[0x0][0x210]");
    for (int k = 0; k < n;) {
        add_work(b, k);
        if (e[k]->step == EMU_BULK) {
            flush(b);
            k += add_bulk(b, e[k], k + 1 < n ? e[k + 1] : NULL);
            continue;
        }
        if (e[k]->step == EMU_COPY) {
            k += add_copy(b, e[k], k + 1 < n ? e[k + 1] : NULL);
            continue;
        }
        b->requests += e[k]->step == EMU_REQUEST;
        if (e[k]->step == EMU_REQUEST)
            add_request(b, e[k]);
        else if (e[k]->step > EMU_BARRIER)
            add_async(b, e[k]);
        else
            add_step(b, e[k]);
        k++;
    }
    flush(b);
    join_windows(b);
    emit(b, "EXIT");
    free(b->work);
}

static void build(struct builder *b, const struct emu_event *e, int n, int warps)
{
    const struct emu_event **of_warp = must_calloc(n + 1, sizeof *of_warp);

    b->kernel->start = must_calloc(warps, sizeof *b->kernel->start);
    for (int w = 0; w < warps; w++) {
        int of = 0;

        for (int k = 0; k < n; k++)
            if ((int)e[k].warp == w)
                of_warp[of++] = &e[k];
        b->kernel->start[w] = b->kernel->n;
        build_warp(b, of_warp, of);
    }
    free(of_warp);
}

struct model_code *model_code_empty(void) { return must_calloc(1, sizeof(struct model_code)); }

void model_code_lengthen(struct model_code *code, const char *name, double longer)
{
    for (int k = 0; k < code->n; k++)
        if (!strcmp(code->kernel[k].name, name))
            code->kernel[k].longer = code->kernel[k].unrecorded * longer;
}

double model_code_products(const struct model_code *code, const char *name)
{
    const struct model_kernel *k = code_find(code, name);

    return k ? k->products : 0;
}

const char *model_code_estimate(struct model_code *code, const char *name,
                                const struct emu_event *e, int n, uint64_t omitted, int warps,
                                size_t static_shared)
{
    struct builder *b;
    struct async *async;

    code->kernel = grown(code->kernel, code->n, sizeof *code->kernel);
    b = must_calloc(1, sizeof *b);
    b->code = code;
    b->kernel = &code->kernel[code->n++];
    *b->kernel = (struct model_kernel){ .name = strdup(name),
                                        .registers = REGISTERS,
                                        .highest = 255,
                                        .static_shared = static_shared,
                                        .unrecorded = n ? (double)(n + omitted) / n : 1 };
    b->kernel->longer = b->kernel->unrecorded;
    b->async = async = async_of(e, n, warps);
    b->warps = warps;
    build(b, e, n, warps);
    async_free(async);
    if (b->kernel->registers > 65536 / (32 * warps))
        b->kernel->registers = 65536 / (32 * warps);
    free(b->known);
    free(b);
    return NULL;
}

/* Machine code of a kernel for which there is no compiler of GPUs: what one block did on the CPU
 * device, request by request, with instructions between them as the host's code has. The rules, set
 * before any comparison with a time:
 *
 * - A request is one instruction, with the addresses that it had. Loads of up to four rounds of a
 *   loop are issued before what follows them (nvcc unrolls by four), up to a barrier, an exchange,
 *   or a load from shared memory that a store there precedes.
 * - Between two barriers or stores to shared memory, loads of one window of 16 bytes are one load,
 *   and so are loads of the same addresses (common/emu/README.md, "Merged loads"). Loads of
 *   different rounds of a loop that g++ has not unrolled are not.
 * - A sum and a product of floats are an FFMA, and wait for the last two loads. An integer
 * operation of the host is one here; calculating the address of a request is free, because its
 * offset is part of the instruction, and so is the counter of a loop.
 * - A loop's round ends with a comparison and a branch, a quarter of them if it has no barrier.
 * - 32 registers per thread, or 16 more than the products between two requests: an outer product of
 *   what was loaded has as many sums. */
#include "estimate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/program.h"
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
    LOADED = 48,   // each of 4 registers
    MOST_PENDING = 4096,
    WINDOWS = 1024,
    BEFORE = 8,    // integer instructions before the first request
    UNKNOWN = 3,   // and where the host's path is not known
};

// What follows the loads: arithmetic, or a store.
struct pending {
    struct emu_work work;
    const struct emu_event *store;
    int source[2];   // registers of the last loads
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
    uintptr_t pc;   // of the event before
    uint64_t commits;
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
    for (unsigned k = 0; k < both; k++) {
        int d = next_sum(b);
        emitf(b, "FFMA R%d,R%d,R%d,R%d", d, p->source[0], p->source[1], d);
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
        if (b->window[k].hash == hash && b->window[k].pc != e->pc) {
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

static void add_work(struct builder *b, const struct emu_event *e)
{
    struct emu_work w = { .integers = UNKNOWN };

    if (b->pc && e->pc)
        w = emu_work_between(b->pc, e->pc);
    if (!w.is_known && b->pc)
        w = (struct emu_work){ .integers = UNKNOWN };
    if (!b->pc)
        w = (struct emu_work){ .integers = BEFORE };
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
    b->pc = e->pc;
}

static void add_request(struct builder *b, const struct emu_event *e)
{
    struct instruction *i;

    switch (e->kind) {
    case EMU_LD:
    case EMU_TEX:
    case EMU_SHARED_LD: add_load(b, e); return;
    case EMU_ST:
    case EMU_SHARED_ST:
        add_pending(b)->store = e;
        b->stores_shared |= e->is_shared;
        return;
    case EMU_ATOMIC:
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
        flush(b);
        emitf(b, "SHFL.BFLY PT,R%d,R%d,0x1,0x1f", b->source[0], b->source[0]);
        break;
    case EMU_BARRIER:
        flush(b);
        join_windows(b);
        emit(b, "BAR.SYNC.DEFER_BLOCKING 0x0");
        b->has_barrier = 1;
        break;
    case EMU_SYNCWARP: flush(b); break;
    default: break;
    }
}

static void build_warp(struct builder *b, const struct emu_event *const *e, int n)
{
    b->pc = 0;
    b->source[0] = b->source[1] = FIRST_LOAD;
    b->commits = 0;
    b->has_barrier = 0;
    emit(b, "S2R R0,SR_TID.X");
    emit(b, "S2R R1,SR_CTAID.X");
    emit(b, "LDC.64 R2,c[0x0][0x210]");
    for (int k = 0; k < n;) {
        add_work(b, e[k]);
        if (e[k]->step == EMU_COPY) {
            k += add_copy(b, e[k], k + 1 < n ? e[k + 1] : NULL);
            continue;
        }
        if (e[k]->step == EMU_REQUEST)
            add_request(b, e[k]);
        else
            add_step(b, e[k]);
        k++;
    }
    flush(b);
    join_windows(b);
    emit(b, "EXIT");
}

static int is_modeled(const struct emu_event *e)
{
    return e->step <= EMU_BARRIER && e->warp != EMU_NO_WARP && e->kind <= EMU_TEX;
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

const char *model_code_estimate(struct model_code *code, const char *name,
                                const struct emu_event *e, int n, uint64_t omitted, int warps,
                                size_t static_shared)
{
    struct builder *b;

    for (int k = 0; k < n; k++)
        if (!is_modeled(&e[k]))
            return "an estimate of bulk copies, mbarriers, clusters and products of warpgroups";
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
    build(b, e, n, warps);
    if (b->kernel->registers > 65536 / (32 * warps))
        b->kernel->registers = 65536 / (32 * warps);
    free(b->known);
    free(b);
    return NULL;
}

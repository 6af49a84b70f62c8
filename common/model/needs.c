/* Which instructions must be computed: those whose results decide about a branch, about which
 * lanes a memory instruction has, or about an address. The rest is only timed. This is liveness,
 * as compilers compute it, of those values alone: backward, until nothing changes. */
#include "code.h"

#include <stdlib.h>
#include <string.h>

#include "../base/program.h"
#include "play.h"

enum { WORDS = 9 };   // 256 registers, 256 uniform ones, 8 predicates of each kind

// Some registers are needed only in the lanes in which a predicate has one value: then a result
// with the same guard replaces them. `only` is that predicate: 2 * P + inverted + 1; 0: all lanes.
struct set {
    uint64_t bits[WORDS];
    uint8_t only[256];
};

static uint8_t guard_of(const struct instruction *i)
{
    return i->guard.kind == OPERAND_PREDICATE && i->guard.reg != TRUE_PREDICATE
             ? (uint8_t)(2 * i->guard.reg + i->guard.inverted + 1)
             : 0;
}

static int has(const struct set *s, int bit) { return s->bits[bit / 64] >> bit % 64 & 1; }

static int bit_of(int file, int reg)
{
    switch (file) {
    case OPERAND_REGISTER: return reg;
    case OPERAND_UNIFORM: return 256 + reg;
    case OPERAND_PREDICATE: return 512 + (reg & 7);
    default: return 520 + (reg & 7);
    }
}

static void need_range(struct set *s, struct registers r, uint8_t only)
{
    for (int k = 0; k < r.count && r.first + k < 255; k++) {
        int bit = bit_of(r.file, r.first + k);

        if (bit < 256)
            s->only[bit] = has(s, bit) && s->only[bit] != only ? 0 : only;
        s->bits[bit / 64] |= 1ull << bit % 64;
    }
}

// What an instruction writes under a guard is not needed before it in those lanes.
static void drop_range(struct set *s, struct registers r, uint8_t guard, int has_guard)
{
    for (int k = 0; k < r.count && r.first + k < 255; k++) {
        int bit = bit_of(r.file, r.first + k);

        if (!has_guard || (guard && bit < 256 && s->only[bit] == guard))
            s->bits[bit / 64] &= ~(1ull << bit % 64);
    }
    if (r.file == OPERAND_PREDICATE)   // before this, the predicate says something else
        for (int k = 0; k < 256; k++)
            if (s->only[k] && (s->only[k] - 1) / 2 == r.first)
                s->only[k] = 0;
}

static int has_any(const struct set *s, struct registers r)
{
    for (int k = 0; k < r.count && r.first + k < 255; k++) {
        int bit = bit_of(r.file, r.first + k);

        if (has(s, bit))
            return 1;
    }
    return 0;
}

static void unite(struct set *s, const struct set *with)
{
    for (int k = 0; k < 256; k++)
        if (has(with, k))
            s->only[k] = has(s, k) && s->only[k] != with->only[k] ? 0 : with->only[k];
    for (int k = 0; k < WORDS; k++)
        s->bits[k] |= with->bits[k];
}

static void need_operand(struct set *s, const struct operand *o, uint8_t only)
{
    if (o->kind == OPERAND_ADDRESS) {
        if (o->reg != ZERO_REGISTER)
            need_range(s, (struct registers){ OPERAND_REGISTER, o->reg, o->wide ? 2 : 1 }, only);
        if (o->ureg != ZERO_REGISTER)
            need_range(s, (struct registers){ OPERAND_UNIFORM, o->ureg, o->wide ? 2 : 1 }, only);
    } else if ((o->kind == OPERAND_PREDICATE || o->kind == OPERAND_UNIFORM_PREDICATE) &&
               o->reg != TRUE_PREDICATE)
        need_range(s, (struct registers){ o->kind, o->reg, 1 }, only);
}

// What an instruction needs in any case: its lanes and addresses if it accesses memory, and its
// condition if it branches.
static void need_always(struct set *s, const struct instruction *i)
{
    int kind = i->op->kind, is_memory = kind >= KIND_LDS && kind <= KIND_SYNCS;

    if (kind == KIND_CONSTANT)
        for (int k = i->n_results; k < i->n_operands; k++)
            if (i->operand[k].reg != ZERO_REGISTER)
                need_range(s, (struct registers){ OPERAND_REGISTER, i->operand[k].reg, 1 },
                           guard_of(i));
    if (!is_memory && i->flow == FLOW_NEXT && kind != KIND_BARRIER)
        return;
    need_operand(s, &i->guard, 0);
    for (int k = is_memory ? 0 : i->n_results; k < i->n_operands; k++)
        need_operand(s, &i->operand[k], guard_of(i));
    if (kind == KIND_SYNCS || kind == KIND_TMA_LOAD || kind == KIND_TMA_STORE ||
        i->flow == FLOW_RETURN)
        for (int k = 0; k < i->n_reads; k++)
            need_range(s, i->reads[k], guard_of(i));
}

// An instruction without a condition that goes elsewhere.
static int leaves(const struct instruction *i)
{
    if ((i->flow != FLOW_BRANCH && i->flow != FLOW_EXIT) || i->guard.kind != OPERAND_NONE)
        return 0;
    for (int k = 0; k < i->n_operands; k++)
        if (i->operand[k].kind == OPERAND_PREDICATE ||
            i->operand[k].kind == OPERAND_UNIFORM_PREDICATE)
            return 0;
    return !strstr(i->text, ".DIV");
}

// What is needed behind an instruction.
static struct set needed_behind(const struct model_kernel *kernel, const struct set *in,
                                const struct set *returns, int at)
{
    const struct instruction *i = &kernel->instruction[at];
    struct set out;

    memset(&out, 0, sizeof out);
    if (i->flow == FLOW_RETURN)
        return *returns;
    if (at + 1 < kernel->n && !leaves(i))
        unite(&out, &in[at + 1]);
    if (i->target >= 0 && (i->flow == FLOW_BRANCH || i->flow == FLOW_CALL))
        unite(&out, &in[i->target]);
    return out;
}

// One pass from the end to the start. Returns whether anything changed.
static int pass(struct model_kernel *kernel, struct set *in, struct set *returns, int *shared)
{
    int changed = 0;

    for (int at = kernel->n - 1; at >= 0; at--) {
        struct instruction *i = &kernel->instruction[at];
        struct set out = needed_behind(kernel, in, returns, at);
        int is_needed = i->op->kind == KIND_STS && *shared;

        for (int k = 0; k < i->n_writes; k++) {
            is_needed |= has_any(&out, i->writes[k]);
            drop_range(&out, i->writes[k], guard_of(i), i->guard.kind != OPERAND_NONE);
        }
        need_always(&out, i);
        for (int k = 0; k < i->n_reads && is_needed; k++)
            need_range(&out, i->reads[k], guard_of(i));
        changed |= is_needed && !i->is_needed;
        i->is_needed |= is_needed;
        *shared |= is_needed && i->op->kind == KIND_LDS;
        if (i->flow == FLOW_CALL && at + 1 < kernel->n)
            unite(returns, &in[at + 1]);
        if (memcmp(&in[at], &out, sizeof out)) {
            in[at] = out;
            changed = 1;
        }
    }
    return changed;
}

void kernel_find_needs(struct model_kernel *kernel)
{
    struct set *in = must_calloc(kernel->n + 1, sizeof *in),
               *returns = must_calloc(1, sizeof *returns);
    int shared = 0;

    while (pass(kernel, in, returns, &shared))
        ;
    kernel->needs_shared_data = shared;
    free(in);
    free(returns);
}

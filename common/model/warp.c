#include "play.h"

#include <string.h>

static const uint32_t zeros[LANES];

enum { MOST_ASSUMED = 1000 };

void warp_start(struct warp *w, struct block *b, unsigned first)
{
    unsigned n = b->threads - first < LANES ? b->threads - first : LANES;
    uint32_t(*r)[LANES] = w->r;
    uint32_t *unknown = w->unknown;

    memset(w, 0, sizeof *w);
    w->r = r;
    w->unknown = unknown;
    memset(r, 0, (b->kernel->highest + 2) * sizeof *r);
    memset(unknown, 0, (b->kernel->highest + 2) * sizeof *unknown);
    w->block = b;
    w->first = first;
    w->lanes = n == LANES ? ~0u : (1u << n) - 1;
    w->p[TRUE_PREDICATE] = ~0u;
    w->up[TRUE_PREDICATE] = 1;
    w->group[0] = (struct group){ w->lanes, 0, 0 };
    w->n_groups = 1;
}

// --- operands

// A word of the constant banks that the launch fills: sizes, and the arguments.
static uint32_t constant(const struct warp *w, int bank, uint32_t offset, int *known)
{
    const struct model_launch *l = w->block->launch;
    const struct model_kernel *k = w->block->kernel;
    uint32_t arguments = k->parameters, value = 0;

    *known = bank == 0;
    if (bank == 0 && offset < 12)
        return l->block[offset / 4];
    if (bank == 0 && offset < 24)
        return l->grid[offset / 4 - 3];
    if (bank == 0 && offset == 0x198)   // the address of the parameters, from which others follow
        return k->parameters;
    if (bank == 0 && offset >= arguments && offset - arguments + 4 <= l->n_parameters)
        memcpy(&value, l->parameters + offset - arguments, 4);
    else if (bank == 0 && offset >= arguments && offset - arguments < l->n_parameters)
        memcpy(&value, l->parameters + offset - arguments, l->n_parameters - (offset - arguments));
    return value;
}

static uint32_t special(const struct warp *w, int which, int lane)
{
    const struct block *b = w->block;
    const unsigned *size = b->launch->block;
    unsigned thread = w->first + lane;

    switch (which) {
    case SPECIAL_TID_X: return thread % size[0];
    case SPECIAL_TID_Y: return thread / size[0] % size[1];
    case SPECIAL_TID_Z: return thread / size[0] / size[1];
    case SPECIAL_CTAID_X: return b->index[0];
    case SPECIAL_CTAID_Y: return b->index[1];
    case SPECIAL_CTAID_Z: return b->index[2];
    case SPECIAL_LANE: return lane;
    case SPECIAL_CLUSTER_RANK: return b->rank;
    default: return 0;
    }
}

static void broadcast(uint32_t *to, uint32_t value)
{
    for (int l = 0; l < LANES; l++)
        to[l] = value;
}

// Constants with a register in the address are data.
static void source_constant(struct warp *w, const struct operand *o, int word, uint32_t *to,
                            uint32_t *unknown)
{
    uint32_t offset = o->offset + 4 * word;
    int known = 0;

    if (o->ureg != ZERO_REGISTER) {
        offset += w->ur[o->ureg];
        if (w->ur_unknown[o->ureg])
            *unknown = ~0u;
    }
    if (o->reg == ZERO_REGISTER)
        broadcast(to, constant(w, o->bank, offset, &known));
    else
        for (int l = 0; l < LANES; l++)
            to[l] = constant(w, o->bank, offset + w->r[o->reg][l], &known);
    if (!known)
        *unknown = ~0u;
    if (o->half)
        for (int l = 0; l < LANES; l++)
            to[l] >>= 16;
}

// The values of an operand without its signs.
static const uint32_t *raw(struct warp *w, const struct operand *o, int word, uint32_t *scratch,
                           uint32_t *unknown)
{
    switch (o->kind) {
    case OPERAND_REGISTER:
        if (o->reg == ZERO_REGISTER)
            return zeros;
        *unknown |= w->unknown[o->reg + word];
        return w->r[o->reg + word];
    case OPERAND_UNIFORM:
        if (o->reg == ZERO_REGISTER)
            return zeros;
        if (w->ur_unknown[o->reg + word])
            *unknown = ~0u;
        broadcast(scratch, w->ur[o->reg + word]);
        return scratch;
    case OPERAND_IMMEDIATE: broadcast(scratch, word ? 0 : o->value); return scratch;
    case OPERAND_CONSTANT: source_constant(w, o, word, scratch, unknown); return scratch;
    case OPERAND_SPECIAL:
        if (o->value == SPECIAL_OTHER)
            *unknown = ~0u;
        for (int l = 0; l < LANES; l++)
            scratch[l] = special(w, o->value, l);
        return scratch;
    default: *unknown = ~0u; return zeros;
    }
}

const uint32_t *warp_raw(struct warp *w, const struct operand *o, int word, uint32_t *scratch,
                         uint32_t *unknown)
{
    return raw(w, o, word, scratch, unknown);
}

const uint32_t *warp_source(struct warp *w, const struct operand *o, int word, uint32_t *scratch,
                            uint32_t *unknown)
{
    const uint32_t *v = raw(w, o, word, scratch, unknown);

    if (o->negative)
        for (int l = 0; l < LANES; l++)
            scratch[l] = -v[l];
    else if (o->inverted)
        for (int l = 0; l < LANES; l++)
            scratch[l] = ~v[l];
    else if (o->absolute)
        for (int l = 0; l < LANES; l++)
            scratch[l] = (int32_t)v[l] < 0 ? -v[l] : v[l];
    else
        return v;
    return scratch;
}

uint32_t warp_predicate(const struct warp *w, const struct operand *o, uint32_t *unknown)
{
    uint32_t p = ~0u;

    if (o->kind == OPERAND_PREDICATE) {
        p = w->p[o->reg];
        *unknown |= w->p_unknown[o->reg];
    } else if (o->kind == OPERAND_UNIFORM_PREDICATE) {
        p = w->up[o->reg] ? ~0u : 0;
        if (w->up_unknown[o->reg])
            *unknown = ~0u;
    }
    return o->inverted ? ~p : p;
}

uint32_t warp_active(const struct warp *w, const struct instruction *i)
{
    uint32_t unknown = 0, p = warp_predicate(w, &i->guard, &unknown);

    return w->group[w->now].lanes & (p | unknown);
}

void warp_put(struct warp *w, const struct instruction *i, const struct operand *o, int word,
              const uint32_t *value, uint32_t unknown)
{
    uint32_t active = warp_active(w, i);

    if (o->reg == ZERO_REGISTER || !active)
        return;
    if (o->kind == OPERAND_UNIFORM) {
        int lane = __builtin_ctz(active);

        w->ur[o->reg + word] = value[lane];
        w->ur_unknown[o->reg + word] = unknown >> lane & 1;
    } else if (o->kind == OPERAND_REGISTER) {
        uint32_t *r = w->r[o->reg + word];

        w->unknown[o->reg + word] = (w->unknown[o->reg + word] & ~active) | (unknown & active);
        for (int l = 0; l < LANES; l++)
            r[l] = active >> l & 1 ? value[l] : r[l];
    }
}

void warp_put_predicate(struct warp *w, const struct instruction *i, const struct operand *o,
                        uint32_t value, uint32_t unknown)
{
    uint32_t active = warp_active(w, i);

    if (o->reg == TRUE_PREDICATE || !active)
        return;
    if (o->kind == OPERAND_UNIFORM_PREDICATE) {
        int lane = __builtin_ctz(active);

        w->up[o->reg] = value >> lane & 1;
        w->up_unknown[o->reg] = unknown >> lane & 1;
    } else if (o->kind == OPERAND_PREDICATE) {
        w->p[o->reg] = (w->p[o->reg] & ~active) | (value & active);
        w->p_unknown[o->reg] = (w->p_unknown[o->reg] & ~active) | (unknown & active);
    }
}

uint32_t warp_addresses(struct warp *w, const struct instruction *i, const struct operand *o,
                        uint64_t address[LANES])
{
    uint32_t unknown = 0, active = warp_active(w, i);
    uint64_t base = (int64_t)o->offset;

    if (o->ureg != ZERO_REGISTER) {
        base += w->ur[o->ureg];
        if (o->wide)   // a 64-bit address has a 64-bit uniform part
            base += (uint64_t)w->ur[o->ureg + 1] << 32;
        if (w->ur_unknown[o->ureg])
            unknown = ~0u;
    }
    if (o->reg == ZERO_REGISTER)
        for (int l = 0; l < LANES; l++)
            address[l] = base;
    else {
        const uint32_t *low = w->r[o->reg], *high = o->wide ? w->r[o->reg + 1] : zeros;

        unknown |= w->unknown[o->reg] | (o->wide ? w->unknown[o->reg + 1] : 0);
        for (int l = 0; l < LANES; l++)
            address[l] = base + (low[l] | (uint64_t)high[l] << 32);
        if (!o->wide)
            for (int l = 0; l < LANES; l++)
                address[l] = (uint32_t)address[l];
    }
    return active & ~unknown;
}

// --- the path

const struct instruction *warp_next(const struct warp *w)
{
    return &w->block->kernel->instruction[w->group[w->now].at];
}

// Runs the group with the lowest address that does not wait.
static int choose_group(struct warp *w)
{
    int best = -1;

    for (int g = 0; g < w->n_groups; g++)
        if (!w->group[g].waits && (best < 0 || w->group[g].at < w->group[best].at))
            best = g;
    w->now = best < 0 ? 0 : best;
    return best >= 0;
}

static void remove_group(struct warp *w, int g) { w->group[g] = w->group[--w->n_groups]; }

// Groups at the same instruction are one.
static void merge(struct warp *w)
{
    for (int a = 0; a < w->n_groups; a++)
        for (int b = w->n_groups - 1; b > a; b--)
            if (w->group[a].at == w->group[b].at && w->group[a].waits == w->group[b].waits) {
                w->group[a].lanes |= w->group[b].lanes;
                remove_group(w, b);
            }
}

// Lanes that wait at a BSYNC go on when all lanes of the barrier that still exist are there.
static void release(struct warp *w)
{
    for (int g = 0; g < w->n_groups; g++) {
        int b = w->group[g].waits - 1;

        if (b >= 0 && !(w->barrier[b] & w->lanes & ~w->group[g].lanes)) {
            w->group[g].waits = 0;
            w->group[g].at++;
        }
    }
}

static int settle(struct warp *w)
{
    if (w->n_groups == 1 && !w->group[0].waits) {
        w->now = 0;
        return 1;
    }
    merge(w);
    release(w);
    merge(w);
    if (!w->n_groups)
        return 0;
    if (!choose_group(w)) {   // all wait: a barrier that is not understood
        for (int g = 0; g < w->n_groups; g++)
            w->group[g].waits = 0, w->group[g].at++;
        merge(w);
        choose_group(w);
    }
    return 1;
}

static void split(struct warp *w, uint32_t taken, int target)
{
    struct group *g = &w->group[w->now];

    if (!taken) {
        g->at++;
    } else if (taken == g->lanes || w->n_groups == MOST_GROUPS) {
        g->at = target;
    } else {
        w->group[w->n_groups++] = (struct group){ taken, target, 0 };
        g = &w->group[w->now];
        g->lanes &= ~taken;
        g->at++;
    }
}

static void exit_lanes(struct warp *w, uint32_t lanes)
{
    struct group *g = &w->group[w->now];

    w->lanes &= ~lanes;
    g->lanes &= ~lanes;
    g->at++;
    if (!g->lanes)
        remove_group(w, w->now);
}

// The lanes for which a branch is taken. Where that depends on data that is not known, the code
// goes on behind it: a loop ends, and what a test may skip is executed.
static uint32_t taken_lanes(struct warp *w, const struct instruction *i)
{
    uint32_t unknown = 0, p = warp_predicate(w, &i->guard, &unknown),
             lanes = w->group[w->now].lanes;

    if (strstr(i->text, ".DIV"))   // if the warp has diverged
        return 0;
    for (int k = 0; k < i->n_operands; k++)   // @P0 BRA P1, target
        if (i->operand[k].kind == OPERAND_PREDICATE ||
            i->operand[k].kind == OPERAND_UNIFORM_PREDICATE)
            p &= warp_predicate(w, &i->operand[k], &unknown);
    unknown &= lanes;
    if (unknown)
        w->assumed++;
    // a loop that only such a branch leaves must end
    return (p & lanes & ~unknown) | (w->assumed > MOST_ASSUMED ? unknown : 0);
}

static int return_target(struct warp *w, const struct instruction *i)
{
    const struct model_kernel *k = w->block->kernel;
    uint32_t to = w->r[i->operand[0].reg == ZERO_REGISTER ? 0 : i->operand[0].reg]
                      [__builtin_ctz(w->group[w->now].lanes)];

    return to / 16 < (uint32_t)k->n ? (int)(to / 16) : w->group[w->now].at + 1;
}

static void synchronize(struct warp *w, const struct instruction *i)
{
    struct group *g = &w->group[w->now];
    int b = i->operand[0].reg % BARRIERS;
    uint32_t some = warp_active(w, i);

    if (some != g->lanes)
        split(w, some, g->at);   // the others go on
    g = &w->group[w->now];
    if (w->barrier[b] & w->lanes & ~g->lanes)
        g->waits = b + 1;
    else
        g->at++;
}

int warp_advance(struct warp *w, const struct instruction *i)
{
    struct group *g = &w->group[w->now];

    w->steps++;
    switch (i->flow) {
    case FLOW_NEXT:
        g->at++;
        if (w->n_groups == 1)
            return 1;
        break;
    case FLOW_BRANCH: split(w, taken_lanes(w, i), i->target >= 0 ? i->target : g->at + 1); break;
    case FLOW_EXIT: exit_lanes(w, taken_lanes(w, i)); break;
    case FLOW_CALL: split(w, taken_lanes(w, i), i->target >= 0 ? i->target : g->at + 1); break;
    case FLOW_RETURN: split(w, taken_lanes(w, i), return_target(w, i)); break;
    case FLOW_BSSY:
        w->barrier[i->operand[0].reg % BARRIERS] = g->lanes;
        g->at++;
        break;
    case FLOW_BREAK:
        w->barrier[i->operand[0].reg % BARRIERS] &= ~warp_active(w, i);
        g->at++;
        break;
    case FLOW_BSYNC: synchronize(w, i); break;
    }
    return w->n_groups && settle(w);
}

long warp_skip(struct warp *w, long most)
{
    const struct model_kernel *k = w->block->kernel;
    struct group *g = &w->group[w->now];
    int first = g->at;

    if (w->n_groups > 1)
        return 0;
    while (g->at - first < most && k->instruction[g->at].flow == FLOW_NEXT &&
           !k->instruction[g->at].is_needed && k->instruction[g->at].op->kind != KIND_BARRIER)
        g->at++;
    return g->at - first;
}

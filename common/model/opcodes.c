/* What the instructions do: integers, predicates, and those floating-point operations that decide
 * about paths. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

#define EACH_LANE for (int l = 0; l < LANES; l++)

typedef uint32_t lanes_t[LANES];

const uint32_t *warp_raw(struct warp *w, const struct operand *o, int word, uint32_t *scratch,
                         uint32_t *unknown);

// The k-th source.
static const uint32_t *source(struct warp *w, const struct instruction *i, int k, uint32_t *scratch,
                              uint32_t *unknown)
{
    k += i->n_results;
    return k < i->n_operands ? warp_source(w, &i->operand[k], 0, scratch, unknown)
                             : (memset(scratch, 0, sizeof(lanes_t)), scratch);
}

// The first result that is a register.
static const struct operand *result(const struct instruction *i)
{
    for (int k = 0; k < i->n_results; k++)
        if (i->operand[k].kind == OPERAND_REGISTER || i->operand[k].kind == OPERAND_UNIFORM)
            return &i->operand[k];
    return &i->operand[0];
}

static void put(struct warp *w, const struct instruction *i, const uint32_t *d, uint32_t unknown)
{
    warp_put(w, i, result(i), 0, d, unknown);
}

static void put_pair(struct warp *w, const struct instruction *i, const uint64_t *d,
                     uint32_t unknown)
{
    lanes_t low, high;

    EACH_LANE low[l] = (uint32_t)d[l], high[l] = (uint32_t)(d[l] >> 32);
    warp_put(w, i, result(i), 0, low, unknown);
    warp_put(w, i, result(i), 1, high, unknown);
}

// The n-th predicate among the results; NULL if there is none.
static const struct operand *predicate_result(const struct instruction *i, int n)
{
    for (int k = 0; k < i->n_results; k++)
        if (i->operand[k].kind == OPERAND_PREDICATE ||
            i->operand[k].kind == OPERAND_UNIFORM_PREDICATE)
            if (n-- == 0)
                return &i->operand[k];
    return NULL;
}

// The n-th predicate among the sources, all true if there is none.
static uint32_t predicate_source(struct warp *w, const struct instruction *i, int n,
                                 uint32_t *unknown, int *found)
{
    *found = 0;
    for (int k = i->n_results; k < i->n_operands; k++)
        if (i->operand[k].kind == OPERAND_PREDICATE ||
            i->operand[k].kind == OPERAND_UNIFORM_PREDICATE)
            if (n-- == 0) {
                *found = 1;
                return warp_predicate(w, &i->operand[k], unknown);
            }
    return ~0u;
}

static void put_carry(struct warp *w, const struct instruction *i, const uint64_t *sum,
                      uint32_t unknown)
{
    for (int n = 0; n < 2; n++) {
        const struct operand *o = predicate_result(i, n);
        uint32_t p = 0;

        EACH_LANE p |= (uint32_t)((sum[l] >> 32) > (uint64_t)n) << l;
        if (o)
            warp_put_predicate(w, i, o, p, unknown);
    }
}

// --- integers

// The words of one source of a sum, as 33 bits: -b is 2^32 - b, so that the carry says "no borrow".
static void addend(struct warp *w, const struct instruction *i, int k, uint64_t *sum,
                   uint32_t *unknown)
{
    lanes_t scratch;
    const struct operand *o = &i->operand[i->n_results + k];
    const uint32_t *v;

    if (i->n_results + k >= i->n_operands || o->kind == OPERAND_PREDICATE ||
        o->kind == OPERAND_UNIFORM_PREDICATE)
        return;
    v = warp_raw(w, o, 0, scratch, unknown);
    if (o->negative && o->kind != OPERAND_IMMEDIATE)
        EACH_LANE sum[l] += 0x100000000ull - v[l];
    else if (o->negative)
        EACH_LANE sum[l] += (uint32_t)-v[l];
    else if (o->inverted)
        EACH_LANE sum[l] += (uint32_t)~v[l];
    else
        EACH_LANE sum[l] += v[l];
}

static void add_carries(struct warp *w, const struct instruction *i, uint64_t *sum,
                        uint32_t *unknown)
{
    int found = i->flags & FLAG_X ? 1 : 0;

    for (int n = 0; found; n++) {
        uint32_t u = 0, p = predicate_source(w, i, n, &u, &found);

        if (found) {
            *unknown |= u;
            EACH_LANE sum[l] += p >> l & 1;
        }
    }
}

static void run_add(struct warp *w, const struct instruction *i)
{
    uint64_t sum[LANES] = { 0 };
    uint32_t unknown = 0;
    lanes_t d;

    for (int k = 0; k < 3; k++)
        addend(w, i, k, sum, &unknown);
    add_carries(w, i, sum, &unknown);
    EACH_LANE d[l] = (uint32_t)sum[l];
    put(w, i, d, unknown);
    put_carry(w, i, sum, unknown);
}

static uint64_t pair_of(struct warp *w, const struct operand *o, int l, uint32_t *unknown)
{
    lanes_t a, b;
    uint64_t v = warp_raw(w, o, 0, a, unknown)[l];

    if (o->kind == OPERAND_IMMEDIATE) {
        v = (uint64_t)(int64_t)(int32_t)o->value;
        return o->negative ? -v : v;
    }
    v |= o->reg == ZERO_REGISTER ? 0 : (uint64_t)warp_raw(w, o, 1, b, unknown)[l] << 32;
    return o->negative ? -v : v;
}

static void run_add64(struct warp *w, const struct instruction *i)   // UIADD3.64
{
    uint64_t d[LANES];
    uint32_t unknown = 0;

    if (!strstr(i->text, ".64")) {
        run_add(w, i);
        return;
    }
    EACH_LANE
    {
        d[l] = 0;
        for (int k = i->n_results; k < i->n_operands; k++)
            d[l] += pair_of(w, &i->operand[k], l, &unknown);
    }
    put_pair(w, i, d, unknown);
}

// a * b + c: the lower half, the upper half with a pair of registers as c, or both.
static void run_multiply_add(struct warp *w, const struct instruction *i)
{
    lanes_t sa, sb, sc, sd, low;
    uint32_t unknown = 0;
    const uint32_t *a = source(w, i, 0, sa, &unknown), *b = source(w, i, 1, sb, &unknown),
                   *c = source(w, i, 2, sc, &unknown), *top = NULL;
    const struct operand *last = &i->operand[i->n_results + 2];
    uint64_t d[LANES];
    int is_unsigned = i->flags & FLAG_UNSIGNED, is_pair = i->flags & (FLAG_WIDE | FLAG_HI);

    if (i->n_results + 2 >= i->n_operands)
        return;
    if (is_pair && last->reg != ZERO_REGISTER && last->kind != OPERAND_IMMEDIATE) {
        struct operand high = *last;

        high.negative = 0;
        top = warp_source(w, &high, 1, sd, &unknown);
    }
    EACH_LANE
    {
        d[l] = is_unsigned ? (uint64_t)a[l] * b[l]
                           : (uint64_t)((int64_t)(int32_t)a[l] * (int32_t)b[l]);
        if (is_pair)
            d[l] += c[l] | (top ? (uint64_t)top[l] << 32 : 0);
        else
            d[l] = (uint64_t)(uint32_t)d[l] + c[l];
        if (i->flags & FLAG_HI)
            d[l] >>= 32;
    }
    if (i->flags & FLAG_X)
        add_carries(w, i, d, &unknown);
    if (i->flags & FLAG_WIDE) {
        put_pair(w, i, d, unknown);
        return;
    }
    EACH_LANE low[l] = (uint32_t)d[l];
    put(w, i, low, unknown);
    put_carry(w, i, d, unknown);
}

static void run_lea(struct warp *w, const struct instruction *i)
{
    lanes_t sa, sb, sc, d;
    uint32_t unknown = 0;
    int is_high = i->flags & FLAG_HI, has_top = is_high && !(i->flags & FLAG_SX32);
    const uint32_t *a = source(w, i, 0, sa, &unknown), *b = source(w, i, 1, sb, &unknown),
                   *c = has_top ? source(w, i, 2, sc, &unknown) : sc;
    int shift = i->operand[i->n_results + (has_top ? 3 : 2)].value & 31;
    uint64_t sum[LANES];

    EACH_LANE
    {
        uint64_t v = i->flags & FLAG_SX32 ? (uint64_t)(int64_t)(int32_t)a[l]
                                          : a[l] | (has_top ? (uint64_t)c[l] << 32 : 0);

        sum[l] = (uint64_t)(uint32_t)(v << shift >> (is_high ? 32 : 0)) + b[l];
    }
    add_carries(w, i, sum, &unknown);
    EACH_LANE d[l] = (uint32_t)sum[l];
    put(w, i, d, unknown);
    put_carry(w, i, sum, unknown);
}

static uint32_t shifted(const struct instruction *i, uint32_t low, uint32_t s, uint32_t high)
{
    uint64_t both = low | (uint64_t)high << 32;
    int is_64 = i->flags & (FLAG_U64 | FLAG_S64), is_signed = i->flags & (FLAG_S64 | FLAG_SIGNED);
    unsigned most = is_64 ? 63 : 32;

    if (i->flags & FLAG_WRAP)
        s &= is_64 ? 63 : 31;
    else
        s = s > most ? most : s;
    if (i->flags & FLAG_RIGHT) {
        if (i->flags & FLAG_HI)   // of the upper word alone, unless it is a funnel
            both = is_64 ? both >> 32 : i->flags & FLAG_WRAP ? both : high;
        if ((i->flags & FLAG_HI) && (i->flags & FLAG_WRAP))
            return (uint32_t)(both >> s);
        if ((i->flags & FLAG_HI))
            return is_signed ? (uint32_t)((int64_t)(int32_t)both >> s) : (uint32_t)(both >> s);
        return is_signed ? (uint32_t)((int64_t)both >> s) : (uint32_t)(both >> s);
    }
    return i->flags & FLAG_HI ? (uint32_t)(both << s >> 32) : (uint32_t)((uint64_t)low << s);
}

static void run_shift(struct warp *w, const struct instruction *i)
{
    lanes_t sa, sb, sc, d;
    uint32_t unknown = 0;
    const uint32_t *a = source(w, i, 0, sa, &unknown), *s = source(w, i, 1, sb, &unknown),
                   *high = source(w, i, 2, sc, &unknown);

    EACH_LANE d[l] = shifted(i, a[l], s[l], high[l]);
    put(w, i, d, unknown);
}

static uint32_t looked_up(uint32_t a, uint32_t b, uint32_t c, unsigned table)
{
    uint32_t d = 0;

    for (int k = 0; k < 8; k++)
        if (table >> k & 1)
            d |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return d;
}

static void run_lop3(struct warp *w, const struct instruction *i)
{
    lanes_t sa, sb, sc, d;
    uint32_t unknown = 0, p = 0;
    const uint32_t *a = source(w, i, 0, sa, &unknown), *b = source(w, i, 1, sb, &unknown),
                   *c = source(w, i, 2, sc, &unknown);
    const struct operand *o = predicate_result(i, 0);

    EACH_LANE d[l] = looked_up(a[l], b[l], c[l], i->operand[i->n_results + 3].value);
    EACH_LANE p |= (uint32_t)(d[l] != 0) << l;
    put(w, i, d, unknown);
    if (o)
        warp_put_predicate(w, i, o, p, unknown);
}

static void run_plop3(struct warp *w, const struct instruction *i)
{
    uint32_t unknown = 0, p[3];
    int found;

    for (int k = 0; k < 3; k++)
        p[k] = predicate_source(w, i, k, &unknown, &found);
    for (int k = 0; k < 2; k++)
        warp_put_predicate(w, i, &i->operand[k],
                           looked_up(p[0], p[1], p[2], i->operand[i->n_results + 3 + k].value),
                           unknown);
}

static void run_move(struct warp *w, const struct instruction *i)
{
    lanes_t scratch;
    uint32_t unknown = 0;

    put(w, i, source(w, i, 0, scratch, &unknown), unknown);
}

void warp_forget(struct warp *w, const struct instruction *i);

// HFMA2 R0, -RZ, RZ, 1, 2: how the compiler loads a constant, two numbers of 16 bits.
static void run_hfma2(struct warp *w, const struct instruction *i)
{
    const struct operand *o = &i->operand[1];
    lanes_t d;

    if (i->n_operands != 5 || o[0].reg != ZERO_REGISTER || o[1].reg != ZERO_REGISTER ||
        o[2].kind != OPERAND_IMMEDIATE || o[3].kind != OPERAND_IMMEDIATE) {
        warp_forget(w, i);
        return;
    }
    EACH_LANE d[l] = o[2].value << 16 | o[3].value;
    put(w, i, d, 0);
}

static void run_move_pair(struct warp *w, const struct instruction *i)   // CS2R
{
    static const lanes_t zero;
    const struct operand *o = &i->operand[1];
    uint32_t unknown = o->kind == OPERAND_SPECIAL && o->value == SPECIAL_ZERO ? 0 : ~0u;

    warp_put(w, i, result(i), 0, zero, unknown);
    if (!strstr(i->text, ".32"))
        warp_put(w, i, result(i), 1, zero, unknown);
}

static void run_load_constant(struct warp *w, const struct instruction *i)
{
    int words = i->bytes > 4 ? i->bytes / 4 : 1;
    lanes_t scratch;

    for (int k = 0; k < words; k++) {
        uint32_t unknown = 0;
        const uint32_t *v = warp_raw(w, &i->operand[1], k, scratch, &unknown);

        if (i->bytes < 4)
            unknown = ~0u;
        warp_put(w, i, result(i), k, v, unknown);
    }
}

static void run_select(struct warp *w, const struct instruction *i)
{
    lanes_t sa, sb, d;
    uint32_t ua = 0, ub = 0, up = 0, p;
    const uint32_t *a = source(w, i, 0, sa, &ua), *b = source(w, i, 1, sb, &ub);
    int found;

    p = predicate_source(w, i, 0, &up, &found);
    EACH_LANE d[l] = p >> l & 1 ? a[l] : b[l];
    put(w, i, d, up | (p & ua) | (~p & ub));
}

static void run_prmt(struct warp *w, const struct instruction *i)
{
    lanes_t sa, sb, sc, d;
    uint32_t unknown = 0;
    const uint32_t *a = source(w, i, 0, sa, &unknown), *s = source(w, i, 1, sb, &unknown),
                   *b = source(w, i, 2, sc, &unknown);

    EACH_LANE
    {
        uint64_t both = a[l] | (uint64_t)b[l] << 32;

        d[l] = 0;
        for (int k = 0; k < 4; k++) {
            unsigned pick = s[l] >> 4 * k & 15;
            uint8_t byte = both >> 8 * (pick & 7);

            if (pick & 8)
                byte = byte & 0x80 ? 0xff : 0;
            d[l] |= (uint32_t)byte << 8 * k;
        }
    }
    put(w, i, d, unknown);
}

static int compared(int comparison, int less, int equal)
{
    switch (comparison) {
    case COMPARE_LT: return less;
    case COMPARE_EQ: return equal;
    case COMPARE_LE: return less || equal;
    case COMPARE_GT: return !less && !equal;
    case COMPARE_NE: return !equal;
    case COMPARE_GE: return !less;
    default: return comparison == COMPARE_T;
    }
}

static uint32_t combined(const struct instruction *i, uint32_t p, uint32_t with)
{
    return i->flags & FLAG_OR ? p | with : i->flags & FLAG_XOR ? p ^ with : p & with;
}

static void put_comparison(struct warp *w, const struct instruction *i, uint32_t p,
                           uint32_t unknown)
{
    uint32_t other = 0;
    int found;
    uint32_t with = predicate_source(w, i, 0, &other, &found);

    // a known operand can decide alone: false AND x, true OR x
    if (i->flags & FLAG_OR)
        unknown = (unknown & ~(with & ~other)) | (other & ~(p & ~unknown));
    else if (!(i->flags & FLAG_XOR))
        unknown = (unknown & (with | other)) | (other & (p | unknown));
    else
        unknown |= other;
    warp_put_predicate(w, i, &i->operand[0], combined(i, p, with), unknown);
    if (i->n_results > 1)
        warp_put_predicate(w, i, &i->operand[1], combined(i, ~p, with), unknown);
}

static void run_isetp(struct warp *w, const struct instruction *i)
{
    lanes_t sa, sb;
    uint32_t unknown = 0, p = 0, low = ~0u;
    const uint32_t *a = source(w, i, 0, sa, &unknown), *b = source(w, i, 1, sb, &unknown);
    int found, is_ex = (i->flags & FLAG_EX) != 0, c = i->comparison;

    if (is_ex)   // of the upper words; the comparison of the lower ones is the last operand
        low = predicate_source(w, i, 1, &unknown, &found);
    EACH_LANE
    {
        int less = i->flags & FLAG_UNSIGNED ? a[l] < b[l] : (int32_t)a[l] < (int32_t)b[l],
            equal = a[l] == b[l], holds = compared(c, less, equal);

        if (is_ex && c != COMPARE_NE)
            holds = equal ? (int)(low >> l & 1) : c == COMPARE_EQ ? 0 : holds;
        else if (is_ex)
            holds = !equal || (low >> l & 1);
        p |= (uint32_t)holds << l;
    }
    put_comparison(w, i, p, unknown);
}

static void run_minmax(struct warp *w, const struct instruction *i)
{
    lanes_t s[3], d;
    uint32_t unknown = 0, p;
    int found, adds = !strcmp(i->op->name, "VIADDMNMX"), is_unsigned = i->flags & FLAG_UNSIGNED;
    const uint32_t *a = source(w, i, 0, s[0], &unknown), *b = source(w, i, 1, s[1], &unknown),
                   *c = adds ? source(w, i, 2, s[2], &unknown) : b;

    p = predicate_source(w, i, 0, &unknown, &found);
    EACH_LANE
    {
        uint32_t x = adds ? a[l] + b[l] : a[l], y = c[l];
        int less = is_unsigned ? x < y : (int32_t)x < (int32_t)y;

        d[l] = less == (int)(p >> l & 1) ? x : y;
    }
    put(w, i, d, unknown);
}

static uint32_t unary(const struct instruction *i, uint32_t a)
{
    switch (i->op->name[i->op->name[0] == 'U']) {
    case 'I': return (int32_t)a < 0 ? -a : a;   // IABS
    case 'P': return __builtin_popcount(a);     // POPC
    case 'F':                                   // FLO
        if (!(i->flags & FLAG_UNSIGNED) && (int32_t)a < 0)
            a = ~a;
        if (!a)
            return ~0u;
        return (uint32_t)(i->flags & FLAG_SHIFT_ONLY ? __builtin_clz(a) : 31 - __builtin_clz(a));
    default:   // BREV
        a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
        a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
        a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
        return __builtin_bswap32(a);
    }
}

static void run_unary(struct warp *w, const struct instruction *i)
{
    lanes_t sa, d;
    uint32_t unknown = 0;
    const uint32_t *a = source(w, i, 0, sa, &unknown);

    EACH_LANE d[l] = unary(i, a[l]);
    put(w, i, d, unknown);
}

static void run_mask(struct warp *w, const struct instruction *i)   // BMSK, SGXT
{
    lanes_t sa, sb, d;
    uint32_t unknown = 0;
    const uint32_t *a = source(w, i, 0, sa, &unknown), *b = source(w, i, 1, sb, &unknown);
    int is_mask = strstr(i->op->name, "BMSK") != NULL;

    EACH_LANE
    {
        unsigned n = b[l] > 32 ? 32 : b[l];
        uint32_t ones = n == 32 ? ~0u : (1u << n) - 1;

        if (is_mask)
            d[l] = a[l] > 31 ? 0 : ones << a[l];
        else
            d[l] = n == 0 || n == 32        ? a[l]
                 : i->flags & FLAG_UNSIGNED ? a[l] & ones
                 : a[l] >> (n - 1) & 1      ? a[l] | ~ones
                                            : a[l] & ones;
    }
    put(w, i, d, unknown);
}

// --- predicates as bits

static void run_p2r(struct warp *w, const struct instruction *i)
{
    lanes_t scratch, d;
    uint32_t unknown = 0, mask = i->operand[i->n_operands - 1].value & 0x7f;
    const uint32_t *old = warp_source(w, &i->operand[2], 0, scratch, &unknown);

    EACH_LANE
    {
        d[l] = old[l] & ~mask;
        for (int k = 0; k < 7; k++)
            d[l] |= (w->p[k] >> l & 1) << k & mask;
    }
    for (int k = 0; k < 7; k++)
        if (mask >> k & 1)
            unknown |= w->p_unknown[k];
    put(w, i, d, unknown);
}

static void run_r2p(struct warp *w, const struct instruction *i)
{
    lanes_t scratch;
    uint32_t unknown = 0, mask = i->operand[i->n_operands - 1].value & 0x7f;
    const uint32_t *v = warp_source(w, &i->operand[1], 0, scratch, &unknown);

    for (int k = 0; k < 7; k++) {
        struct operand o = { .kind = OPERAND_PREDICATE, .reg = k };
        uint32_t p = 0;

        EACH_LANE p |= (v[l] >> k & 1) << l;
        if (mask >> k & 1)
            warp_put_predicate(w, i, &o, p, unknown);
    }
}

static void run_r2ur(struct warp *w, const struct instruction *i)
{
    const struct operand *o = predicate_result(i, 0);

    run_move(w, i);
    if (o)   // whether lanes had another value
        warp_put_predicate(w, i, o, 0, 0);
}

// What the code waits for has happened: a phase of an mbarrier, registers from another warp group.
static void run_true(struct warp *w, const struct instruction *i)
{
    const struct operand *o = predicate_result(i, 0);

    if (o)
        warp_put_predicate(w, i, o, ~0u, 0);
}

static void run_elect(struct warp *w, const struct instruction *i)
{
    uint32_t lanes = w->group[w->now].lanes;

    warp_put_predicate(w, i, &i->operand[0], lanes & -lanes, 0);
}

// --- across lanes

static void run_vote(struct warp *w, const struct instruction *i)
{
    uint32_t unknown = 0, lanes = w->group[w->now].lanes, p, all;
    const struct operand *o = predicate_result(i, 0);
    lanes_t d;

    p = warp_predicate(w, &i->operand[i->n_operands - 1], &unknown) & lanes;
    all = i->mode == 1 ? p != 0 : i->mode == 2 ? p == 0 || p == lanes : p == lanes;
    unknown = unknown & lanes ? ~0u : 0;
    EACH_LANE d[l] = p;
    put(w, i, d, unknown);
    if (o)
        warp_put_predicate(w, i, o, all ? ~0u : 0, unknown);
}

// The lane that lane l reads from, as SHFL computes it; *inside is the predicate.
static int partner(int mode, int l, uint32_t b, uint32_t c, int *inside)
{
    int segment = c >> 8 & 31, clamp = c & 31, from = l, lowest = l & segment,
        highest = lowest | (clamp & ~segment);

    switch (mode) {
    case 0: from = lowest | (b & ~segment & 31); break;
    case 1: from = l - (int)(b & 31); break;
    case 2: from = l + (int)(b & 31); break;
    default: from = l ^ (b & 31); break;
    }
    *inside = mode == 1 ? from >= highest : from <= highest;
    return *inside ? from & 31 : l;
}

static void run_shfl(struct warp *w, const struct instruction *i)
{
    lanes_t sa, sb, sc, d;
    uint32_t ua = 0, unknown = 0, p = 0, from_unknown = 0;
    const uint32_t *a = source(w, i, 0, sa, &ua), *b = source(w, i, 1, sb, &unknown),
                   *c = source(w, i, 2, sc, &unknown);
    const struct operand *o = predicate_result(i, 0);

    EACH_LANE
    {
        int inside, from = partner(i->mode, l, b[l], c[l], &inside);

        d[l] = a[from];
        from_unknown |= (ua >> from & 1) << l;
        p |= (uint32_t)inside << l;
    }
    put(w, i, d, unknown | from_unknown);
    if (o)
        warp_put_predicate(w, i, o, p, unknown);
}

static void run_redux(struct warp *w, const struct instruction *i)
{
    lanes_t sa, d;
    uint32_t unknown = 0, lanes = warp_active(w, i), sum = 0;
    const uint32_t *a = source(w, i, 0, sa, &unknown);
    int is_first = 1, is_signed = i->flags & FLAG_SIGNED;

    EACH_LANE
    if (lanes >> l & 1) {
        int less = is_signed ? (int32_t)a[l] < (int32_t)sum : a[l] < sum;

        if (strstr(i->text, "SUM"))
            sum += a[l];
        else if (is_first || (strstr(i->text, "MIN") ? less : !less))
            sum = a[l];
        is_first = 0;
    }
    EACH_LANE d[l] = sum;
    put(w, i, d, unknown & lanes || !(strstr(i->text, "SUM") || strstr(i->text, "M")) ? ~0u : 0);
}

// --- floating point

static float as_float(uint32_t v)
{
    float f;

    memcpy(&f, &v, 4);
    return f;
}

static uint32_t as_bits(float f)
{
    uint32_t v;

    memcpy(&v, &f, 4);
    return v;
}

static void float_source(struct warp *w, const struct instruction *i, int k, float *f,
                         uint32_t *unknown)
{
    lanes_t scratch;
    const struct operand *o = &i->operand[i->n_results + k];
    const uint32_t *v = warp_raw(w, o, 0, scratch, unknown);

    EACH_LANE
    {
        f[l] = o->absolute ? fabsf(as_float(v[l])) : as_float(v[l]);
        f[l] = o->negative ? -f[l] : f[l];
    }
}

static void run_float(struct warp *w, const struct instruction *i)
{
    float a[LANES], b[LANES], c[LANES] = { 0 };
    lanes_t d;
    uint32_t unknown = 0;
    const char *name = i->op->name;

    float_source(w, i, 0, a, &unknown);
    float_source(w, i, 1, b, &unknown);
    if (!strcmp(name, "FFMA"))
        float_source(w, i, 2, c, &unknown);
    EACH_LANE d[l] = as_bits(!strcmp(name, "FADD")   ? a[l] + b[l]
                             : !strcmp(name, "FMUL") ? a[l] * b[l]
                                                     : fmaf(a[l], b[l], c[l]));
    put(w, i, d, unknown);
}

static void run_fminmax(struct warp *w, const struct instruction *i)
{
    float a[LANES], b[LANES];
    lanes_t d;
    uint32_t unknown = 0, p;
    int found;

    float_source(w, i, 0, a, &unknown);
    float_source(w, i, 1, b, &unknown);
    p = predicate_source(w, i, 0, &unknown, &found);
    EACH_LANE d[l] = as_bits(p >> l & 1 ? fminf(a[l], b[l]) : fmaxf(a[l], b[l]));
    put(w, i, d, unknown);
}

static void run_fsetp(struct warp *w, const struct instruction *i)
{
    float a[LANES], b[LANES];
    uint32_t unknown = 0, p = 0;

    float_source(w, i, 0, a, &unknown);
    float_source(w, i, 1, b, &unknown);
    EACH_LANE
    {
        int holds = i->comparison == COMPARE_NE ? a[l] < b[l] || a[l] > b[l]
                  : i->comparison == COMPARE_GE ? a[l] >= b[l]
                  : i->comparison == COMPARE_GT
                      ? a[l] > b[l]
                      : compared(i->comparison, a[l] < b[l], a[l] == b[l]);
        p |= (uint32_t)holds << l;
    }
    put_comparison(w, i, p, unknown);
}

static void run_mufu(struct warp *w, const struct instruction *i)
{
    float a[LANES];
    lanes_t d;
    uint32_t unknown = 0;

    float_source(w, i, 0, a, &unknown);
    EACH_LANE
    {
        float x = a[l];

        switch (i->mode) {
        case 0: x = 1 / x; break;
        case 1: x = 1 / sqrtf(x); break;
        case 2: x = exp2f(x); break;
        case 3: x = log2f(x); break;
        case 4: x = sinf(x * 6.2831853f); break;
        case 5: x = cosf(x * 6.2831853f); break;
        case 6: x = sqrtf(x); break;
        case 7: x = tanhf(x); break;
        case 8: {   // the upper word of a double
            double y;
            uint64_t bits = (uint64_t)as_bits(a[l]) << 32;

            memcpy(&y, &bits, 8);
            y = 1 / y;
            memcpy(&bits, &y, 8);
            x = as_float((uint32_t)(bits >> 32));
            break;
        }
        default: unknown = ~0u;
        }
        d[l] = as_bits(x);
    }
    put(w, i, d, unknown);
}

static uint64_t converted(const struct instruction *i, double x)
{
    double v = i->flags & FLAG_CEIL     ? ceil(x)
             : i->flags & FLAG_FLOOR    ? floor(x)
             : strstr(i->text, "TRUNC") ? trunc(x)
                                        : rint(x);

    if (isnan(v))
        return 0;
    if (i->flags & FLAG_U64)
        return v <= 0 ? 0 : v >= 0x1p64 ? ~0ull : (uint64_t)v;
    if (i->flags & FLAG_S64)
        return v <= -0x1p63 ? 1ull << 63 : v >= 0x1p63 ? ~0ull >> 1 : (uint64_t)(int64_t)v;
    if (i->flags & FLAG_UNSIGNED)
        return v <= 0 ? 0 : v >= 0x1p32 ? 0xffffffff : (uint32_t)v;
    return v <= -0x1p31 ? 0x80000000 : v >= 0x1p31 ? 0x7fffffff : (uint32_t)(int32_t)v;
}

static double double_source(struct warp *w, const struct operand *o, int l, uint32_t *unknown)
{
    uint64_t bits = pair_of(
        w,
        &(struct operand){
            .kind = o->kind, .reg = o->reg, .bank = o->bank, .offset = o->offset, .ureg = o->ureg },
        l, unknown);
    double x;

    memcpy(&x, &bits, 8);
    if (o->kind == OPERAND_IMMEDIATE)
        x = o->number;
    x = o->absolute ? fabs(x) : x;
    return o->negative && o->kind != OPERAND_IMMEDIATE ? -x : x;
}

static void run_f2i(struct warp *w, const struct instruction *i)
{
    float a[LANES];
    uint64_t d[LANES];
    lanes_t low;
    uint32_t unknown = 0;

    float_source(w, i, 0, a, &unknown);
    EACH_LANE
    {
        double x = i->flags & FLAG_F64 ? double_source(w, &i->operand[1], l, &unknown) : a[l];

        d[l] = converted(i, x);
        low[l] = (uint32_t)d[l];
    }
    if (i->flags & (FLAG_U64 | FLAG_S64))
        put_pair(w, i, d, unknown);
    else
        put(w, i, low, unknown);
}

// I2F and I2FP; .RP rounds up.
static void run_i2f(struct warp *w, const struct instruction *i)
{
    lanes_t scratch, d;
    uint32_t unknown = 0;
    const struct operand *o = &i->operand[1];
    const uint32_t *v = warp_raw(w, o, 0, scratch, &unknown);
    uint64_t wide[LANES];

    EACH_LANE
    {
        uint64_t u = i->flags & FLAG_U64 ? pair_of(w, o, l, &unknown) : v[l];
        double x = i->flags & (FLAG_UNSIGNED | FLAG_U64) ? (double)u : (double)(int32_t)u;
        float f;

        if (i->bytes == 1)
            x = (double)(u >> 8 * o->byte & 0xff);
        else if (i->bytes == 2)
            x = (double)(int16_t)(o->half ? u >> 16 : u);
        x = o->negative ? -x : x;
        f = (float)x;
        if (strstr(i->text, ".RP") && (double)f < x)
            f = nextafterf(f, INFINITY);
        d[l] = as_bits(f);
        memcpy(&wide[l], &x, 8);
    }
    if (strstr(i->text, ".F64"))
        put_pair(w, i, wide, unknown);
    else
        put(w, i, d, unknown);
}

static void run_double(struct warp *w, const struct instruction *i)
{
    uint64_t d[LANES];
    uint32_t unknown = 0;
    int n = i->n_results;

    EACH_LANE
    {
        double a = double_source(w, &i->operand[n], l, &unknown),
               b = double_source(w, &i->operand[n + 1], l, &unknown),
               c = i->op->name[1] == 'F' ? double_source(w, &i->operand[n + 2], l, &unknown) : 0,
               x = i->op->name[1] == 'A' ? a + b
                 : i->op->name[1] == 'M' ? a * b
                                         : fma(a, b, c);

        memcpy(&d[l], &x, 8);
    }
    put_pair(w, i, d, unknown);
}

static void run_dsetp(struct warp *w, const struct instruction *i)
{
    uint32_t unknown = 0, p = 0;

    EACH_LANE
    {
        double a = double_source(w, &i->operand[2], l, &unknown),
               b = double_source(w, &i->operand[3], l, &unknown);

        p |= (uint32_t)compared(i->comparison, a < b, a == b) << l;
    }
    put_comparison(w, i, p, unknown);
}

// --- memory

static void run_load_shared(struct warp *w, const struct instruction *i)
{
    uint64_t address[LANES];
    struct block *b = w->block;
    const struct operand *o = &i->operand[i->n_results];
    uint32_t known = warp_addresses(w, i, o, address);
    int words = i->bytes > 4 ? i->bytes / 4 : 1, size = i->bytes > 4 ? 4 : i->bytes;

    for (int k = 0; k < words; k++) {
        lanes_t d = { 0 };
        uint32_t unknown = ~known;

        EACH_LANE
        if (known >> l & 1) {
            uint64_t at = address[l] + 4 * k;

            if (at + size > b->shared_bytes) {
                unknown |= 1u << l;
                continue;
            }
            memcpy(&d[l], b->shared + at, size);
            if (i->flags & FLAG_SIGNED && size < 4)
                d[l] = size == 1 ? (uint32_t)(int8_t)d[l] : (uint32_t)(int16_t)d[l];
            unknown |= (uint32_t)b->unknown[at / 4] << l;
        }
        warp_put(w, i, result(i), k, d, unknown);
    }
}

static void run_store_shared(struct warp *w, const struct instruction *i)
{
    uint64_t address[LANES];
    struct block *b = w->block;
    uint32_t known = warp_addresses(w, i, &i->operand[0], address);
    int words = i->bytes > 4 ? i->bytes / 4 : 1, size = i->bytes > 4 ? 4 : i->bytes;

    for (int k = 0; k < words; k++) {
        lanes_t scratch;
        uint32_t unknown = 0;
        const uint32_t *v = warp_raw(w, &i->operand[1], k, scratch, &unknown);

        EACH_LANE
        if (known >> l & 1 && address[l] + 4 * k + size <= b->shared_bytes) {
            memcpy(b->shared + address[l] + 4 * k, &v[l], size);
            b->unknown[(address[l] + 4 * k) / 4] = unknown >> l & 1;
        }
    }
}

static void run_load_global(struct warp *w, const struct instruction *i)
{
    uint64_t address[LANES];
    const struct model_launch *launch = w->block->launch;
    uint32_t known =
        launch->readable ? warp_addresses(w, i, &i->operand[i->n_results], address) : 0;
    int words = i->bytes > 4 ? i->bytes / 4 : 1, size = i->bytes > 4 ? 4 : i->bytes;

    EACH_LANE
    if (known >> l & 1 && !launch->readable((void *)address[l], i->bytes))
        known &= ~(1u << l);
    for (int k = 0; k < words; k++) {
        lanes_t d = { 0 };

        EACH_LANE
        if (known >> l & 1) {
            memcpy(&d[l], (char *)address[l] + 4 * k, size);
            if (i->flags & FLAG_SIGNED && size < 4)
                d[l] = size == 1 ? (uint32_t)(int8_t)d[l] : (uint32_t)(int16_t)d[l];
        }
        warp_put(w, i, result(i), k, d, ~known);
    }
}

// --- results that are not known

void warp_forget(struct warp *w, const struct instruction *i)
{
    static const lanes_t zero;

    for (int k = 0; k < i->n_writes; k++)
        for (int n = 0; n < i->writes[k].count; n++) {
            struct operand o = { .kind = i->writes[k].file, .reg = i->writes[k].first + n };

            if (o.kind == OPERAND_PREDICATE || o.kind == OPERAND_UNIFORM_PREDICATE)
                warp_put_predicate(w, i, &o, 0, ~0u);
            else if (o.kind != OPERAND_REGISTER || o.reg <= w->block->kernel->highest)
                warp_put(w, i, &o, 0, zero, ~0u);
        }
}

void warp_compute(struct warp *w, const struct instruction *i)
{
    if (!i->is_needed)
        return;
    if (i->op->run)
        i->op->run(w, i);
    else
        warp_forget(w, i);
}

// --- the table

static const struct opcode opcodes[] = {
    // name, what it computes, what the SM does with it, results, its number
    { "FFMA", run_float, KIND_FMA, 1, "pipe.ffma" },
    { "FADD", run_float, KIND_FMA, 1, "pipe.fadd" },
    { "FMUL", run_float, KIND_FMA, 1, "pipe.fmul" },
    { "HFMA2", run_hfma2, KIND_FMA_HALF, 1, "pipe.hfma2" },
    { "HADD2", NULL, KIND_FMA_HALF, 1, "pipe.hfma2" },
    { "HMUL2", NULL, KIND_FMA_HALF, 1, "pipe.hfma2" },
    { "IMAD", run_multiply_add, KIND_IMAD, 1, "pipe.imad" },
    { "IDP", NULL, KIND_IMAD, 1, "pipe.dp4a" },
    { "FSETP", run_fsetp, KIND_ALU, 2, "pipe.isetp_sel" },
    { "FMNMX", run_fminmax, KIND_ALU, 1, "pipe.fmnmx" },
    { "FSEL", run_select, KIND_ALU, 1, "pipe.sel" },
    { "FCHK", NULL, KIND_XU, 1, "pipe.mufu" },
    { "FSWZADD", NULL, KIND_FMA, 1, "pipe.fadd" },
    { "HMNMX2", NULL, KIND_ALU, 1, "pipe.fmnmx" },
    { "HSETP2", NULL, KIND_ALU, 2, "pipe.isetp_sel" },
    { "VHMNMX", NULL, KIND_ALU, 1, "pipe.fmnmx" },
    { "IADD3", run_add, KIND_ALU, 1, "pipe.iadd3" },
    { "IADD", run_add, KIND_ALU, 1, "pipe.iadd3" },
    { "VIADD", run_add, KIND_ALU, 1, "pipe.iadd3" },
    { "LEA", run_lea, KIND_ALU, 1, "pipe.lea" },
    { "SHF", run_shift, KIND_ALU, 1, "pipe.shf" },
    { "SHL", run_shift, KIND_ALU, 1, "pipe.shf" },
    { "LOP3", run_lop3, KIND_ALU, 1, "pipe.lop3" },
    { "PLOP3", run_plop3, KIND_ALU, 2, "pipe.isetp_sel" },
    { "MOV", run_move, KIND_ALU, 1, "pipe.sel" },
    { "SEL", run_select, KIND_ALU, 1, "pipe.sel" },
    { "PRMT", run_prmt, KIND_ALU, 1, "pipe.prmt" },
    { "ISETP", run_isetp, KIND_ALU, 2, "pipe.isetp_sel" },
    { "VIMNMX", run_minmax, KIND_ALU, 1, "pipe.imnmx" },
    { "IMNMX", run_minmax, KIND_ALU, 1, "pipe.imnmx" },
    { "VIADDMNMX", run_minmax, KIND_ALU, 1, "pipe.imnmx" },
    { "IABS", run_unary, KIND_ALU, 1, "pipe.iadd3" },
    { "BMSK", run_mask, KIND_ALU, 1, "pipe.lop3" },
    { "SGXT", run_mask, KIND_ALU, 1, "pipe.lop3" },
    { "P2R", run_p2r, KIND_ALU, 1, "pipe.sel" },
    { "R2P", run_r2p, KIND_ALU, 0, "pipe.sel" },
    { "I2FP", run_i2f, KIND_ALU, 1, "pipe.i2fp" },
    { "F2FP", NULL, KIND_ALU, 1, "pipe.f2fp" },
    { "I2IP", NULL, KIND_ALU, 1, "pipe.i2ip" },
    { "F2IP", NULL, KIND_ALU, 1, "pipe.i2ip" },
    { "VOTE", run_vote, KIND_ALU, 2, "pipe.vote_isetp" },
    { "MUFU", run_mufu, KIND_XU, 1, "pipe.mufu" },
    { "I2F", run_i2f, KIND_XU, 1, "pipe.i2f_u8" },
    { "F2I", run_f2i, KIND_XU, 1, "pipe.f2i" },
    { "F2F", NULL, KIND_XU, 1, "pipe.mufu" },
    { "FRND", NULL, KIND_XU, 1, "pipe.mufu" },
    { "POPC", run_unary, KIND_XU, 1, "pipe.popc" },
    { "FLO", run_unary, KIND_XU, 1, "pipe.popc" },
    { "BREV", run_unary, KIND_XU, 1, "pipe.popc" },
    { "S2R", run_move, KIND_XU, 1, "pipe.s2r_isetp" },
    { "S2UR", run_move, KIND_XU, 1, "pipe.s2r_isetp" },
    { "CS2R", run_move_pair, KIND_ALU, 1, "pipe.iadd3" },
    { "B2R", NULL, KIND_XU, 2, "pipe.s2r_isetp" },
    { "DADD", run_double, KIND_FP64, 1, "pipe.dfma" },
    { "DMUL", run_double, KIND_FP64, 1, "pipe.dfma" },
    { "DFMA", run_double, KIND_FP64, 1, "pipe.dfma" },
    { "DSETP", run_dsetp, KIND_FP64, 2, "pipe.dfma" },
    { "DMNMX", NULL, KIND_FP64, 1, "pipe.dfma" },
    { "LDC", run_load_constant, KIND_CONSTANT, 1, "constant.ldc_1kib" },
    { "ULDC", run_load_constant, KIND_UNIFORM, 1, NULL },
    { "UMOV", run_move, KIND_UNIFORM, 1, NULL },
    { "UIADD3", run_add64, KIND_UNIFORM, 1, NULL },
    { "UIMAD", run_multiply_add, KIND_UNIFORM, 1, NULL },
    { "ULEA", run_lea, KIND_UNIFORM, 1, NULL },
    { "USHF", run_shift, KIND_UNIFORM, 1, NULL },
    { "ULOP3", run_lop3, KIND_UNIFORM, 1, NULL },
    { "UPLOP3", run_plop3, KIND_UNIFORM, 2, NULL },
    { "USEL", run_select, KIND_UNIFORM, 1, NULL },
    { "UPRMT", run_prmt, KIND_UNIFORM, 1, NULL },
    { "UISETP", run_isetp, KIND_UNIFORM, 2, NULL },
    { "UFLO", run_unary, KIND_UNIFORM, 1, NULL },
    { "UPOPC", run_unary, KIND_UNIFORM, 1, NULL },
    { "UBREV", run_unary, KIND_UNIFORM, 1, NULL },
    { "UBMSK", run_mask, KIND_UNIFORM, 1, NULL },
    { "USGXT", run_mask, KIND_UNIFORM, 1, NULL },
    { "UP2UR", NULL, KIND_UNIFORM, 1, NULL },
    { "VOTEU", run_vote, KIND_UNIFORM, 1, NULL },
    { "R2UR", run_r2ur, KIND_ALU, 1, "pipe.vote_isetp" },
    { "ELECT", run_elect, KIND_ALU, 2, "pipe.vote_isetp" },
    { "SHFL", run_shfl, KIND_SHFL, 2, "pipe.shfl" },
    { "REDUX", run_redux, KIND_XU, 1, "pipe.redux" },
    { "MATCH", NULL, KIND_XU, 2, "pipe.match" },
    { "LDS", run_load_shared, KIND_LDS, 1, NULL },
    { "LDSM", NULL, KIND_LDS, 1, NULL },
    { "STS", run_store_shared, KIND_STS, 0, NULL },
    { "STSM", NULL, KIND_STS, 0, NULL },
    { "ATOMS", NULL, KIND_ATOMS, 1, NULL },
    { "LDG", run_load_global, KIND_LDG, 1, NULL },
    { "LD", run_load_global, KIND_LDG, 1, NULL },
    { "LDL", NULL, KIND_LDL, 1, NULL },
    { "STG", NULL, KIND_STG, 0, NULL },
    { "ST", NULL, KIND_STG, 0, NULL },
    { "STL", NULL, KIND_STL, 0, NULL },
    { "LDGSTS", NULL, KIND_LDGSTS, 0, NULL },
    { "ATOMG", NULL, KIND_ATOMG, 2, NULL },
    { "ATOM", NULL, KIND_ATOMG, 2, NULL },
    { "REDG", NULL, KIND_ATOMG, 0, NULL },
    { "RED", NULL, KIND_ATOMG, 0, NULL },
    { "TEX", NULL, KIND_TEXTURE, 2, NULL },
    { "TLD", NULL, KIND_TEXTURE, 2, NULL },
    { "TLD4", NULL, KIND_TEXTURE, 2, NULL },
    { "SULD", NULL, KIND_TEXTURE, 1, NULL },
    { "SUST", NULL, KIND_STG, 0, NULL },
    { "BAR", NULL, KIND_BARRIER, 0, NULL },
    { "UCGABAR_ARV", NULL, KIND_CLUSTER_ARRIVE, 0, NULL },
    { "UCGABAR_WAIT", NULL, KIND_CLUSTER_WAIT, 0, NULL },
    { "LDGDEPBAR", NULL, KIND_COMMIT, 0, NULL },
    { "DEPBAR", NULL, KIND_WAIT, 0, NULL },
    { "SYNCS", run_true, KIND_SYNCS, 1, NULL },
    { "UTMALDG", NULL, KIND_TMA_LOAD, 0, NULL },
    { "UBLKCP", NULL, KIND_TMA_LOAD, 0, NULL },
    { "UTMASTG", NULL, KIND_TMA_STORE, 0, NULL },
    { "UTMAREDG", NULL, KIND_TMA_STORE, 0, NULL },
    { "UTMACMDFLUSH", NULL, KIND_OTHER, 0, NULL },
    { "HMMA", NULL, KIND_MMA, 1, "mma.bf16" },
    { "IMMA", NULL, KIND_MMA, 1, "mma.s8" },
    { "DMMA", NULL, KIND_MMA, 1, "mma.f64" },
    { "HGMMA", NULL, KIND_WGMMA, 1, "wgmma.bf16" },
    { "IGMMA", NULL, KIND_WGMMA, 1, "wgmma.s8" },
    { "QGMMA", NULL, KIND_WGMMA, 1, "wgmma.e4m3" },
    { "WARPGROUP", NULL, KIND_WARPGROUP, 0, NULL },
    { "MEMBAR", NULL, KIND_FENCE, 0, NULL },
    { "FENCE", NULL, KIND_OTHER, 0, NULL },
    { "BRA", NULL, KIND_BRANCH, 0, NULL },
    { "JMP", NULL, KIND_BRANCH, 0, NULL },
    { "BRX", NULL, KIND_BRANCH, 0, NULL },
    { "CALL", NULL, KIND_BRANCH, 0, NULL },
    { "RET", NULL, KIND_BRANCH, 0, NULL },
    { "EXIT", NULL, KIND_EXIT, 0, NULL },
    { "KILL", NULL, KIND_EXIT, 0, NULL },
    { "BSSY", NULL, KIND_OTHER, 0, NULL },
    { "BSYNC", NULL, KIND_OTHER, 0, NULL },
    { "BREAK", NULL, KIND_OTHER, 0, NULL },
    { "WARPSYNC", NULL, KIND_OTHER, 0, NULL },
    { "YIELD", NULL, KIND_OTHER, 0, NULL },
    { "ERRBAR", NULL, KIND_OTHER, 0, NULL },
    { "CGAERRBAR", NULL, KIND_OTHER, 0, NULL },
    { "CCTL", NULL, KIND_OTHER, 0, NULL },
    { "ENDCOLLECTIVE", NULL, KIND_OTHER, 0, NULL },
    { "UBLKPF", NULL, KIND_OTHER, 0, NULL },
    { "NANOSLEEP", NULL, KIND_OTHER, 0, NULL },
    { "PMTRIG", NULL, KIND_OTHER, 0, NULL },
    { "R2B", NULL, KIND_OTHER, 0, NULL },
    { "BMOV", NULL, KIND_OTHER, 0, NULL },
    { "BPT", NULL, KIND_OTHER, 0, NULL },
    { "NOP", NULL, KIND_OTHER, 0, NULL },
    { "PREEXIT", NULL, KIND_OTHER, 0, NULL },
    { "ACQBULK", NULL, KIND_OTHER, 0, NULL },
    { "USETMAXREG", run_true, KIND_OTHER, 1, NULL },
};

const struct opcode *opcode_named(const char *name)
{
    static const struct opcode other = { "", NULL, KIND_OTHER, 0, NULL };

    for (size_t k = 0; name && k < sizeof opcodes / sizeof *opcodes; k++)
        if (!strcmp(opcodes[k].name, name))
            return &opcodes[k];
    return &other;
}

int opcode_count(void) { return (int)(sizeof opcodes / sizeof *opcodes) + 1; }

// The last index is that of opcodes that are not in the table.
int opcode_index(const struct opcode *op)
{
    return op >= opcodes && op < opcodes + opcode_count() - 1 ? (int)(op - opcodes)
                                                              : opcode_count() - 1;
}

const struct opcode *opcode_at(int index)
{
    return index < opcode_count() - 1 ? &opcodes[index] : NULL;
}

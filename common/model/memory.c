/* Memory as one SM sees it: banks, L1, L2 with the SM's share of its rate, and DRAM, whose latency
 * depends on the bytes in flight. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/program.h"
#include "run.h"

enum { WAYS = 8, LINE = 128, SECTOR = 32, FLIGHTS = 512 };

// Sectors that were stored are in the same set.
static const uint64_t STORED = 1ull << 62;

struct way {
    uint64_t line;
    double fill[4];   // when each sector is there
    uint8_t has;
    uint32_t used;
};

struct l1 {
    struct way *way;
    unsigned sets, clock;
};

struct sector_set {
    uint64_t *key;    // the sector + 1
    uint8_t *bytes;   // stored in it
    size_t n, room;
};

int memory_begin(struct sm *s, size_t l1_bytes)
{
    s->l1 = must_calloc(1, sizeof *s->l1);
    s->l1->sets = (unsigned)(l1_bytes / LINE / WAYS);
    s->l1->way = must_calloc((size_t)s->l1->sets * WAYS, sizeof *s->l1->way);
    s->asked = must_calloc(1, sizeof *s->asked);
    s->asked->room = 1 << 14;
    s->asked->key = must_calloc(s->asked->room, sizeof *s->asked->key);
    s->asked->bytes = must_calloc(s->asked->room, 1);
    s->invented = 1ull << 60;
    return 0;
}

void memory_end(struct sm *s)
{
    free(s->l1->way);
    free(s->l1);
    free(s->asked->key);
    free(s->asked->bytes);
    free(s->asked);
}

// Lanes with different words of constant memory take turns.
int constant_words(struct warp *w, const struct instruction *i, const struct operand *o)
{
    uint32_t word[LANES], active = warp_active(w, i);
    int n = 0;

    if (o->reg == ZERO_REGISTER)
        return 1;
    for (int l = 0; l < LANES; l++)
        if (active >> l & 1) {
            int at = n;

            while (at && word[at - 1] != w->r[o->reg][l] / 4)
                at--;
            if (!at)
                word[n++] = w->r[o->reg][l] / 4;
        }
    return n;
}

// --- sectors that were asked for before

static size_t slot_of(const struct sector_set *set, uint64_t key)
{
    size_t at = (key * 0x9e3779b97f4a7c15ull >> 32) & (set->room - 1);

    while (set->key[at] && set->key[at] != key)
        at = (at + 1) & (set->room - 1);
    return at;
}

static void enlarge(struct sector_set *set)
{
    struct sector_set larger = { must_calloc(2 * set->room, sizeof *set->key),
                                 must_calloc(2 * set->room, 1), set->n, 2 * set->room };

    for (size_t k = 0; k < set->room; k++)
        if (set->key[k]) {
            size_t at = slot_of(&larger, set->key[k]);

            larger.key[at] = set->key[k];
            larger.bytes[at] = set->bytes[k];
        }
    free(set->key);
    free(set->bytes);
    *set = larger;
}

// Whether this is the first time; `stored` bytes are written to the sector.
static int is_new(struct sector_set *set, uint64_t sector, int stored)
{
    size_t at = slot_of(set, sector + 1);
    int is_first = !set->key[at], all = set->bytes[at] + stored;

    set->key[at] = sector + 1;
    set->bytes[at] = (uint8_t)(all > SECTOR ? SECTOR : all);
    set->n += is_first;
    if (2 * set->n > set->room)
        enlarge(set);
    return is_first;
}

// Of the sectors that were stored, the share of which a part was not: DRAM reads these first.
double share_of_parts(const struct sm *s)
{
    double parts = 0, all = 0;

    for (size_t k = 0; k < s->asked->room; k++)
        if (s->asked->key[k] > STORED) {
            all++;
            parts += s->asked->bytes[k] < SECTOR;
        }
    return all ? parts / all : 0;
}

// --- requests

// An estimated request is one of another block. Blocks are taken to access memory of their own.
static void recorded_request(const struct warp *w, const struct recorded *from, int is_shared,
                             struct request *r)
{
    const struct block *b = w->block;
    const unsigned *grid = b->launch->grid;
    uint64_t block = b->index[0] + grid[0] * (b->index[1] + (uint64_t)grid[1] * b->index[2]);

    memcpy(r->address, from->address, sizeof r->address);
    r->lanes = from->lanes;
    r->bytes = from->bytes;
    for (int l = 0; l < LANES && !is_shared; l++)
        r->address[l] += (block & 0x1fff) << 48;
}

// Lanes whose address is not known access memory that no other thread does, one after the other.
void request_of(struct sm *s, struct warp *w, const struct instruction *i, const struct operand *o,
                struct request *r)
{
    int second = i->recorded[1] && o == &i->operand[1];
    uint32_t known;

    if (i->recorded[0]) {
        recorded_request(w, i->recorded[second],
                         i->op->kind <= KIND_ATOMS || (i->recorded[1] && !second), r);
        return;
    }
    known = warp_addresses(w, i, o, r->address);
    r->lanes = warp_active(w, i);
    r->bytes = i->bytes;
    if (r->lanes & ~known) {
        s->n_invented++;
        for (int l = 0; l < LANES; l++)
            if (~known >> l & 1)
                r->address[l] = s->invented + (uint64_t)l * r->bytes;
        s->invented += 32u * r->bytes;
    }
}

// Different words of the bank that has the most, among n lanes.
static int bank_words(const struct request *r, int first, int n)
{
    uint64_t word[32][32];
    int count[32] = { 0 }, most = 1, words = r->bytes > 4 ? r->bytes / 4 : 1;

    for (int l = first; l < first + n; l++)
        for (int k = 0; k < words && r->lanes >> l & 1; k++) {
            uint64_t w = r->address[l] / 4 + k;
            int bank = w & 31, c = count[bank], at = 0;

            while (at < c && word[bank][at] != w)
                at++;
            if (at == c && c < 32) {
                word[bank][c] = w;
                count[bank] = c + 1;
                most = c + 1 > most ? c + 1 : most;
            }
        }
    return most;
}

static int is_consecutive(const struct request *r)
{
    if (r->lanes != ~0u)
        return 0;
    for (int l = 1; l < LANES; l++)
        if (r->address[l] != r->address[0] + (uint64_t)l * r->bytes)
            return 0;
    return 1;
}

// Lanes that one wavefront may serve: 128 bytes.
static int lanes_together(int bytes) { return bytes <= 4 ? 32 : bytes == 8 ? 16 : 8; }

double shared_cycles(const struct request *r)
{
    int n = lanes_together(r->bytes);
    double cycles = 0;

    if (!r->lanes)
        return 0;
    if (is_consecutive(r))
        return r->bytes <= 4 ? 1 : r->bytes / 4;
    for (int l = 0; l < LANES; l += n)
        if (r->lanes >> l & (n == 32 ? ~0u : (1u << n) - 1))
            cycles += bank_words(r, l, n);
    return cycles;
}

// max(lines / 4, words of a bank), for each group of lanes.
static double l1_cycles(const struct request *r)
{
    int n = lanes_together(r->bytes);
    double cycles = 0;

    if (is_consecutive(r) && r->address[0] % LINE == 0)
        return r->bytes <= 4 ? 1 : r->bytes / 4;
    for (int l = 0; l < LANES; l += n) {
        uint64_t line[32];
        int lines = 0;

        for (int k = l; k < l + n; k++)
            if (r->lanes >> k & 1) {
                int at = lines;

                while (at && line[at - 1] != r->address[k] / LINE)
                    at--;
                if (!at)
                    line[lines++] = r->address[k] / LINE;
            }
        if (lines)
            cycles += fmax(ceil(lines / 4.), bank_words(r, l, n));
    }
    return cycles;
}

struct sectors {
    uint64_t sector[64];
    int bytes[64], n;
};

static void sectors_of(const struct request *r, struct sectors *out)
{
    out->n = 0;
    for (int l = 0; l < LANES; l++)
        if (r->lanes >> l & 1) {
            uint64_t sector = r->address[l] / SECTOR;
            int at = out->n;

            while (at && out->sector[at - 1] != sector)
                at--;
            if (at) {
                out->bytes[at - 1] += r->bytes;
            } else if (out->n < 64) {
                out->sector[out->n] = sector;
                out->bytes[out->n++] = r->bytes;
            }
        }
}

double atomic_cycles(const struct request *r)
{
    int most = bank_words(r, 0, LANES);

    for (int l = 0; l < LANES; l++) {   // lanes with the same word take turns
        int n = 0;

        for (int k = 0; k < LANES && r->lanes >> l & 1; k++)
            n += (r->lanes >> k & 1) && r->address[k] / 4 == r->address[l] / 4;
        most = n > most ? n : most;
    }
    return r->lanes ? most : 0;
}

// --- L2 and DRAM

static double interpolated(const double *x, const double *y, double at)
{
    int k = 0;

    if (at <= x[0])
        return y[0];
    while (k < LOADS - 2 && x[k + 1] < at)
        k++;
    return y[k] + (y[k + 1] - y[k]) * (at - x[k]) / (x[k + 1] - x[k]);
}

// The share of the smaller of loads and stores among the bytes of DRAM: 1/2 in a copy.
static double mixed_share(const struct sm *s)
{
    double in = s->launch->read_bytes, out = s->launch->written_bytes;

    if (isnan(in) || isnan(out))
        in = s->load_bytes, out = s->store_bytes;
    return in + out > 0 ? fmin(in, out) / (in + out) : 0;
}

// The latency of `bytes` more, with those in flight already. Beside stores, loads take as long as
// in a copy.
static double dram_latency(struct sm *s, double t, double bytes)
{
    const struct numbers *n = s->n;
    double copy = 2 * mixed_share(s), at, until;

    while (s->flight_first != s->flight_last && s->in_flight_until[s->flight_first % FLIGHTS] <= t)
        s->in_flight -= s->in_flight_bytes[s->flight_first++ % FLIGHTS];
    s->in_flight += bytes;
    at = s->in_flight * s->active;
    until = (1 - copy) * interpolated(n->load, n->read_latency, at) +
            copy * interpolated(n->load, n->copy_latency, at);
    if (s->flight_last - s->flight_first < FLIGHTS) {
        s->in_flight_until[s->flight_last % FLIGHTS] = t + until;
        s->in_flight_bytes[s->flight_last++ % FLIGHTS] = (float)bytes;
    } else {
        s->in_flight -= bytes;
    }
    return until;
}

// Loads and stores pass DRAM one after the other. It takes longer for both together than for the
// same bytes of one kind: by what a copy takes longer than half of its bytes at either rate.
static void use_dram(struct sm *s, double t, double bytes, double cycles)
{
    const struct numbers *n = s->n;
    double longer = 2 / (n->dram_copy / n->dram_read + n->dram_copy / n->dram_write) - 1;

    cycles *= 1 + 2 * mixed_share(s) * longer;
    s->dram = fmax(s->dram, t) + cycles;
    s->busy[MODEL_DRAM] += cycles;
    s->work[MODEL_DRAM] += bytes;
}

// When n sectors are there, of which `fresh` come from DRAM.
static double from_l2(struct sm *s, double t, int n, int fresh)
{
    double cost = n * fmax(1 / s->n->l2_one, s->active / s->n->l2_all), ready;

    s->l2 = fmax(s->l2, t) + cost;
    s->busy[MODEL_L2] += cost;
    s->work[MODEL_L2] += n;
    ready = s->l2 + s->n->l2_latency;
    if (fresh) {
        s->load_bytes += SECTOR * fresh;
        ready = fmax(ready, t + dram_latency(s, t, SECTOR * fresh));
        use_dram(s, t, SECTOR * fresh, SECTOR * fresh * s->active / s->n->dram_read);
        ready = fmax(ready, s->dram);
    }
    return ready;
}

// Whether a sector comes from DRAM: of those that this SM asks for the first time, dram_share do.
static int is_from_dram(struct sm *s, uint64_t sector)
{
    if (!is_new(s->asked, sector, 0))
        return 0;
    s->asked_first++;
    s->dram_due += s->dram_share;
    if (s->dram_due < 1)
        return 0;
    s->dram_due -= 1;
    return 1;
}

// --- L1

static struct way *way_of(struct l1 *l1, uint64_t line, int *hit)
{
    struct way *set = &l1->way[(size_t)((line * 0x9e3779b97f4a7c15ull >> 32) % l1->sets) * WAYS],
               *oldest = set;

    for (struct way *w = set; w < set + WAYS; w++) {
        if (w->has && w->line == line) {
            *hit = 1;
            w->used = ++l1->clock;
            return w;
        }
        if (w->used < oldest->used)
            oldest = w;
    }
    *hit = 0;
    *oldest = (struct way){ .line = line, .used = ++l1->clock };
    return oldest;
}

double global_load(struct sm *s, const struct request *r, double t, int uses_l1)
{
    struct sectors all;
    double cycles = l1_cycles(r), ready;
    struct way *missing[64];
    int n = 0, fresh = 0;

    if (!r->lanes)
        return t;
    s->lsu = fmax(s->lsu, t) + cycles;
    s->busy[MODEL_L1] += cycles;
    s->work[MODEL_L1] += cycles;
    ready = s->lsu + s->n->l1_latency;
    sectors_of(r, &all);
    for (int k = 0; k < all.n; k++) {
        int hit = 0, part = all.sector[k] % 4;
        struct way *w = uses_l1 ? way_of(s->l1, all.sector[k] / 4, &hit) : NULL;

        if (w && w->has >> part & 1) {
            ready = fmax(ready, w->fill[part]);
            continue;
        }
        missing[n++] = w;
        if (w)
            w->has |= 1u << part;
        fresh += is_from_dram(s, all.sector[k]);
        if (w)
            w->fill[part] = INFINITY;
    }
    if (n) {
        double there = from_l2(s, s->lsu, n, fresh);

        ready = fmax(ready == INFINITY ? 0 : ready, there);
        for (int k = 0; k < n; k++)
            for (int part = 0; missing[k] && part < 4; part++)
                if (missing[k]->fill[part] == INFINITY)
                    missing[k]->fill[part] = there;
    }
    return ready;
}

void global_store(struct sm *s, const struct request *r, double t)
{
    struct sectors all;
    const struct numbers *n = s->n;
    double cycles = l1_cycles(r), cost = 0, dram;
    int fresh = 0;

    if (!r->lanes)
        return;
    s->lsu = fmax(s->lsu, t) + cycles;
    s->busy[MODEL_L1] += cycles;
    s->work[MODEL_L1] += cycles;
    sectors_of(r, &all);
    for (int k = 0; k < all.n; k++) {
        int is_full = all.bytes[k] >= SECTOR,
            first = is_new(s->asked, all.sector[k] | STORED, all.bytes[k]);

        cost += is_full ? fmax(1 / n->st_one, s->active / n->st_all)
                        : fmax(1 / n->st_part_one, s->active / n->st_part_all);
        fresh += first;
    }
    dram = fresh * s->active *
           ((1 - s->part_share) * SECTOR / n->dram_write + s->part_share / n->dram_part);
    s->store_bytes += fresh * SECTOR;
    use_dram(s, t, fresh * SECTOR, dram);
    s->store = fmax(s->store, s->lsu) + fmax(cost, dram);
    s->busy[MODEL_L2] += cost;
    s->work[MODEL_L2] += all.n;
}

// --- atomics

double global_atomic(struct sm *s, const struct request *r, double t, int returns)
{
    const struct numbers *n = s->n;
    uint64_t word[LANES], line[LANES];
    int lanes = 0, words = 0, lines = 0;
    double cost;

    for (int l = 0; l < LANES; l++)
        if (r->lanes >> l & 1) {
            int at = words;

            while (at && word[at - 1] != r->address[l])
                at--;
            if (!at)
                word[words++] = r->address[l];
            for (at = lines; at && line[at - 1] != r->address[l] / LINE;)
                at--;
            if (!at)
                line[lines++] = r->address[l] / LINE;
            lanes++;
        }
    if (!lanes)
        return t;
    if (words == 1)   // most often the same word for all warps
        cost = lanes * s->active * n->sms / (r->is_float ? n->atomic_float_word : n->atomic_word);
    else
        cost = lanes * s->active / (lines * 2 > words ? n->atomic_lines : n->atomic_line);
    s->atomic = fmax(s->atomic, t) + cost;
    s->busy[MODEL_ATOMIC] += cost;
    s->work[MODEL_ATOMIC] += lanes;
    return returns ? fmax(s->atomic, t) + n->atomic_latency : t;
}

// --- bulk copies

double bulk_load(struct sm *s, double bytes, double t)
{
    double each = 1024 / s->n->tma[0], cost = fmax(each, bytes / s->n->tma[2]);
    int sectors = (int)(bytes / SECTOR), fresh;

    s->tma = fmax(s->tma, t) + cost;
    s->asked_first += sectors;
    s->dram_due += sectors * s->dram_share;
    fresh = (int)s->dram_due;
    s->dram_due -= fresh;
    return fmax(s->tma + s->n->tma_latency, from_l2(s, s->tma, sectors, fresh));
}

void bulk_store(struct sm *s, double bytes, double t)
{
    double sectors = bytes / SECTOR,
           cost = sectors * fmax(1 / s->n->st_one, s->active / s->n->st_all);

    s->store = fmax(s->store, t) + cost;
    s->busy[MODEL_L2] += cost;
    s->work[MODEL_L2] += sectors;
    s->store_bytes += bytes;
    use_dram(s, t, bytes, bytes * s->active / s->n->dram_write);
}

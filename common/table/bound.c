#include "bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/folders.h"
#include "../base/program.h"

const char *const bound_says[] = { "the launch",   "memory bandwidth",
                                   "arithmetic",   "shared-memory wavefronts",
                                   "load sectors", "store sectors",
                                   "tensor cores", "bulk copies from L2" };
const char *const bound_word[] = { "launch", "bandwidth", "arithmetic", "wavefronts",
                                   "loads",  "stores",    "tensor",     "bulk" };
const char bound_lacks[] = "latency, instruction issue, L2, textures";

int row_is_timed(const struct row *r)
{
    return row_is_ok(r) && (same(r->mode, "cold") || same(r->mode, "hot")) && r->size[0] &&
           row_number(r, COLUMN_median_us) > 0;
}

struct rates rates_of(const struct table *t, const char *device)
{
    struct rates rates = { NAN, NAN, NAN, NAN, { { 0 } }, { 0 } };

    for (size_t i = 0; i < t->n; i++) {
        const struct row *r = &t->row[i];
        int is_ours = same(r->device, device), is_count = row_is_ok(r) && same(r->mode, "count");

        if (is_count && (is_ours || same(r->device, "CPU device")))
            rows_add(&rates.counts[!is_ours], r);
        if (!is_ours)
            continue;
        rates.sms = fmax(rates.sms, row_number(r, COLUMN_sms));
        rates.mhz = fmax(rates.mhz, row_number(r, COLUMN_sm_mhz));
        rates.peak_gbs = fmax(rates.peak_gbs, row_number(r, COLUMN_peak_gbs));
        if (row_is_timed(r))
            rates.launch_us = fmin(rates.launch_us, row_number(r, COLUMN_median_us));
        if (row_is_ok(r) && same(r->mode, "roof"))
            rows_add(&rates.roofs, r);
    }
    return rates;
}

// --- counts

// The work of a timed row as a multiple of that of a counted one; 0 if a side is not a multiple.
static double times_larger(const struct row *timed, const struct row *counted)
{
    struct size large = size_of(timed->size), small = size_of(counted->size);

    if (large.sides != small.sides || small.sides == 0)
        return 0;
    for (int i = 0; i < small.sides; i++)
        if (fmod(large.side[i], small.side[i]) != 0)
            return 0;
    return large.product / small.product;
}

// The counts of a timed row's kernel, at any size.
static struct rows counts_of(const struct rows *all, const struct row *timed)
{
    struct rows of = { 0 };

    for (size_t i = 0; i < all->n; i++) {
        const struct row *r = all->row[i];

        if (same(r->name, timed->name) && same(r->week, timed->week) &&
            same(r->type, timed->type) && words_same(r->knobs, timed->knobs) &&
            words_same(r->variant, timed->variant))
            rows_add(&of, r);
    }
    return of;
}

// Whether every block does the same work in both launches.
static int same_blocks(const struct row *large, const struct row *small, double larger)
{
    struct size all = size_of(large->grid), some = size_of(small->grid);

    return same(large->kernels, "1") && same(small->kernels, "1") &&
           same(large->kernel, small->kernel) && same(large->block, small->block) && some.sides &&
           all.product == larger * some.product;
}

// Whether a device has two counts, one of them at this size, whose blocks do different work and
// which are proportional to the work.
static int is_proportional(const struct rows counts[2], const char *size, enum column column)
{
    for (const struct rows *of = counts; of < counts + 2; of++)
        for (size_t i = 0; i < of->n * of->n; i++) {
            const struct row *large = of->row[i / of->n], *small = of->row[i % of->n];
            double larger = times_larger(large, small), number = row_number(large, column);

            if (number > 0 && larger > 1 && (same(large->size, size) || same(small->size, size)) &&
                !same_blocks(large, small, larger) && number == larger * row_number(small, column))
                return 1;
        }
    return 0;
}

// A counter at the size of the timed row, counted there or scaled from another size; NaN if
// unknown.
static double count_for(const struct rows counts[2], int device, const struct row *timed,
                        enum column column)
{
    double here = NAN, scaled = NAN;

    for (size_t i = 0; i < counts[device].n; i++) {
        const struct row *r = counts[device].row[i];
        double larger = times_larger(timed, r);

        if (larger == 0 || !r->cell[column][0])
            continue;
        if (larger == 1)
            here = row_number(r, column);
        else if (same_blocks(timed, r, larger) || is_proportional(counts, r->size, column) ||
                 (column == COLUMN_ld_sectors &&
                  is_proportional(counts, r->size, COLUMN_shared_wavefronts)))
            scaled = larger * row_number(r, column);
    }
    return isnan(here) ? scaled : here;
}

static double or_zero(double value) { return value > 0 ? value : 0; }

static void add_count_terms(double us[BOUND_TERMS], const struct rates *rates,
                            const struct row *timed)
{
    double mhz = row_number(timed, COLUMN_sm_mhz),
           cycles =
               rates->sms * (mhz > 0 ? mhz : rates->mhz);   // per microsecond, sum over all SMs
    struct rows counts[2] = { counts_of(&rates->counts[0], timed),
                              counts_of(&rates->counts[1], timed) };

    for (int d = 1; d >= 0; d--) {   // the counts of its own device replace those of the CPU device
        double wavefronts = count_for(counts, d, timed, COLUMN_shared_wavefronts),
               loads = count_for(counts, d, timed, COLUMN_ld_sectors) / 4,
               stores = count_for(counts, d, timed, COLUMN_st_sectors) / 2,
               tensor = count_for(counts, d, timed, COLUMN_product_clocks),
               bulk = count_for(counts, d, timed, COLUMN_bulk_ld_sectors) / 2;

        us[BOUND_TENSOR] = isnan(tensor) ? us[BOUND_TENSOR] : or_zero(tensor / cycles);
        us[BOUND_BULK] = isnan(bulk) ? us[BOUND_BULK] : or_zero(bulk / cycles);
        if (isnan(wavefronts) && isnan(loads) && isnan(stores))
            continue;
        us[BOUND_LOADS] = us[BOUND_WAVEFRONTS] = 0;
        us[loads > or_zero(wavefronts) ? BOUND_LOADS : BOUND_WAVEFRONTS] =
            or_zero((or_zero(wavefronts) + or_zero(loads)) / cycles);
        us[BOUND_STORES] = or_zero(stores / cycles);
    }
}

// The measured rate of the roof with this name, GFLOP/s; NaN: not measured.
static double roof(const struct rates *rates, const char *name)
{
    double rate = NAN;

    for (size_t i = 0; i < rates->roofs.n; i++)
        if (same(rates->roofs.row[i]->name, name))
            rate = fmax(rate, row_number(rates->roofs.row[i], COLUMN_rate));
    return rate;
}

// "tf32x3" needs three operations of "tf32" for each of the problem.
static double arithmetic_us(const struct rates *rates, const struct row *timed)
{
    const char *name = timed->arithmetic[0]       ? timed->arithmetic
                     : same(timed->type, "float") ? "fma"
                     : same(timed->type, "bf16")  ? "bf16"
                                                  : "";
    const char *times = strrchr(name, 'x');
    int n = times ? atoi(times + 1) : 0;

    if (n > 0)
        name = text_of("%.*s", (int)(times - name), name);
    return (n > 0 ? n : 1) * row_number(timed, COLUMN_flops) / roof(rates, name) / 1e3;
}

static double bandwidth_us(const struct rates *rates, const struct row *timed)
{
    double peak = row_number(timed, COLUMN_peak_gbs);

    return row_number(timed, COLUMN_bytes) / (peak > 0 ? peak : rates->peak_gbs) / 1e3;
}

double limit_us(const struct rates *rates, const struct row *timed)
{
    return fmax(bandwidth_us(rates, timed), arithmetic_us(rates, timed));
}

struct bound bound_of(const struct rates *rates, const struct row *timed)
{
    double us[BOUND_TERMS] = { 0 };
    struct bound b = { NAN, BOUND_LAUNCH };

    us[BOUND_LAUNCH] = or_zero(rates->launch_us);
    if (same(timed->mode, "cold"))
        us[BOUND_BANDWIDTH] = or_zero(bandwidth_us(rates, timed));
    us[BOUND_ARITHMETIC] = or_zero(arithmetic_us(rates, timed));
    if (!row_is_reference(timed))
        add_count_terms(us, rates, timed);
    for (int i = 0; i < BOUND_TERMS; i++)
        if (us[i] > or_zero(b.us))
            b = (struct bound){ us[i], i };
    return b;
}

void recorded_read(struct table *t, const char *weeks, const char *device, const char *pattern)
{
    struct files found = recorded_files(weeks, device, pattern);

    for (size_t i = 0; i < found.n; i++)
        table_read(t, found.path[i]);
}

#include "bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/folders.h"
#include "../base/program.h"
#include "select.h"

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
    struct rates rates = { NAN, NAN, NAN, NAN };

    for (size_t i = 0; i < t->n; i++) {
        const struct row *r = &t->row[i];

        if (!same(r->device, device))
            continue;
        rates.sms = fmax(rates.sms, row_number(r, COLUMN_sms));
        rates.mhz = fmax(rates.mhz, row_number(r, COLUMN_sm_mhz));
        rates.peak_gbs = fmax(rates.peak_gbs, row_number(r, COLUMN_peak_gbs));
        if (row_is_timed(r))
            rates.launch_us = fmin(rates.launch_us, row_number(r, COLUMN_median_us));
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

static int is_count_of(const struct row *counted, const struct row *timed, const char *device)
{
    return row_is_ok(counted) && same(counted->mode, "count") && same(counted->device, device) &&
           same(counted->week, timed->week) && same(counted->name, timed->name) &&
           same(counted->type, timed->type) && words_same(counted->knobs, timed->knobs) &&
           words_same(counted->variant, timed->variant);
}

// Whether every block does the same work in both launches.
static int same_blocks(const struct row *large, const struct row *small, double larger)
{
    struct size all = size_of(large->grid), some = size_of(small->grid);

    return same(large->kernels, "1") && same(small->kernels, "1") &&
           same(large->kernel, small->kernel) && same(large->block, small->block) && some.sides &&
           all.product == larger * some.product;
}

// Whether the table has two counts of the stage, one of them at this size, whose blocks do
// different work and which are proportional to the work.
static int is_proportional(const struct table *t, const struct row *timed, const char *size,
                           enum column column)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct row *large = &t->row[i];

        if (!is_count_of(large, timed, large->device) || !(row_number(large, column) > 0))
            continue;
        for (size_t j = 0; j < t->n; j++) {
            const struct row *small = &t->row[j];
            double larger =
                is_count_of(small, timed, large->device) ? times_larger(large, small) : 0;

            if (larger > 1 && (same(large->size, size) || same(small->size, size)) &&
                !same_blocks(large, small, larger) &&
                row_number(large, column) == larger * row_number(small, column))
                return 1;
        }
    }
    return 0;
}

// A counter at the size of the timed row, counted there or scaled from another size; NaN if
// unknown.
static double count_of(const struct table *t, const struct row *timed, const char *device,
                       enum column column)
{
    double here = NAN, scaled = NAN;

    for (size_t i = 0; i < t->n; i++) {
        const struct row *r = &t->row[i];
        double larger = is_count_of(r, timed, device) ? times_larger(timed, r) : 0;

        if (larger == 0 || !r->cell[column][0])
            continue;
        if (larger == 1)
            here = row_number(r, column);
        else if (same_blocks(timed, r, larger) || is_proportional(t, timed, r->size, column) ||
                 (column == COLUMN_ld_sectors &&
                  is_proportional(t, timed, r->size, COLUMN_shared_wavefronts)))
            scaled = larger * row_number(r, column);
    }
    return isnan(here) ? scaled : here;
}

static double known(double value) { return value > 0 ? value : 0; }

// The counter divided by `per_cycle` and by the cycles of all SMs, from the first device that has
// counts of it; 0: unknown.
static double term_of(const struct table *t, const struct row *timed, double cycles,
                      enum column column, double per_cycle)
{
    double on_gpu = count_of(t, timed, timed->device, column),
           here = count_of(t, timed, "CPU device", column);

    return known((isnan(on_gpu) ? here : on_gpu) / per_cycle / cycles);
}

static void add_count_terms(double us[BOUND_TERMS], const struct table *t,
                            const struct rates *rates, const struct row *timed)
{
    double mhz = row_number(timed, COLUMN_sm_mhz),
           cycles =
               rates->sms * (mhz > 0 ? mhz : rates->mhz);   // per microsecond, sum over all SMs
    const char *device[] = { timed->device, "CPU device" };

    us[BOUND_TENSOR] = term_of(t, timed, cycles, COLUMN_product_clocks, 1);
    us[BOUND_BULK] = term_of(t, timed, cycles, COLUMN_bulk_ld_sectors, 2);
    for (int d = 0; d < 2; d++) {
        double wavefronts = count_of(t, timed, device[d], COLUMN_shared_wavefronts),
               loads = count_of(t, timed, device[d], COLUMN_ld_sectors) / 4,
               stores = count_of(t, timed, device[d], COLUMN_st_sectors) / 2;

        if (isnan(wavefronts) && isnan(loads) && isnan(stores))
            continue;
        us[loads > known(wavefronts) ? BOUND_LOADS : BOUND_WAVEFRONTS] =
            known((known(wavefronts) + known(loads)) / cycles);
        us[BOUND_STORES] = known(stores / cycles);
        return;
    }
}

// The rate of the roof with this name on a device, GFLOP/s; NaN: not measured.
static double roof(const struct table *t, const char *device, const char *name)
{
    double rate = NAN;

    for (size_t i = 0; i < t->n; i++) {
        const struct row *r = &t->row[i];

        if (same(r->device, device) && row_is_ok(r) && same(r->mode, "roof") && same(r->name, name))
            rate = fmax(rate, row_number(r, COLUMN_rate));
    }
    return rate;
}

// "tf32x3" needs three operations of "tf32" for each of the problem.
static double arithmetic_us(const struct table *t, const struct row *timed)
{
    const char *name = timed->arithmetic[0]       ? timed->arithmetic
                     : same(timed->type, "float") ? "fma"
                     : same(timed->type, "bf16")  ? "bf16"
                                                  : "";
    const char *times = strrchr(name, 'x');
    int n = times ? atoi(times + 1) : 0;

    if (n > 0)
        name = text_of("%.*s", (int)(times - name), name);
    return (n > 0 ? n : 1) * row_number(timed, COLUMN_flops) / roof(t, timed->device, name) / 1e3;
}

static double bandwidth_us(const struct rates *rates, const struct row *timed)
{
    double peak = row_number(timed, COLUMN_peak_gbs);

    return row_number(timed, COLUMN_bytes) / (peak > 0 ? peak : rates->peak_gbs) / 1e3;
}

double limit_us(const struct table *t, const struct rates *rates, const struct row *timed)
{
    return fmax(bandwidth_us(rates, timed), arithmetic_us(t, timed));
}

struct bound bound_of(const struct table *t, const struct rates *rates, const struct row *timed)
{
    double us[BOUND_TERMS] = { 0 };
    struct bound b = { NAN, BOUND_LAUNCH };

    us[BOUND_LAUNCH] = known(rates->launch_us);
    if (same(timed->mode, "cold"))
        us[BOUND_BANDWIDTH] = known(bandwidth_us(rates, timed));
    us[BOUND_ARITHMETIC] = known(arithmetic_us(t, timed));
    if (!row_is_reference(timed))
        add_count_terms(us, t, rates, timed);
    for (int i = 0; i < BOUND_TERMS; i++)
        if (us[i] > known(b.us))
            b = (struct bound){ us[i], i };
    return b;
}

void recorded_read(struct table *t, const char *weeks)
{
    struct files found = recorded_files(weeks, "*.tsv");

    for (size_t i = 0; i < found.n; i++)
        table_read(t, found.path[i]);
}

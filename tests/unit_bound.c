// Lower bounds of times: each term of the formula, and which counts are scaled.
//
#include "bound.h"

#include <math.h>

#include "tap.h"

static struct row row_at(const char *size, const char *mode, const char *grid)
{
    struct row row = row_empty();

    row.week = "w", row.stage = "stage1", row.name = "one", row.device = "G", row.type = "float";
    row.size = size, row.mode = mode, row.status = "ok", row.kernels = "1", row.kernel = "k";
    row.block = "32x1x1", row.grid = grid;
    return row;
}

// A GPU with 10 SMs at 1000 MHz: 10000 SM cycles per microsecond. A launch takes 2 us.
static struct table gpu(void)
{
    struct table t = { 0 };
    struct row roof = row_at("", "roof", ""), tf32, launch = row_at("1x1", "cold", "1x1x1");

    roof.name = "fma", roof.rate = "1000", roof.sms = "10", roof.sm_mhz = "1000";
    tf32 = roof;
    tf32.name = "tf32", tf32.rate = "8000";
    launch.median_us = "2";
    table_add(&t, &roof);
    table_add(&t, &tf32);
    table_add(&t, &launch);
    return t;
}

static int near(double a, double b) { return fabs(a - b) <= 1e-9 * fabs(b); }

// Whether the bound of a row is this term, with this time.
static int is_bound(const struct table *t, const struct row *timed, enum bound_term term, double us)
{
    struct rates rates = rates_of(t, timed->device);
    struct bound b = bound_of(&rates, timed);

    if (b.term != term || !near(b.us, us))
        printf("#   got %g us, limited by %s\n", b.us, bound_says[b.term]);
    return b.term == term && near(b.us, us);
}

static void terms(void)
{
    struct row timed = row_at("64x64", "cold", "8x1x1"), count = row_at("64x64", "count", "8x1x1");
    struct table t = gpu();

    ok(is_bound(&t, &timed, BOUND_LAUNCH, 2), "without counts, the bound is the shortest time");
    timed.bytes = "3000000", timed.peak_gbs = "1000";
    ok(is_bound(&t, &timed, BOUND_BANDWIDTH, 3), "bytes move at the peak bandwidth");
    timed.mode = "hot";
    ok(is_bound(&t, &timed, BOUND_LAUNCH, 2), "bytes of a hot call are no bound");
    timed.mode = "cold", timed.flops = "4000000";
    ok(is_bound(&t, &timed, BOUND_ARITHMETIC, 4), "operations run at the fp32 peak");
    timed.arithmetic = "tf32x3";
    ok(is_bound(&t, &timed, BOUND_BANDWIDTH, 3), "tensor-core operations run at the TF32 peak");
    timed.flops = "16000000";
    ok(is_bound(&t, &timed, BOUND_ARITHMETIC, 6), "tf32x3 needs three products for each");
    count.shared_wavefronts = "70000", count.ld_sectors = "40000";
    table_add(&t, &count);
    ok(is_bound(&t, &timed, BOUND_WAVEFRONTS, 8),
       "L1 takes wavefronts and a quarter of the load sectors");
    timed.sm_mhz = "500";
    ok(is_bound(&t, &timed, BOUND_WAVEFRONTS, 16), "cycles are at the clock of the timed row");
    count.shared_wavefronts = "", count.ld_sectors = "800000";
    table_add(&t, &count);
    ok(is_bound(&t, &timed, BOUND_LOADS, 54),
       "the latest counts apply; load sectors limit if they are more");
    count.ld_sectors = "", count.st_sectors = "1000000";
    table_add(&t, &count);
    ok(is_bound(&t, &timed, BOUND_STORES, 100), "an SM stores two sectors per cycle");
    count.product_clocks = "2000000", count.bulk_ld_sectors = "3000000",
    count.device = "CPU device";
    table_add(&t, &count);
    ok(is_bound(&t, &timed, BOUND_TENSOR, 400), "tensor cores do a clock of products per cycle");
    count.product_clocks = "";
    count.bulk_ld_sectors = "6000000";
    table_add(&t, &count);
    ok(is_bound(&t, &timed, BOUND_BULK, 600), "bulk copies bring an SM two sectors per cycle");
    timed.device = "another GPU";
    ok(!(bound_of(&(struct rates){ NAN, NAN, NAN, NAN, { { 0 } }, { 0 } }, &timed).us > 3),
       "counts and rates of another GPU are not used");
}

static void other_sizes(void)
{
    struct row timed = row_at("128x64", "cold", "16x1x1"),
               count = row_at("64x64", "count", "8x1x1");
    struct table t = gpu();

    count.shared_wavefronts = "100000";
    table_add(&t, &count);
    ok(is_bound(&t, &timed, BOUND_WAVEFRONTS, 20),
       "counts are scaled if blocks grow with the work");
    timed.grid = "8x1x1";
    ok(is_bound(&t, &timed, BOUND_LAUNCH, 2), "counts of blocks with more work are not scaled");
    timed.grid = "16x1x1", timed.kernels = "2";
    ok(is_bound(&t, &timed, BOUND_LAUNCH, 2), "counts of several launches are not scaled");
    timed.kernels = "1", timed.size = "96x64", timed.grid = "12x1x1";
    ok(is_bound(&t, &timed, BOUND_LAUNCH, 2),
       "counts are not scaled to a size that is not a multiple");
    timed.size = "128x64", timed.grid = "16x1x1", timed.knobs = "TILE=16";
    ok(is_bound(&t, &timed, BOUND_LAUNCH, 2), "counts of another build are not used");
    count.size = "64x32", count.shared_wavefronts = "50000", count.device = "CPU device";
    table_add(&t, &count);
    timed.knobs = "", timed.grid = "8x1x1";
    ok(is_bound(&t, &timed, BOUND_LAUNCH, 2), "counts of two devices do not show proportionality");
    count.size = "64x64", count.shared_wavefronts = "100001";
    table_add(&t, &count);
    ok(is_bound(&t, &timed, BOUND_LAUNCH, 2), "counts that are not proportional are not scaled");
    count.shared_wavefronts = "100000", count.ld_sectors = "400000";
    table_add(&t, &count);
    ok(is_bound(&t, &timed, BOUND_WAVEFRONTS, 20),
       "counts that are proportional at two sizes are scaled");
    timed.size = "96x64";
    count.device = "G", count.size = "32x64", count.shared_wavefronts = "50001";
    table_add(&t, &count);
    ok(is_bound(&t, &timed, BOUND_LAUNCH, 2), "counts of a third size are not scaled");
}

int main(void)
{
    terms();
    other_sizes();
    done_testing();
}

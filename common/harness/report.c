#define _GNU_SOURCE   // program_invocation_short_name
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backend.h"
#include "call_facts.h"
#include "folders.h"
#include "noise.h"
#include "problem.h"
#include "select.h"

const char *time_text(double us)
{
    return us >= 1e4 ? text_of("%.4g ms", us / 1e3)
                     : text_of(us >= 1e3   ? "%.0f us"
                               : us >= 100 ? "%.1f us"
                                           : "%.2f us",
                               us);
}

// Four significant digits, or all integer digits if there are more.
static const char *rate_text(double rate) { return text_of(rate >= 1e4 ? "%.0f" : "%.4g", rate); }

static const char *bytes_text(double bytes)
{
    return bytes >= 1e9 ? text_of("%.3g GB", bytes / 1e9) : text_of("%.3g MB", bytes / 1e6);
}

const char *shape_text(const unsigned n[3])
{
    return n[2] > 1 ? text_of("%ux%ux%u", n[0], n[1], n[2])
         : n[1] > 1 ? text_of("%ux%u", n[0], n[1])
                    : text_of("%u", n[0]);
}

void report_head(const struct measurement *m, const struct problem *p)
{
    const struct device *d = m->device;
    const struct stage_info *info = m->stage.info;
    const char *variant = variant_text(p);

    printf("%s %s: %s\n", m->stage.stage, m->stage.name, info->lesson);
    printf("  problem  %s; %s (%s)", p->week->problem, size_text(p), p->week->size_words);
    if (p->week->n_types > 1 || p->type != p->week->types[0])
        printf(", %s", type_name(p->type));
    if (variant[0])
        printf(", %s", variant);
    if (info->arithmetic[0])
        printf(", in %s arithmetic", info->arithmetic);
    if (info->knobs[0])
        printf("; built with %s", info->knobs);
    putchar('\n');
    if (on_cpu_device)
        printf(
            "  device   the CPU device: counts the memory requests of a GPU, measures no time\n");
    else
        printf("  device   %s: %d SMs, L2 %s, peak memory bandwidth %.0f GB/s; driver %s, CUDA "
               "%s\n",
               d->name, d->sms, bytes_text(d->l2_bytes), d->peak_gbs,
               d->driver[0] ? d->driver : "unknown", d->cuda);
}

void report_brief_head(const struct measurement *m)
{
    const struct stage_info *info = m->stage.info;

    printf("%s %s: %s%s%s\n", m->stage.stage, m->stage.name, info->lesson,
           info->knobs[0] ? "; built with " : "", info->knobs);
}

void report_check(const struct measurement *m, int awkward, int refused, const char *why)
{
    const struct problem *p = &m->stage.problem;
    const char *size = size_text(p);
    double tolerance = problem_tolerance(p), relative = problem_relative_tolerance(p);
    struct digest digest[MAX_DIGESTS];
    int digests = p->week->digests ? p->week->digests(p, digest) : 0;

    printf("  check    right at %s", size);
    if (awkward)
        printf(" and at %d awkward sizes", awkward);
    if (tolerance == 0)
        printf(", two calls each, equal bits");
    else
        printf(", two calls each; largest error at %s %.2g of %.2g allowed", size,
               m->stage.max_error, tolerance);
    if (relative > 0)
        printf(" + %.2g of an element", relative);
    for (int i = 0; i < digests; i++)
        printf(i == 0 ? "; compared there: %s" : ", %s", digest[i].says);
    if (refused)
        printf("; %d refused: %s", refused, why);
    putchar('\n');
}

static const char *plural(const unsigned n[3]) { return n[0] * n[1] * n[2] == 1 ? "" : "s"; }

static void report_launch(const struct facts *f)
{
    if (f->kernels < 0)
        return;
    if (f->kernels == 0) {
        printf("  launch   no kernel\n");
        return;
    }
    printf("  launch   %s<<<%s block%s, %s thread%s>>>", f->kernel, shape_text(f->grid),
           plural(f->grid), shape_text(f->block), plural(f->block));
    if (f->shared_bytes >= 0)
        printf(", %ld B shared memory", f->shared_bytes);
    if (f->regs >= 0)
        printf(", %d registers", f->regs);
    if (f->blocks_per_sm >= 0)
        printf(", %d block%s per SM", f->blocks_per_sm, f->blocks_per_sm == 1 ? "" : "s");
    if (f->kernels > 1)
        printf("; %d kernels, this one has the most threads", f->kernels);
    putchar('\n');
}

static void report_time(const struct measurement *m, const struct contender *c)
{
    const struct week *week = c->problem.week;
    const struct timing *t = &c->timing;
    double gbs = week->bytes(&c->problem) / t->us.median / 1e3,
           tolerance = problem_tolerance(&c->problem);

    printf("  %-14s %10s %9s %s", c->stage, time_text(t->us.median), rate_text(contender_rate(c)),
           week->unit);
    if (!m->hot && m->device->peak_gbs > 0 && !week->compute_bound)
        printf(" %5.1f %%", 100 * gbs / m->device->peak_gbs);
    if (t->us.p10 > 0)
        printf("   p10 %s, p90 %s, %d samples of %d", time_text(t->us.p10), time_text(t->us.p90),
               t->samples, t->batch);
    if (t->graph.median > 0 && t->us.median < SHORT_CALL_US)
        printf("; by graph %s", time_text(t->graph.median));
    if (t->sm_mhz > 0)
        printf("; SM clock %.0f MHz", t->sm_mhz);
    if (t->noisy)
        printf("; noisy");
    if (tolerance != problem_tolerance(&m->stage.problem))
        printf("; tolerance %g", tolerance);
    putchar('\n');
}

// The rate of another stage for this problem, from an earlier run; NaN if there is none.
static double stored_rate(const struct measurement *m, struct results *r, const char *stage)
{
    const struct row *row = results_find(r, stage, &m->stage.problem, "", measure_mode(m));

    return row ? row_number(row, COLUMN_rate) : NAN;
}

static void report_factor(int *n, double factor, const char *of, const char *when)
{
    if (isnan(factor))
        return;
    printf("%s%.3f of %s%s", (*n)++ ? ", " : "  reached  ", factor, of, when);
}

static void report_factors(const struct measurement *m, struct results *r)
{
    const char *baseline = stage_baseline(m->stage.problem.week, m->stage.info);
    double own = contender_rate(&m->stage);
    int number = stage_number(m->stage.stage), n = 0;
    const char *previous = number > 0 ? text_of("stage%d", number - 1) : baseline;

    for (int i = 0; i < m->n_refs; i++)
        if (m->ref[i].status == STATUS_OK)
            report_factor(&n, own / contender_rate(&m->ref[i]), m->ref[i].stage, "");
    if (strcmp(baseline, m->stage.stage) != 0 && !name_is_reference(baseline))
        report_factor(&n, own / stored_rate(m, r, baseline), baseline, " in its last run");
    if (strcmp(previous, baseline) != 0)
        report_factor(&n, own / stored_rate(m, r, previous), previous, " in its last run");
    if (n)
        putchar('\n');
}

static void report_times(const struct measurement *m, struct results *r)
{
    const struct problem *p = &m->stage.problem;
    int sets = m->stage.timing.sets;
    const char *set;
    double one = (double)problem_bytes(p, IN) + (double)problem_bytes(p, OUT),
           l2 = m->device->l2_bytes;

    set = bytes_text(one * sets);
    if (m->hot)
        printf("  times    hot: always the same buffers, %s, L2 as the last call left it%s\n", set,
               one > l2 ? " (they are larger than L2)" : "");
    else
        printf("  times    cold: calls rotate among %d set%s of buffers, %s or %.1f x L2%s\n", sets,
               sets == 1 ? "" : "s", set, one * sets / (l2 > 0 ? l2 : 1),
               p->week->compute_bound ? "" : "; % of the peak bandwidth");
    report_time(m, &m->stage);
    for (int i = 0; i < m->n_refs; i++) {
        const struct contender *ref = &m->ref[i];

        if (ref->status == STATUS_OK)
            report_time(m, ref);
        else
            printf("  %-14s not timed: %s%s\n", ref->stage,
                   ref->status == STATUS_WRONG ? "wrong: " : "", ref->why);
    }
    report_factors(m, r);
}

// The lines of the report of counts: a kind of request, and what is counted per request.
static const struct {
    const char *label;
    enum column requests, units;
    const char *unit;   // NULL: emu_unit(); "": there are no units
} count_lines[] = {
    { "global loads", COLUMN_ld_requests, COLUMN_ld_sectors, NULL },
    { "  ahead of use", COLUMN_ld_ahead, COLUMN_ld_ahead, "" },
    { "global stores", COLUMN_st_requests, COLUMN_st_sectors, NULL },
    { "shared memory", COLUMN_shared_requests, COLUMN_shared_wavefronts, "wavefronts" },
    { "  in the source", COLUMN_shared_requests_source, COLUMN_shared_wavefronts_source,
      "wavefronts" },
    { "textures", COLUMN_tex_requests, COLUMN_tex_requests, "" },
    { "atomics", COLUMN_atomic_requests, COLUMN_atomic_requests, "" },
    { "bulk loads", COLUMN_bulk_ld_requests, COLUMN_bulk_ld_sectors, NULL },
    { "  in the tensor", COLUMN_bulk_ld_requests, COLUMN_bulk_ld_bytes, "bytes" },
    { "bulk stores", COLUMN_bulk_st_requests, COLUMN_bulk_st_sectors, NULL },
    { "  in the tensor", COLUMN_bulk_st_requests, COLUMN_bulk_st_bytes, "bytes" },
    { "  multicast", COLUMN_bulk_ld_requests, COLUMN_multicast_bytes,
      "bytes of L2 saved, computed" },
    { "cluster", COLUMN_cluster_requests, COLUMN_cluster_bytes, "bytes" },
    { "wgmma", COLUMN_products, COLUMN_product_clocks, "tensor core clocks, computed" },
    { "  operands", COLUMN_products, COLUMN_product_bytes, "bytes of shared memory" },
    { "barriers", COLUMN_barriers, COLUMN_barriers, "" },
};
enum { COUNT_LINES = sizeof count_lines / sizeof *count_lines };

static double count_of(const struct counts *c, enum column column)
{
    switch (column) {
#define X(name, says) \
    case COLUMN_##name: return c->name;
        COUNTERS(X)
#undef X
    default: return -1;
    }
}

// Whether a counter is on one of these lines, or is deliberately not shown.
static int is_shown(enum column column)
{
    for (int i = 0; i < COUNT_LINES; i++)
        if (count_lines[i].requests == column || count_lines[i].units == column)
            return 1;
    return column == COLUMN_ld_bytes || column == COLUMN_st_bytes ||
           column == COLUMN_active_lanes || column == COLUMN_exchanges ||
           column == COLUMN_warp_ld_requests || column == COLUMN_partial_barriers ||
           column == COLUMN_copies_in_flight || column == COLUMN_groups_in_flight;
}

static void report_counts(const struct counts *c)
{
    const char *unit = emu_unit();

    printf("  counts   in warp instructions and %s%s",
           strcmp(unit, "sectors") == 0 ? "32-byte " : "", unit);
    if (c->active_lanes > 0)
        printf("; active lanes %.4g of 32", c->active_lanes);
    printf("\n");
    for (int i = 0; i < COUNT_LINES; i++) {
        const char *of = count_lines[i].unit ? count_lines[i].unit : unit;
        double requests = count_of(c, count_lines[i].requests),
               units = count_of(c, count_lines[i].units);

        if (requests <= 0 || units <= 0 ||
            (count_lines[i].requests == COLUMN_shared_requests_source &&
             requests == c->shared_requests))
            continue;
        printf("  %-14s %10.0f requests", count_lines[i].label, requests);
        if (of[0])
            printf(", %10.0f %s: %.4g per request", units, of, units / requests);
        putchar('\n');
        if (count_lines[i].units == COLUMN_product_bytes)
            backend_print_products();
    }
    for (int i = 0; i < N_COLUMNS; i++)
        if (column_is_counter(i) && !is_shown(i) && count_of(c, i) > 0)
            printf("  %-14s %10.0f\n", column_name[i], count_of(c, i));
}

void report_measurement(const struct measurement *m, struct results *r, int lines)
{
    report_launch(m->stage.facts);
    if (!on_cpu_device) {
        report_times(m, r);
        return;
    }
    report_counts(&m->stage.facts->counts);
    backend_print_lines(r->week_folder, lines);
}

static void brief_count(int *n, const char *what, double requests, double units, const char *unit)
{
    if (requests > 0)
        printf("%s%s %.0f requests of %.4g %.*s", (*n)++ ? ", " : "  counts   ", what, requests,
               units / requests, (int)strlen(unit) - (units == requests), unit);
}

// What to type after a program: the change that the next stage makes, or the grade.
static const char *next_command(const char *stage)
{
    int number = stage_number(stage);

    return number >= 0 ? text_of("make diff B=%d", number + 1)
                       : text_of("make grade N=%s", stage + strcspn(stage, "0123456789"));
}

void report_brief(const struct measurement *m)
{
    const struct counts *c = &m->stage.facts->counts;
    int n = 0;

    report_launch(m->stage.facts);
    brief_count(&n, "loads", c->ld_requests, c->ld_sectors, emu_unit());
    brief_count(&n, "stores", c->st_requests, c->st_sectors, emu_unit());
    brief_count(&n, "shared memory", c->shared_requests, c->shared_wavefronts, "wavefronts");
    printf("%s  next     %s; the whole report: ./%s --all\n", n ? "\n" : "",
           next_command(m->stage.stage), program_invocation_short_name);
}

static void line_of_counts(const struct counts *c)
{
    if (c->ld_requests > 0)
        printf("  loads %.0f x %.4g %s", c->ld_requests, c->ld_sectors / c->ld_requests,
               emu_unit());
    if (c->st_requests > 0)
        printf("  stores %.0f x %.4g %s", c->st_requests, c->st_sectors / c->st_requests,
               emu_unit());
    if (c->tex_requests > 0)
        printf("  textures %.0f", c->tex_requests);
    if (c->shared_requests > 0)
        printf("  shared %.0f x %.4g wavefronts", c->shared_requests,
               c->shared_wavefronts / c->shared_requests);
}

void report_line(const struct measurement *m)
{
    const struct contender *c = &m->stage;

    printf("%-20s %s %s, %s", text_of("%s %s", c->stage, c->name), type_name(c->problem.type),
           problem_text(&c->problem), measure_mode(m));
    if (on_cpu_device) {
        line_of_counts(&c->facts->counts);
    } else {
        printf("  %10s  %8s %s", time_text(c->timing.us.median), rate_text(contender_rate(c)),
               c->problem.week->unit);
        for (int i = 0; i < m->n_refs; i++)
            if (m->ref[i].status == STATUS_OK)
                printf("  %.3f of %s", contender_rate(c) / contender_rate(&m->ref[i]),
                       m->ref[i].stage);
        if (c->timing.noisy)
            printf("  noisy");
    }
    putchar('\n');
}

// The latest recorded row of the stage in a table of its week: at the largest of the week's sizes,
// or else at any size. NULL if there is none, or if it is of another stage with this number.
static const struct row *recorded_row(const struct contender *c, const struct table *t)
{
    struct problem largest = c->problem;
    struct place place = { NULL, "cold", type_name(c->problem.type), c->info->knobs, "" };
    const struct row *row;

    size_of_list(c->problem.week->gpu_sizes, 0, &largest);
    largest.sms = 0;   // --sms is for the CPU device only
    place.variant = variant_text(&largest);
    place.size = size_text(&largest);
    row = latest_row(t, c->stage, &place);
    place.size = NULL;
    if (!row)
        row = latest_row(t, c->stage, &place);
    return row && row_is_ok(row) && strcmp(row->name, c->name) == 0 ? row : NULL;
}

const char *recorded_part(const struct contender *c)
{
    return c->info->knobs[0] ? "knobs" : "ladder";
}

void report_recorded(const struct contender *c, const struct results *r)
{
    const char *weeks = text_of("%s/..", r->week_folder);
    struct table t = { 0 };
    char path[PATH_MAX];
    const struct row *row;

    recorded_path(path, weeks, default_recorded(weeks, r->week->name), r->week->name,
                  recorded_part(c));
    table_read(&t, path);
    row = recorded_row(c, &t);
    if (row)
        printf("  recorded: %s %s, %s; %s%s%s, cold\n", rate_text(row_number(row, COLUMN_rate)),
               row->unit, row->device, row->size, row->variant[0] ? " " : "", row->variant);
}

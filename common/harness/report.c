#define _GNU_SOURCE   // strsep

#include "report.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "problem.h"
#include "results.h"
#include "tsv.h"

static void time_text(double us, char out[32])
{
    if (us >= 1e4)
        snprintf(out, 32, "%.4g ms", us / 1e3);
    else
        snprintf(out, 32, us >= 1e3 ? "%.0f us" : us >= 100 ? "%.1f us" : "%.2f us", us);
}

// Four digits, or all of those before the point.
static void rate_text(double rate, char out[32])
{
    snprintf(out, 32, rate >= 1e4 ? "%.0f" : "%.4g", rate);
}

static void bytes_text(double bytes, char out[32])
{
    if (bytes >= 1e9)
        snprintf(out, 32, "%.3g GB", bytes / 1e9);
    else
        snprintf(out, 32, "%.3g MB", bytes / 1e6);
}

static void shape_text(const unsigned n[3], char out[48])
{
    if (n[2] > 1)
        snprintf(out, 48, "%ux%ux%u", n[0], n[1], n[2]);
    else if (n[1] > 1)
        snprintf(out, 48, "%ux%u", n[0], n[1]);
    else
        snprintf(out, 48, "%u", n[0]);
}

void report_head(const struct measurement *b, const struct problem *p)
{
    const struct device *d = b->device;
    char size[SIZE_TEXT], variant[VARIANT_TEXT], l2[32];

    size_text(p->dim, size);
    variant_text(p, variant);
    bytes_text(d->l2_bytes, l2);
    printf("%s %s: %s\n", b->stage->stage, b->stage->name, b->stage->info->lesson);
    printf("  problem  %s; %s (%s)", week.problem, size, week.size_words);
    if (week.n_types > 1)
        printf(", %s", type_name(p->type));
    if (variant[0])
        printf(", %s", variant);
    if (b->stage->info->arithmetic[0])
        printf(", in %s arithmetic", b->stage->info->arithmetic);
    if (b->stage->info->knobs[0])
        printf("; built with %s", b->stage->info->knobs);
    putchar('\n');
    if (on_cpu_device)
        printf("  device   the CPU device: it counts what a GPU would be asked for, and times "
               "nothing\n");
    else
        printf("  device   %s: %d SMs, L2 %s, memory %.0f GB/s at its pins; driver %s, CUDA %s\n",
               d->name, d->sms, l2, d->peak_gbs, d->driver[0] ? d->driver : "unknown", d->cuda);
}

void report_check(const struct measurement *b, int awkward, int refused, const char *why)
{
    const struct contender *r = b->stage;
    char size[SIZE_TEXT];
    double tolerance = week.tolerance(&r->problem);
    struct digest digest[MAX_DIGESTS];
    int digests = week.digests ? week.digests(&r->problem, digest) : 0;

    size_text(r->problem.dim, size);
    printf("  check    right at %s", size);
    if (awkward)
        printf(" and at %d awkward sizes", awkward);
    if (tolerance == 0)
        printf(", two calls each, equal bits");
    else
        printf(", two calls each; largest error at %s %.2g of %.2g allowed", size, r->max_error,
               tolerance);
    for (int i = 0; i < digests; i++)
        printf(i == 0 ? "; compared there: %s" : ", %s", digest[i].says);
    if (refused)
        printf("; %d refused: %s", refused, why);
    putchar('\n');
}

static void report_launch(const struct facts *f)
{
    char grid[48], block[48];

    if (f->kernels < 0)
        return;
    if (f->kernels == 0) {
        printf("  launch   no kernel\n");
        return;
    }
    shape_text(f->grid, grid);
    shape_text(f->block, block);
    printf("  launch   %s<<<%s blocks, %s threads>>>", f->kernel, grid, block);
    if (f->shared_bytes >= 0)
        printf(", %ld B shared memory", f->shared_bytes);
    if (f->regs >= 0)
        printf(", %d registers", f->regs);
    if (f->blocks_per_sm >= 0)
        printf(", %d block%s an SM", f->blocks_per_sm, f->blocks_per_sm == 1 ? "" : "s");
    if (f->kernels > 1)
        printf("; of %d kernels the one with most threads", f->kernels);
    putchar('\n');
}

// The rate of another stage for this problem, from an earlier run.
static int stored_rate(const struct measurement *b, const char *stage, double *rate)
{
    struct row row;

    return results_find(stage, &b->stage->problem, "", measure_mode(b), &row) &&
           row_number(&row, "rate", rate);
}

// A share of what the memory's pins could move says something where moving is most of the work.
static int of_pins(void) { return strcmp(week.unit, "GFLOP/s") != 0; }

static void report_time(const struct measurement *b, const struct contender *r)
{
    const struct timing *t = &r->timing;
    char median[32], amount[32], low[32], high[32], graph[32] = "";
    double gbs = week.bytes(&r->problem) / t->median / 1e3, tolerance = week.tolerance(&r->problem);
    double share =
        b->hot || !b->device->peak_gbs || !of_pins() ? 0 : 100 * gbs / b->device->peak_gbs;

    time_text(t->median, median);
    rate_text(contender_rate(r), amount);
    printf("  %-14s %10s %9s %s", r->stage, median, amount, week.unit);
    if (share > 0)
        printf(" %5.1f %%", share);
    if (t->p10 > 0) {
        time_text(t->p10, low);
        time_text(t->p90, high);
        printf("   p10 %s, p90 %s, %d samples of %d", low, high, t->samples, t->batch);
    }
    if (t->graph > 0) {
        time_text(t->graph, graph);
        printf("; by graph %s", graph);
    }
    if (tolerance != week.tolerance(&b->stage->problem))
        printf("; may differ by %g", tolerance);
    putchar('\n');
}

static void report_factors(const struct measurement *b)
{
    double own = contender_rate(b->stage), rate;
    const char *before = "  reached  ";
    char previous[32] = "";
    int number;

    for (int i = 0; i < b->n_refs; i++)
        if (b->ref[i].status == OK) {
            printf("%s%.3f of %s", before, own / contender_rate(&b->ref[i]), b->ref[i].stage);
            before = ", ";
        }
    if (strcmp(week.baseline, b->stage->stage) != 0 && strncmp(week.baseline, "ref_", 4) != 0 &&
        stored_rate(b, week.baseline, &rate)) {
        printf("%s%.3f of %s in its last run", before, own / rate, week.baseline);
        before = ", ";
    }
    if (sscanf(b->stage->stage, "stage%d", &number) == 1 && number > 0)
        snprintf(previous, sizeof previous, "stage%d", number - 1);
    if (strcmp(previous, week.baseline) != 0 && previous[0] && stored_rate(b, previous, &rate)) {
        printf("%s%.3f of %s in its last run", before, own / rate, previous);
        before = ", ";
    }
    if (before[0] == ',')
        putchar('\n');
}

static void report_times(const struct measurement *b)
{
    const struct timing *t = &b->stage->timing;
    char set[32];
    double one = (double)problem_bytes(&b->stage->problem, IN) +
                 (double)problem_bytes(&b->stage->problem, OUT);

    bytes_text(one * t->sets, set);
    if (b->hot)
        printf("  times    hot: always the same buffers, %s, L2 as the last call left it%s\n", set,
               one > b->device->l2_bytes ? " (they are larger than L2)" : "");
    else
        printf("  times    cold: calls rotate among %d set%s of buffers, %s or %.1f x L2%s\n",
               t->sets, t->sets == 1 ? "" : "s", set,
               one * t->sets / (b->device->l2_bytes > 0 ? b->device->l2_bytes : 1),
               of_pins() ? "; % of the pins" : "");
    report_time(b, b->stage);
    for (int i = 0; i < b->n_refs; i++) {
        const struct contender *ref = &b->ref[i];

        if (ref->status == OK)
            report_time(b, ref);
        else
            printf("  %-14s not timed: %s%s\n", ref->stage, ref->status == BROKEN ? "wrong: " : "",
                   ref->why);
    }
    report_factors(b);
}

static void report_requests(const char *what, double requests, double units, const char *unit)
{
    if (requests > 0 && unit)
        printf("  %-14s %10.0f requests, %10.0f %s: %.4g a request\n", what, requests, units, unit,
               units / requests);
    else if (requests > 0)
        printf("  %-14s %10.0f requests\n", what, requests);
}

static void report_counts(const struct counts *c)
{
    const char *unit = backend_unit();

    printf("  counts   in warp instructions and %s%s",
           strcmp(unit, "sectors") == 0 ? "32-byte " : "", unit);
    if (c->active_lanes > 0)
        printf("; active lanes %.4g of 32", c->active_lanes);
    printf("\n");
    report_requests("global loads", c->ld_requests, c->ld_sectors, unit);
    report_requests("global stores", c->st_requests, c->st_sectors, unit);
    report_requests("shared memory", c->shared_requests, c->shared_wavefronts, "wavefronts");
    report_requests("textures", c->tex_requests, 0, NULL);
    report_requests("atomics", c->atomic_requests, 0, NULL);
    report_requests("barriers", c->barriers, 0, NULL);
}

void report_bench(const struct measurement *b, int lines)
{
    report_launch(&b->stage->facts);
    if (!on_cpu_device) {
        report_times(b);
        return;
    }
    report_counts(&b->stage->facts.counts);
    backend_print_lines(lines);
}

static void line_of_counts(const struct counts *c)
{
    if (c->ld_requests > 0)
        printf("  loads %.0f x %.4g %s", c->ld_requests, c->ld_sectors / c->ld_requests,
               backend_unit());
    if (c->st_requests > 0)
        printf("  stores %.0f x %.4g %s", c->st_requests, c->st_sectors / c->st_requests,
               backend_unit());
    if (c->tex_requests > 0)
        printf("  textures %.0f", c->tex_requests);
    if (c->shared_requests > 0)
        printf("  shared %.0f x %.4g wavefronts", c->shared_requests,
               c->shared_wavefronts / c->shared_requests);
}

void report_line(const struct measurement *b)
{
    const struct contender *r = b->stage;
    char size[PROBLEM_TEXT], median[32], rate[32], label[sizeof r->stage + sizeof r->name + 1];

    problem_text(&r->problem, size);
    snprintf(label, sizeof label, "%s %s", r->stage, r->name);
    printf("%-20s %s %s, %s", label, type_name(r->problem.type), size, measure_mode(b));
    if (on_cpu_device) {
        line_of_counts(&r->facts.counts);
    } else {
        time_text(r->timing.median, median);
        rate_text(contender_rate(r), rate);
        printf("  %10s  %8s %s", median, rate, week.unit);
        for (int i = 0; i < b->n_refs; i++)
            if (b->ref[i].status == OK)
                printf("  %.3f of %s", contender_rate(r) / contender_rate(&b->ref[i]),
                       b->ref[i].stage);
    }
    putchar('\n');
}

struct recorded {
    const struct contender *runner;
    struct row row;
    char size[SIZE_TEXT], variant[VARIANT_TEXT];
    int found;
};

// Takes the row of a build with the same knobs at the size that the week times on a GPU, or else
// the first one.
static int take_recorded(const struct row *row, void *context)
{
    struct recorded *r = context;
    int wanted = strcmp(row_get(row, "size"), r->size) == 0;

    if (strcmp(row_get(row, "stage"), r->runner->stage) ||
        strcmp(row_get(row, "name"), r->runner->name) ||
        strcmp(row_get(row, "type"), type_name(r->runner->problem.type)) ||
        strcmp(row_get(row, "mode"), "cold") || strcmp(row_get(row, "status"), "ok") ||
        strcmp(row_get(row, "knobs"), r->runner->info->knobs) ||
        strcmp(row_get(row, "variant"), r->variant))
        return 0;
    if (wanted || !r->found)
        r->row = *row;
    r->found = 1;
    return wanted;
}

void report_recorded(const struct contender *runner)
{
    struct recorded r = { .runner = runner };
    char path[PATH_MAX], amount[32];
    double rate;

    size_text(week.gpu_sizes[0], r.size);
    variant_text(&runner->problem, r.variant);
    if (snprintf(path, sizeof path, "%s/../plots/data/h200/%s.%s.tsv", week_folder(), week.name,
                 runner->info->knobs[0] ? "knobs" : "ladder") >= (int)sizeof path)
        return;
    tsv_read(path, take_recorded, &r);
    if (!r.found || !row_number(&r.row, "rate", &rate))
        return;
    rate_text(rate, amount);
    printf("  recorded: %s %s, %s; %s%s%s, cold\n", amount, row_get(&r.row, "unit"),
           row_get(&r.row, "device"), row_get(&r.row, "size"), r.variant[0] ? " " : "", r.variant);
}

// Appends " --pitch 2052 --memory-only" for the words of a variant.
static void add_options(char *text, size_t room, const struct problem *p)
{
    char variant[VARIANT_TEXT], *rest = variant, *word;

    variant_text(p, variant);
    while ((word = strsep(&rest, " ")) != NULL && word[0]) {
        size_t length = strlen(text);
        char *argument = strchr(word, '=');

        snprintf(text + length, room - length, " --%.*s%s%s", (int)strcspn(word, "="), word,
                 argument ? " " : "", argument ? argument + 1 : "");
    }
}

// The command that would measure what a claim lacks.
static void missing(const struct contender *own, const struct claim *c, const struct term *t)
{
    const char *stage = t->stage[0] ? t->stage : own->stage;
    char size[SIZE_TEXT], options[2 * VARIANT_TEXT] = "";
    int count = column_index(t->column) >= column_index("ld_requests") &&
                column_index(t->column) <= column_index("active_lanes");

    size_text(t->problem.dim, size);
    if (t->problem.type != week.types[0])
        snprintf(options, sizeof options, " --type %s", type_name(t->problem.type));
    add_options(options, sizeof options, &t->problem);
    if (strcmp(c->mode, "hot") == 0)
        snprintf(options + strlen(options), sizeof options - strlen(options), " --hot");
    if (count && !c->on_cpu)
        printf("%s is counted by: make profile\n", t->column);
    else if (strncmp(stage, "ref_", 4) == 0)
        printf("no %s of %s: ./%s --size %s%s\n", t->column, stage, own->stage, size, options);
    else
        printf("no %s of %s: make %s%s%s && ./%s --size %s%s\n", t->column, stage, stage,
               t->knobs[0] ? " " : "", t->knobs, stage, size, options);
}

void report_claim(const struct device *d, const struct contender *own, const struct claim *c,
                  const struct claim_result *result)
{
    char size[PROBLEM_TEXT];

    problem_text(&c->problem, size);
    printf("  %-16s ", result->verdict == HOLDS          ? "holds"
                       : result->verdict == NOT_MEASURED ? "not measured yet"
                       : !c->on_cpu && c->sm != d->sm    ? "differs here"
                                                         : "does not hold");
    if (strncmp(own->stage, "stage", 5) != 0)
        printf("%s: ", own->stage);
    printf("%s (%s%s%s): ", c->said, size, c->on_cpu ? "" : ", ", c->on_cpu ? "" : c->mode);
    if (result->verdict == NOT_MEASURED)
        missing(own, c, &result->missing);
    else
        printf("%.7g, %.7g\n", result->left, result->right);
}

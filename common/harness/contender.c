#include "contender.h"

#include <string.h>

#include "call_facts.h"
#include "problem.h"
#include "program.h"
#include "row.h"

void contender_init(struct contender *c, const struct stage_info *info, stage_fn *fn)
{
    *c = (struct contender){ .info = info,
                             .fn = fn,
                             .stage = info->key,
                             .name = info->name,
                             .facts = must_malloc(sizeof *c->facts) };
}

void contender_set(struct contender *c, const struct problem *p)
{
    c->problem = *p;
    c->problem.computes = c->info->computes;
    c->problem.arithmetic = c->info->arithmetic;
    c->arrays = NULL;
    c->status = STATUS_OK;
    c->why = "";
    c->max_error = -1;
    *c->facts = facts_unknown;
    c->timing = (struct timing){
        .us = { .median = -1 }, .graph = { .median = -1 }, .sm_mhz = -1, .watts = -1
    };
}

double contender_rate(const struct contender *c)
{
    // work per microsecond is millions per second; / 1e3: 10^9 per second
    return c->timing.samples ? c->problem.week->work(&c->problem) / c->timing.us.median / 1e3 : 0;
}

static void set_known(struct row *row, enum column column, double value, const char *format)
{
    if (value >= 0)
        row_set_column(row, column, format, value);
}

static void set_times(struct row *row, const struct contender *c)
{
    if (!c->timing.samples)
        return;
    row_set(row, reps, "%d", c->timing.samples);
    set_known(row, COLUMN_median_us, c->timing.us.median, "%.6g");
    set_known(row, COLUMN_p10_us, c->timing.us.p10, "%.6g");
    set_known(row, COLUMN_p90_us, c->timing.us.p90, "%.6g");
    set_known(row, COLUMN_min_us, c->timing.us.min, "%.6g");
    if (c->timing.graph.median > 0) {
        row_set(row, graph_us, "%.6g", c->timing.graph.median);
        row_set(row, graph_p10_us, "%.6g", c->timing.graph.p10);
        row_set(row, graph_p90_us, "%.6g", c->timing.graph.p90);
    }
    set_known(row, COLUMN_rate, contender_rate(c), "%.6g");
    set_known(row, COLUMN_sm_mhz, c->timing.sm_mhz, "%.0f");
    set_known(row, COLUMN_watts, c->timing.watts, "%.0f");
    row_set(row, sets, "%d", c->timing.sets);
    row_set(row, batch, "%d", c->timing.batch);
    row->noisy = c->timing.noisy ? "noisy" : "";
}

static int is_mean(enum column column)
{
    return column == COLUMN_active_lanes || column == COLUMN_copies_in_flight ||
           column == COLUMN_groups_in_flight;
}

static void set_facts(struct row *row, const struct facts *f)
{
    set_known(row, COLUMN_kernels, f->kernels, "%.0f");
    row_set(row, kernel, "%s", f->kernel);
    if (f->kernels > 0) {
        row_set(row, grid, "%ux%ux%u", f->grid[0], f->grid[1], f->grid[2]);
        row_set(row, block, "%ux%ux%u", f->block[0], f->block[1], f->block[2]);
    }
    set_known(row, COLUMN_regs, f->regs, "%.0f");
    set_known(row, COLUMN_shared_bytes, f->shared_bytes, "%.0f");
    set_known(row, COLUMN_blocks_per_sm, f->blocks_per_sm, "%.0f");
#define X(name, says) \
    set_known(row, COLUMN_##name, f->counts.name, is_mean(COLUMN_##name) ? "%.4g" : "%.0f");
    COUNTERS(X)
#undef X
}

struct row contender_row(const struct contender *c, const char *mode)
{
    const struct problem *p = &c->problem;
    const struct week *week = p->week;
    struct row row = row_empty();

    row.stage = c->stage;
    row.name = c->name;
    row.type = type_name(p->type);
    row.arithmetic = c->info->arithmetic;
    row.size = size_text(p);
    row.knobs = c->info->knobs;
    row.variant = variant_text(p);
    row.mode = mode;
    row.status = status_word(c->status);
    row_set(&row, seed, "%llu", (unsigned long long)p->seed);
    row.unit = week->unit;
    if (c->status != STATUS_OK) {
        row_set(&row, why, "%s", c->why);
        return row;
    }
    set_known(&row, COLUMN_max_error, c->max_error, "%.6g");
    row_set(&row, bytes, "%.0f", week->bytes(p));
    if (week->flops)
        row_set(&row, flops, "%.0f", week->flops(p));
    set_times(&row, c);
    set_facts(&row, c->facts);
    return row;
}

#include "contender.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "problem.h"

static const struct facts unknown = {
    .kernels = -1,
    .regs = -1,
    .shared_bytes = -1,
    .blocks_per_sm = -1,
    .counts = { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 },
};

void contender_init(struct contender *r, const struct stage_info *info, stage_fn *fn)
{
    size_t stem = strcspn(info->file, "."), first = strcspn(info->file, "_.");
    int numbered = strncmp(info->file, "stage", 5) == 0 && isdigit((unsigned char)info->file[5]);
    const char *rest = info->file + first + (info->file[first] == '_');

    *r = (struct contender){ .info = info, .fn = fn };
    snprintf(r->stage, sizeof r->stage, "%.*s", (int)(numbered ? first : stem), info->file);
    snprintf(r->name, sizeof r->name, "%.*s", (int)strcspn(rest, "."), rest);
}

void contender_set(struct contender *r, const struct problem *p)
{
    r->problem = *p;
    r->problem.computes = r->info->computes;
    r->problem.arithmetic = r->info->arithmetic;
    r->arrays = NULL;
    r->status = OK;
    r->why[0] = '\0';
    r->max_error = -1;
    r->facts = unknown;
    r->timing = (struct timing){ .median = -1, .p10 = -1, .p90 = -1, .min = -1, .graph = -1 };
}

double contender_rate(const struct contender *r)
{
    // a unit a microsecond is a million a second
    return r->timing.samples ? week.work(&r->problem) / r->timing.median / 1e3 : 0;
}

static void set_known(struct row *row, const char *column, double value, const char *format)
{
    char text[64];

    if (value < 0)
        return;
    snprintf(text, sizeof text, format, value);
    row_set(row, column, "%s", text);
}

static void set_times(struct row *row, const struct contender *r)
{
    if (!r->timing.samples)
        return;
    row_set(row, "reps", "%d", r->timing.samples);
    set_known(row, "median_us", r->timing.median, "%.6g");
    set_known(row, "p10_us", r->timing.p10, "%.6g");
    set_known(row, "p90_us", r->timing.p90, "%.6g");
    set_known(row, "min_us", r->timing.min, "%.6g");
    set_known(row, "graph_us", r->timing.graph, "%.6g");
    set_known(row, "rate", contender_rate(r), "%.6g");
    row_set(row, "sets", "%d", r->timing.sets);
    row_set(row, "batch", "%d", r->timing.batch);
}

static void set_facts(struct row *row, const struct facts *f)
{
    const struct counts *c = &f->counts;

    set_known(row, "kernels", f->kernels, "%.0f");
    row_set(row, "kernel", "%s", f->kernel);
    if (f->kernels > 0) {
        row_set(row, "grid", "%ux%ux%u", f->grid[0], f->grid[1], f->grid[2]);
        row_set(row, "block", "%ux%ux%u", f->block[0], f->block[1], f->block[2]);
    }
    set_known(row, "regs", f->regs, "%.0f");
    set_known(row, "shared_bytes", f->shared_bytes, "%.0f");
    set_known(row, "blocks_per_sm", f->blocks_per_sm, "%.0f");
    set_known(row, "ld_requests", c->ld_requests, "%.0f");
    set_known(row, "ld_sectors", c->ld_sectors, "%.0f");
    set_known(row, "st_requests", c->st_requests, "%.0f");
    set_known(row, "st_sectors", c->st_sectors, "%.0f");
    set_known(row, "ld_bytes", c->ld_bytes, "%.0f");
    set_known(row, "st_bytes", c->st_bytes, "%.0f");
    set_known(row, "tex_requests", c->tex_requests, "%.0f");
    set_known(row, "atomic_requests", c->atomic_requests, "%.0f");
    set_known(row, "shared_requests", c->shared_requests, "%.0f");
    set_known(row, "shared_wavefronts", c->shared_wavefronts, "%.0f");
    set_known(row, "barriers", c->barriers, "%.0f");
    set_known(row, "active_lanes", c->active_lanes, "%.4g");
}

void contender_row(const struct contender *r, const char *mode, struct row *row)
{
    static const char *const words[] = {
        [OK] = "ok", [BROKEN] = "wrong", [SKIPPED] = "skip", [ERROR] = "error"
    };
    char size[SIZE_TEXT], variant[VARIANT_TEXT];

    memset(row, 0, sizeof *row);
    size_text(r->problem.dim, size);
    variant_text(&r->problem, variant);
    row_set(row, "stage", "%s", r->stage);
    row_set(row, "name", "%s", r->name);
    row_set(row, "type", "%s", type_name(r->problem.type));
    row_set(row, "arithmetic", "%s", r->info->arithmetic);
    row_set(row, "size", "%s", size);
    row_set(row, "knobs", "%s", r->info->knobs);
    row_set(row, "variant", "%s", variant);
    row_set(row, "mode", "%s", mode);
    row_set(row, "status", "%s", words[r->status]);
    row_set(row, "seed", "%llu", (unsigned long long)r->problem.seed);
    row_set(row, "unit", "%s", week.unit);
    if (r->status != OK)
        return;
    set_known(row, "max_error", r->max_error, "%.6g");
    row_set(row, "bytes", "%.0f", week.bytes(&r->problem));
    if (week.flops(&r->problem) > 0)
        row_set(row, "flops", "%.0f", week.flops(&r->problem));
    set_times(row, r);
    set_facts(row, &r->facts);
}

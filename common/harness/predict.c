#include "predict.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cuda_runtime_api.h>

#include "backend.h"
#include "call.h"
#include "folders.h"
#include "bound.h"
#include "needs.h"
#include "problem.h"
#include "program.h"
#include "report.h"
#include "select.h"

static const char *folder_of_weeks(void)
{
    char path[PATH_MAX];

    if (week_folder(path) < 0)
        die(STATUS_USAGE, "--for: the program is not where make put it: %s", strerror(errno));
    return text_of("%s/..", path);
}

// The name of a stage's build as a target: stage3, stage3@TILE-16,ROWS-4.
static const char *build_name(const struct stage_info *info)
{
    char *name = text_of("%s%s%s", info->key, info->knobs[0] ? "@" : "", info->knobs);

    for (char *c = strchr(name, '@'); c && *c; c++)
        *c = *c == ' ' ? ',' : *c == '=' ? '-' : *c;
    return name;
}

static const char *folder_of_machines(void)
{
    return text_of("%s/common/machine", folder_of_weeks());
}

void predict_must_know(const char *name)
{
    struct gpu gpu;
    const char *wrong = gpu_find(folder_of_machines(), name, &gpu);

    if (wrong)
        die(STATUS_USAGE, "--for '%s': %s", name, wrong);
}

const char *predict_open(struct player *player, const char *gpu, const struct week *week,
                         const struct stage_info *info)
{
    const char *weeks = folder_of_weeks(), *name = text_of("%s.sass", build_name(info));
    const char *wrong = player_open(player, folder_of_machines(), gpu), *path,
               *source = text_of("%s/%s/%s", weeks, week->name, info->file);

    if (wrong)
        return wrong;
    path = text_of("%s/%s/build/code/%s/%s", weeks, week->name, player->gpu.arch, name);
    if (!(file_time(path) > file_time(source)))
        path = text_of("%s/common/model/code/%s/%s_%s", weeks, player->gpu.arch, week->name, name);
    if (file_time(path) <= 0)
        return text_of("no machine code for %s: make %s FOR=%s builds it with nvcc and nvdisasm "
                       "(docs/start.md)",
                       player->gpu.arch, info->key, gpu);
    wrong = player_read_code(player, path);
    if (!wrong && !model_code_is_of(player->code, source))
        return text_of("the recorded machine code is not of %s as it is now: make %s FOR=%s builds "
                       "it with nvcc and nvdisasm (docs/start.md)",
                       info->file, info->key, gpu);
    return wrong;
}

static struct player *traced;

static void trace_launch(const struct emu_launch *l) { player_trace(traced, l); }

// Executes a call at the CPU device's size. Its second call is the one whose launches count.
const char *predict_estimate(struct player *player, struct contender *c, const char *why)
{
    struct problem p = c->problem;
    void *device[MAX_BUFFERS];
    struct buffer b[MAX_BUFFERS];
    int n;

    size_of_list(p.week->traced_size ? p.week->traced_size : p.week->cpu_size, 0, &p);
    n = p.week->buffers(&p, b);
    for (int i = 0; i < n; i++) {
        cuda_must(cudaMalloc(&device[i], buffer_bytes(&b[i])), "allocating arrays");
        cuda_must(cudaMemset(device[i], 0, buffer_bytes(&b[i])), "clearing arrays");
    }
    traced = player;
    for (int call = 0; call < 2; call++) {
        if (call == 1) {
            player_estimate(player, why);
            emu_on_launch(trace_launch);
        }
        if (call_stage(c->fn, &p, device) != STATUS_OK)
            return text_of("%s", call_why());
    }
    emu_on_launch(NULL);
    emu_record(NULL);
    for (int i = 0; i < n; i++)
        cuda_must(cudaFree(device[i]), "freeing arrays");
    player->traced_work = p.week->work(&p);
    return NULL;
}

// Device arrays for a dry run, in place of those of the problem before: addresses only.
static void **allocate(const struct problem *p)
{
    static void *device[MAX_BUFFERS];
    static int n;
    struct buffer b[MAX_BUFFERS];

    while (n > 0)
        cuda_must(cudaFree(device[--n]), "freeing addresses");
    for (int all = p->week->buffers(p, b); n < all; n++)
        cuda_must(cudaMalloc(&device[n], buffer_bytes(&b[n])), "reserving addresses");
    return device;
}

enum status predict_call(struct contender *c, struct player *player)
{
    const struct gpu *gpu = &player->gpu;
    struct problem p = c->problem;
    void **device;

    if (!needs_met(c->info->needs, gpu->sm)) {
        c->why = text_of("needs %s", c->info->needs);
        return c->status = STATUS_SKIPPED;
    }
    p.sms = (int)gpu->sms;
    emu_dry_run(1);
    emu_l2((size_t)gpu->l2_bytes);
    device = allocate(&p);
    if (player->why_estimated)
        player->more_work = p.week->work(&p) / player->traced_work;
    // the first call allocates and clears scratch memory
    for (int call = 0; call < 2; call++) {
        emu_reset();
        c->status = call_stage(c->fn, &p, device);
    }
    if (c->status != STATUS_OK)
        c->why = text_of("%s", call_why());
    return c->status;
}

// A result table (columns.h), with columns of the model alone.
void predict_print_header(void)
{
    puts("week\tstage\tname\ttype\tsize\tvariant\tdevice\tkernels\tmedian_us\tgraph_us\t"
         "limiter\tinstructions\tregs\tblocks_per_"
         "sm\tassumed\tlacks\tknobs\tmode\tstatus\trate\tunit\t"
         "busiest\twaits\tcode");
}

static struct plays plays_of(const struct contender *c, const struct player *player)
{
    const struct problem *p = &c->problem;
    double in = problem_bytes(p, IN), out = problem_bytes(p, OUT), bytes = p->week->bytes(p);

    // what any solution must move, which of arrays with padding is less than their sizes
    return player_call(player, bytes * in / (in + out), bytes * out / (in + out));
}

// The first thing that the model lacks of a launch; "": nothing.
static const char *lacks(const struct plays *all)
{
    for (int i = 0; i < all->n; i++)
        if (all->of[i].time.lacks[0])
            return all->of[i].time.lacks;
    return "";
}

static const char *number_or_none(double value)
{
    return isfinite(value) && value > 0 ? text_of("%.6g", value) : "";
}

static const char *code_word(const struct player *player)
{
    return player->why_estimated                ? "estimated"
         : model_code_is_recorded(player->code) ? "recorded"
                                                : "compiled";
}

void predict_print_row(const struct contender *c, const struct player *player)
{
    const struct problem *p = &c->problem;
    struct plays all = plays_of(c, player);
    static const struct model_time none;
    const struct model_time *t = !all.n ? &none : &all.of[all.main].time;
    double us = plays_us(&all);

    printf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t", p->week->name, c->stage, c->name,
           type_name(p->type), size_text(p), variant_text(p), model_machine_name(player->machine),
           all.launches, number_or_none(us), number_or_none(all.graph_us));
    printf("%s\t%.0f\t%d\t%d\t%d\t%s\t%s\tmodel\t", all.n ? model_unit_name[t->limiter] : "",
           t->instructions, t->registers, t->blocks_per_sm, all.assumed_branches, lacks(&all),
           c->info->knobs);
    printf("%s\t%s\t%s\t%s\t%s\t%s\n", us > 0 ? "ok" : "skip",
           number_or_none(p->week->work(p) / us / 1e3), p->week->unit,
           all.n ? model_unit_name[t->busiest] : "", t->waits ? t->waits : "", code_word(player));
}

// The recorded row of this stage, problem and GPU; NULL if there is none.
static const struct row *recorded_row(struct table *t, const struct contender *c,
                                      const struct gpu *gpu)
{
    const struct problem *p = &c->problem;
    struct place place = { size_text(p), "cold", type_name(p->type), c->info->knobs,
                           variant_text(p) };
    const struct row *row;

    recorded_read(t, folder_of_weeks(), gpu->name,
                  text_of("%s.%s.tsv", p->week->name, recorded_part(c)));
    row = latest_row(t, c->stage, &place);
    return row && row_is_timed(row) && strcmp(row->name, c->name) == 0 ? row : NULL;
}

static void print_call(const struct contender *c, const struct player *player,
                       const struct plays *all)
{
    const struct week *week = c->problem.week;
    struct table recorded = { 0 };
    const struct row *row = recorded_row(&recorded, c, &player->gpu);

    printf("%.2f us in a stream, %.2f us in a graph: %.4g %s", plays_us(all), all->graph_us,
           week->work(&c->problem) / plays_us(all) / 1e3, week->unit);
    if (row)
        printf("; recorded %.2f us: ratio %.3f", row_number(row, COLUMN_median_us),
               plays_us(all) / row_number(row, COLUMN_median_us));
    putchar('\n');
}

void predict_report(const struct contender *c, const struct player *player)
{
    struct plays all = plays_of(c, player);

    player_print(player, &all);
    printf("    call     %s: ", problem_text(&c->problem));
    print_call(c, player, &all);
}

void predict_line(const struct contender *c, const struct player *player)
{
    struct plays all = plays_of(c, player);

    printf("%-20s %s %s, model of %s: ", text_of("%s %s", c->stage, c->name),
           type_name(c->problem.type), problem_text(&c->problem), player->gpu.name);
    print_call(c, player, &all);
}

void predict_summary(const struct contender *c, const struct player *player)
{
    struct plays all = plays_of(c, player);
    struct table recorded = { 0 };
    const struct row *row = recorded_row(&recorded, c, &player->gpu);

    if (!all.n || lacks(&all)[0])
        return;
    printf("  model    %s on %s, %s; %s", time_text(plays_us(&all)),
           model_machine_name(player->machine), size_text(&c->problem), all.of[all.main].time.why);
    if (row)
        printf("; recorded %s", time_text(row_number(row, COLUMN_median_us)));
    putchar('\n');
}

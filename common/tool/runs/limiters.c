// ladder limiters --to NAME --week WEEK [--ncu NCU]: profiles a week's stages with Nsight Compute.
#define _GNU_SOURCE   // strsep
#include "limiters.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folders.h"
#include "launches.h"
#include "runs.h"
#include "validation.h"

// --- ncu's units in the model's words. Written before any profile was seen.

// The units, by the metrics whose maximum ncu calls compute and memory throughput ("Breakdown"). A
// pattern may stand for several metrics. LSU: L1 or shared memory, whichever has more wavefronts.
static const char LSU[] = "LSU";
static const struct {
    const char *metric, *word;
} units[] = {
    { "sm__issue_active", "instruction issue" },
    { "sm__inst_executed", "instruction issue" },
    { "sm__pipe_fma_cycles_active", "FMA pipe" },
    { "sm__pipe_fmaheavy_cycles_active", "FMA pipe" },
    { "sm__pipe_alu_cycles_active", "ALU pipe" },
    { "sm__inst_executed_pipe_xu", "XU pipe" },
    { "sm__pipe_fp64_cycles_active", "FP64 pipe" },
    { "sm__pipe_tensor*cycles_active", "tensor cores" },
    { "sm__inst_executed_pipe_lsu", LSU },
    { "sm__mio_inst_issued", LSU },
    { "sm__mio2rf_writeback_active", LSU },
    { "l1tex__data_pipe_lsu_wavefronts", LSU },
    { "l1tex__data_bank_reads", LSU },
    { "l1tex__data_bank_writes", LSU },
    { "l1tex__lsuin_requests", LSU },
    { "l1tex__lsu_writeback_active", LSU },
    { "sm__inst_executed_pipe_tex", "texture units" },
    { "l1tex__f_wavefronts", "texture units" },
    { "l1tex__texin_sm2tex_req_cycles_active", "texture units" },
    { "l1tex__tex_writeback_active", "texture units" },
    { "idc__request_cycles_active", "constant cache" },
    { "l1tex__m_xbar2l1tex_read_sectors", "L2" },
    { "l1tex__m_l1tex2xbar_req_cycles_active", "L2" },
    { "lts__t_sectors", "L2" },
    { "lts__t_tag_requests", "L2" },
    { "lts__d_sectors", "L2" },
    { "lts__lts2xbar_cycles_active", "L2" },
    { "lts__xbar2lts_cycles_active", "L2" },
    { "lts__d_atomic_input_cycles_active", "atomics" },
    { "dram__throughput", "DRAM" },
};

// The reasons for which a warp does not issue. That the scheduler issues for others (selected, not
// selected) is none. `stall` is the model's word; without one it does not know the reason. In place
// of a reason, the model may name the unit whose queue the warps wait for.
static const struct {
    const char *reason, *stall, *unit;
} reasons[] = {
    { "long_scoreboard", "long scoreboard", "" },
    { "short_scoreboard", "short scoreboard", "" },
    { "wait", "wait", "" },
    { "barrier", "barrier", "" },
    { "math_pipe_throttle", "math pipe throttle", "FMA pipe,ALU pipe,XU pipe,FP64 pipe" },
    { "lg_throttle", "LG throttle", "L1" },
    { "mio_throttle", "MIO throttle", "shared memory" },
    { "tex_throttle", "", "texture units" },
    { "membar", "membar", "" },
    { "branch_resolving", "branch resolving", "" },
    { "gmma", "math pipe throttle", "tensor cores" },
    { "imc_miss", "", "constant cache" },
    { "dispatch_stall", "", "" },
    { "drain", "", "" },
    { "misc", "", "" },
    { "no_instruction", "", "" },
    { "sleeping", "", "" },
};

enum {
    UNITS = sizeof units / sizeof *units,
    REASONS = sizeof reasons / sizeof *reasons,
    WORDS = 6   // the first columns: week stage name type size kernel
};

#define OF_PEAK ".avg.pct_of_peak_sustained_elapsed"
#define DURATION "gpu__time_duration.sum"
#define WAVEFRONTS "l1tex__data_pipe_lsu_wavefronts.sum"
#define SHARED_WAVEFRONTS "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"

static const char *reason_metric(int r)
{
    return text_of("smsp__average_warps_issue_stalled_%s_per_issue_active.ratio",
                   reasons[r].reason);
}

// The word of a unit's metric; NULL: it is none.
static const char *word_of(const char *metric)
{
    char *base = text_of("%.*s", (int)strcspn(metric, "."), metric);

    for (int u = 0; u < UNITS && same(metric + strlen(base), OF_PEAK); u++)
        if (fnmatch(units[u].metric, base, 0) == 0)
            return units[u].word;
    return NULL;
}

// --- the table

static void take_columns(struct profiled *p, char **name, char **cell, int n)
{
    double wavefronts = NAN, shared = NAN, most = 0;

    for (int c = WORDS; c < n; c++) {
        double value = cell[c][0] ? atof(cell[c]) : NAN;
        const char *word = word_of(name[c]);

        if (same(name[c], DURATION))
            p->us = value / 1e3;
        else if (same(name[c], WAVEFRONTS))
            wavefronts = value;
        else if (same(name[c], SHARED_WAVEFRONTS))
            shared = value;
        else if (word && value > p->percent) {
            p->percent = value;
            p->metric = name[c];
            p->unit = word;
        }
        for (int r = 0; r < REASONS; r++)
            if (same(name[c], reason_metric(r)) && value > most) {
                most = value;
                p->reason = reasons[r].reason;
                p->stall = reasons[r].stall;
            }
    }
    if (p->unit == LSU)
        p->unit = shared > wavefronts / 2 ? "shared memory" : "L1";
}

static int split_cells(char *line, char ***cell)
{
    int n = 0;

    *cell = NULL;
    for (char *one; (one = strsep(&line, "\t")); n++) {
        *cell = grown(*cell, n, sizeof **cell);
        (*cell)[n] = one;
    }
    return n;
}

static void read_profiles(struct profiles *all, const char *path)
{
    char *text = read_text(path), *line, **name = NULL, **cell;
    int n = 0;

    while ((line = strsep(&text, "\n"))) {
        if (line[0] == '#' || !line[0])
            continue;
        if (!name) {
            n = split_cells(line, &name);
            continue;
        }
        if (split_cells(line, &cell) != n || n < WORDS)
            fail("%s: a row has not as many columns as the head: make limiters writes it again",
                 path);
        all->of = grown(all->of, all->n, sizeof *all->of);
        all->of[all->n] = (struct profiled){ cell[0], cell[2], cell[3], cell[4], cell[5], NAN,
                                             "",      "",      "",      "",      0 };
        take_columns(&all->of[all->n++], name, cell, n);
    }
}

struct profiles profiles_read(const char *gpu)
{
    struct files f = files_in(text_of("%s/plots/data/%s", root_folder(), gpu), "*.limiters.txt");
    struct profiles all = { 0 };

    for (size_t i = 0; i < f.n; i++)
        read_profiles(&all, f.path[i]);
    return all;
}

// --- agreement

static int has_name(const char *list, const char *name)
{
    return name[0] && strstr(text_of(",%s,", list), text_of(",%s,", name)) != NULL;
}

int agrees_unit(const struct profiled *p, const char *busiest) { return same(p->unit, busiest); }

int agrees_stall(const struct profiled *p, const char *waits)
{
    return p->stall[0] && same(p->stall, waits);
}

int agrees_limiter(const struct profiled *p, const char *limiter, const char *waits)
{
    if (p->percent >= LIMITER_PERCENT)
        return same(p->unit, limiter);
    for (int r = 0; r < REASONS; r++)
        if (same(reasons[r].reason, p->reason) && has_name(reasons[r].unit, limiter))
            return 1;
    return same(limiter, "latency") && agrees_stall(p, waits);
}

// --- the command

struct profiling {
    const char *ncu, *metrics, *names;   // names: the metrics, with a tab before each
    const char *rows, *done;             // done: "stage0 stage1"
    int n;
};

static int is_known(const char *known, const char *metric)
{
    char *base = text_of("%.*s", (int)strcspn(metric, "."), metric);
    size_t n = strlen(base);

    for (const char *at = known; (at = strstr(at, base)); at++)
        if ((at == known || strchr(" \n", at[-1])) && strchr(" \n\t", at[n]))
            return 1;
    return 0;
}

static void ask_for(struct profiling *p, const char *known, const char *metric)
{
    if (!is_known(known, metric))
        return;
    p->metrics = joined(p->metrics, ",", metric);
    p->names = text_of("%s\t%s", p->names, metric);
}

// The metrics that this GPU has, as `ncu --query-metrics` lists them: a name begins each line.
static void choose_metrics(struct profiling *p, const char *known)
{
    char *copy = text_of("%s", known), *line;

    p->metrics = p->names = "";
    ask_for(p, known, DURATION);
    ask_for(p, known, WAVEFRONTS);
    ask_for(p, known, SHARED_WAVEFRONTS);
    while ((line = strsep(&copy, "\n"))) {
        const char *metric = text_of("%.*s" OF_PEAK, (int)strcspn(line, " \t"), line);

        if (word_of(metric))
            ask_for(p, known, metric);
    }
    for (int r = 0; r < REASONS; r++)
        ask_for(p, known, reason_metric(r));
    if (!p->metrics[0])
        fail("limiters: %s --query-metrics lists none of the metrics: is it Nsight Compute, and is "
             "there a GPU?",
             p->ncu);
}

static const struct measured_launch *longest(const struct measured_launches *all)
{
    const struct measured_launch *l = NULL;

    for (int i = 0; i < all->n; i++)
        if (!l || launch_value(&all->of[i], DURATION) > launch_value(l, DURATION))
            l = &all->of[i];
    return l;
}

// Profiles a stage: one call with cold caches, as ncu flushes them, at the clock that the GPU has.
// Returns whether there is a new row.
static int profile(struct profiling *p, const struct validated *r)
{
    const char *program = text_of("%s/%s/build/gpu/%s", root_folder(), r->week, r->stage);
    struct measured_launches all;
    const struct measured_launch *l;
    const char *row, *names = p->names + 1, *csv;
    int failed;

    if (access(program, X_OK) != 0) {
        printf("%s %s: skipped, this device cannot run it\n", r->week, r->stage);
        return 0;
    }
    csv = output_of(text_of("%s --clock-control none --print-units base --csv --metrics %s %s "
                            "--once --size %s --type %s 2>&1 </dev/null",
                            p->ncu, p->metrics, shell_word(program), r->size, r->type),
                    &failed);
    all = launches_of(csv);
    l = longest(&all);
    if (!l) {
        printf("%s %s: ncu measured no launch: %s\n", r->week, r->stage,
               on_one_line(text_head(csv, 300)));
        return 0;
    }
    row = text_of("%s\t%s\t%s\t%s\t%s\t%.*s", r->week, r->stage, r->name, r->type, r->size,
                  (int)strcspn(l->kernel, "(<"), l->kernel);
    for (const char *end; *names; names = *end ? end + 1 : end) {
        double value;

        end = names + strcspn(names, "\t");
        value = launch_value(l, text_of("%.*s", (int)(end - names), names));
        row = text_of(isnan(value) ? "%s\t" : "%s\t%.5g", row, value);
    }
    p->rows = text_of("%s%s\n", p->rows, row);
    p->n++;
    printf("%s %s: profiled\n", r->week, r->stage);
    return 1;
}

// Written after each stage, so that what is measured is kept if time runs out.
static void write_profiles(const struct profiling *p, const char *to, const char *week)
{
    const char *folder = text_of("%s/plots/data/%s", root_folder(), to);

    mkdir(folder, 0777);
    write_if_changed(text_of("%s/%s.limiters.txt", folder, week),
                     text_of("# %s, driver %s, ncu %s, %s: make limiters TO=%s\n"
                             "week\tstage\tname\ttype\tsize\tkernel%s\n%s",
                             gpu_said("name"), gpu_said("driver_version"),
                             said(text_of("%s --version 2>&1 | tail -n 1", p->ncu)), date_text(),
                             to, p->names, p->rows));
}

// Each stage that was validated, at the first size of the GPU's own table, or of another one's if
// that has no such stage: the default size.
static void profile_all(struct profiling *p, const char *to, const char *week)
{
    int tables;
    struct validation *all = validations_read(NULL, 0, &tables);

    for (int own = 1; own >= 0; own--)
        for (int t = 0; t < tables; t++)
            for (int i = 0; i < all[t].n && same(all[t].gpu, to) == own; i++) {
                const struct validated *r = &all[t].row[i];

                if (r->variant[0] || !same(r->week, week) || has_word(p->done, r->stage))
                    continue;
                p->done = with_word(p->done, r->stage);
                if (profile(p, r))
                    write_profiles(p, to, week);
            }
}

enum status command_limiters(struct arguments a)
{
    const char *to = take_option(&a, "--to"), *ncu = take_option(&a, "--ncu"),
               *week = take_option(&a, "--week");
    struct profiling p = { .ncu = ncu ? ncu : "ncu", .rows = "", .done = "" };
    int failed;

    no_options(&a);
    if (a.n || !to || !week)
        fail("limiters: expected --to NAME --week WEEK [--ncu NCU]");
    must_be_name("--to", to);
    choose_metrics(&p, output_of(text_of("%s --query-metrics 2>&1 </dev/null", p.ncu), &failed));
    profile_all(&p, to, week);
    if (!p.n)
        fail("limiters: no stage of %s was profiled: make limiters TO=%s builds them", week, to);
    return STATUS_OK;
}

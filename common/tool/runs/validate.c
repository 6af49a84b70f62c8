// ladder validate [--gpu NAME] [--estimated]: models every recorded time of the ladders.
#define _GNU_SOURCE   // strsep
#include "runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bound.h"
#include "folders.h"
#include "validation.h"

struct validating {
    struct validation *v;
    struct table recorded;
    struct rates rates;
    struct days days;
    const char *device;
};

// --- the program's answer

const char *model_cell(const char *header, const char *row, const char *column)
{
    char *names = text_of("%s", header), *cells = text_of("%s", row), *name, *cell;

    while ((name = strsep(&names, "\t"))) {
        cell = strsep(&cells, "\t");
        if (same(name, column))
            return cell ? cell : "";
    }
    fail("--model-rows has no column %s", column);
}

// Runs the program for the GPU. Without a time, `lacks` says why.
static void model(const struct validation *v, struct validated *r)
{
    const char *program = text_of("%s/%s/build/cpu/%s", root_folder(), r->week, r->stage);
    char *text, *header, *row;
    int failed;

    if (access(program, X_OK) != 0)
        fail("%s: is not built: make validate builds it", program);
    text = output_of(text_of("%s --for %s%s --size %s --type %s%s%s --model-rows 2>&1 </dev/null",
                             shell_word(program), v->gpu, v->estimated ? " --estimated" : "",
                             r->size, r->type, r->variant[0] ? " --" : "", r->variant),
                     &failed);
    header = strsep(&text, "\n");
    row = text ? strsep(&text, "\n") : "";
    if (failed || !row[0]) {
        r->lacks = on_one_line(header);
        return;
    }
    r->model_us = model_cell(header, row, "median_us");
    r->model_graph_us = model_cell(header, row, "graph_us");
    r->limiter = model_cell(header, row, "limiter");
    r->instructions = model_cell(header, row, "instructions");
    r->lacks = model_cell(header, row, "lacks");
    r->busiest = model_cell(header, row, "busiest");
    r->waits = model_cell(header, row, "waits");
    if (!(atof(r->model_us) > 0))
        r->model_us = r->model_graph_us = "";
}

// --- rows

// Whether a row is one that the model is about: a stage at its default knobs, timed cold.
static int is_modeled(const struct table *t, const struct row *row)
{
    struct place place = { row->size, row->mode, row->type, row->knobs, row->variant };

    return stage_number(row->stage) >= 0 && same(row->mode, "cold") && !row->knobs[0] &&
           !row->variant[0] && row_is_timed(row) && latest_row(t, row->stage, &place) == row;
}

// What ncu counted for this stage and size; "" if it did not.
static const char *counted(const struct validating *a, const struct row *of)
{
    const char *found = "";

    for (size_t i = 0; i < a->recorded.n; i++) {
        const struct row *row = &a->recorded.row[i];

        if (row->instructions[0] && same(row->device, of->device) && same(row->week, of->week) &&
            same(row->stage, of->stage) && same(row->size, of->size) && same(row->type, of->type) &&
            words_same(row->variant, of->variant) && !row->knobs[0])
            found = row->instructions;
    }
    return found;
}

// The half of a stage: lines "WEEK STAGE..." name the tuned ones.
static const char *half(const struct row *row)
{
    struct lines l = lines_of(text_of("%s/plots/data/model/tuned", root_folder()),
                              "plots/data/model/tuned", "WEEK STAGE...");
    const char *line;

    while ((line = next_line(&l)))
        if (same(next_word(&line), row->week) && has_word(line, row->stage))
            return half_word[TUNED];
    return half_word[HELD_OUT];
}

static void add_row(struct validating *a, const struct row *row)
{
    struct bound b = bound_of(&a->rates, row);
    struct validated r = { .week = row->week,
                           .stage = row->stage,
                           .name = row->name,
                           .type = row->type,
                           .size = row->size,
                           .variant = row->variant,
                           .mode = row->mode,
                           .recorded_us = row->median_us,
                           .recorded_graph_us = row->graph_us,
                           .bound_us = isnan(b.us) ? "" : text_of("%.6g", b.us),
                           .model_us = "",
                           .model_graph_us = "",
                           .limiter = "",
                           .instructions = "",
                           .lacks = "",
                           .busiest = "",
                           .waits = "",
                           .recorded_instructions = counted(a, row),
                           .half = half(row) };

    model(a->v, &r);
    days_add(&a->days, row->date);
    a->device = row->device;
    a->v->row = grown(a->v->row, a->v->n, sizeof r);
    a->v->row[a->v->n++] = r;
}

// The modeled rows of a table, of stages that have none so far.
static void add_rows(struct validating *a, const struct table *t)
{
    const char *known = "";

    for (int i = 0; i < a->v->n; i++)
        if (t->n && same(a->v->row[i].week, t->row[0].week))
            known = with_word(known, a->v->row[i].stage);
    for (size_t r = 0; r < t->n; r++)
        if (is_modeled(t, &t->row[r]) && !has_word(known, t->row[r].stage))
            add_row(a, &t->row[r]);
}

// The part `ladder` of a week, and the other parts' rows of stages that it does not have.
static void add_week(struct validating *a, const char *week, const char *path)
{
    struct table ladder = { 0 }, all = { 0 };
    int before = a->v->n, without = 0;

    table_must_read(&ladder, path);
    recorded_read(&all, root_folder(), a->v->gpu, text_of("%s.*.tsv", week));
    a->rates = rates_of(&a->recorded, ladder.n ? ladder.row[0].device : "");
    add_rows(a, &ladder);
    add_rows(a, &all);
    for (int r = before; r < a->v->n; r++)
        without += !a->v->row[r].model_us[0];
    printf("%s %s: %d recorded times, %d without a modeled time\n", a->v->gpu, week,
           a->v->n - before, without);
}

// --- the command

static void add_note(struct validation *v, const char *word, const char *text)
{
    v->note = grown(v->note, v->n_notes, sizeof *v->note);
    v->note[v->n_notes++] = (struct note){ word, text };
}

static void validate(const char *gpu, int estimated, const struct files *ladders)
{
    struct validation v = { .gpu = gpu, .estimated = estimated };
    struct validating a = { .v = &v };

    recorded_read(&a.recorded, root_folder(), gpu, "[0-9]*.tsv");
    recorded_read(&a.recorded, root_folder(), "cpu", "[0-9]*.tsv");
    for (size_t i = 0; i < ladders->n; i++)
        add_week(&a, stem_of(ladders->path[i]), ladders->path[i]);
    add_note(&v, "device", a.device ? a.device : "");
    add_note(&v, "recorded", days_text(&a.days));
    add_note(&v, "date", date_text());
    add_note(
        &v, "command",
        text_of(estimated ? "ladder validate --gpu %s --estimated" : "make validate FOR=%s", gpu));
    validation_save(&v);
}

// The GPUs that were measured, and have recorded ladders.
enum status command_validate(struct arguments a)
{
    const char *asked = take_option(&a, "--gpu");
    struct files machines = files_in(text_of("%s/common/machine", root_folder()),
                                     asked ? text_of("%s.tsv", asked) : "*.tsv");
    int n = 0, estimated = take_flag(&a, "--estimated");

    no_options(&a);
    if (a.n)
        fail("validate: '%s': expected --gpu NAME, --estimated or nothing", a.word[0]);
    for (size_t i = 0; i < machines.n; i++) {
        const char *gpu = stem_of(machines.path[i]);
        struct files ladders = recorded_files(root_folder(), gpu, "[0-9][0-9]_*.ladder.tsv");

        if (ladders.n) {
            validate(gpu, estimated, &ladders);
            n++;
        }
    }
    if (!n)
        fail("validate: %s: expected a GPU with common/machine/NAME.tsv and plots/data/NAME",
             asked ? asked : "no GPU");
    return STATUS_OK;
}

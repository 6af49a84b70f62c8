// ladder modeled --for GPU [--uncoded] STAGE...: the modeled times of this folder's stages, into
// build/model/GPU.ladder.tsv and GPU.shmoo.tsv; with --uncoded, only which of the stages have no
// recorded machine code.
#define _GNU_SOURCE   // strsep
#include "runs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "code.h"
#include "folders.h"
#include "gpu.h"
#include "model.h"

// A table that is made.
struct modeled {
    const char *gpu, *header, *device, *estimated;   // estimated: the stages
    char *rows;
};

// What --model-rows printed for a stage: a header and rows. Returns why it has no time at a size of
// the table; NULL: it has one.
static const char *add_rows(struct modeled *m, const char *stage, char *text)
{
    const char *header = strsep(&text, "\n"), *row, *why = "no row";
    int timed = 0;

    while (text && (row = strsep(&text, "\n"))[0]) {
        if (same(model_cell(header, row, "status"), "ok"))
            timed = 1;
        else
            why = model_cell(header, row, "lacks");
        m->header = header;
        m->device = model_cell(header, row, "device");
        m->rows = text_of("%s%s\n", m->rows, row);
        if (same(model_cell(header, row, "code"), "estimated") && !has_word(m->estimated, stage))
            m->estimated = with_word(m->estimated, stage);
    }
    return timed ? NULL : why;
}

// Of a program's message "SKIP: stage9: needs sm_90", what follows the name.
static const char *after_name(const char *message, const char *stage)
{
    const char *at = strstr(message, text_of("%s: ", stage));

    return at ? at + strlen(stage) + 2 : message;
}

// Models a stage. Returns why it has no time, or NULL.
static const char *model_stage(struct modeled *m, const char *stage, const char *options)
{
    const char *program = text_of("build/cpu/%s", stage);
    int failed;
    char *text;

    if (access(program, X_OK) != 0)
        return "it is not built";
    text = output_of(text_of("./%s --for %s --model-rows%s 2>&1 </dev/null", shell_word(program),
                             shell_word(m->gpu), options),
                     &failed);
    return failed ? after_name(on_one_line(text), stage) : add_rows(m, stage, text);
}

static void save(const struct modeled *m, const char *part)
{
    const char *path = text_of("build/model/%s.%s.tsv", m->gpu, part);

    mkdir("build/model", 0777);
    if (!m->header) {
        remove(path);
        return;
    }
    write_if_changed(path, text_of("# device: %s\n# date: %s\n# command: make plots FOR=%s\n"
                                   "# estimated: %s\n%s\n%s",
                                   m->device, date_text(), m->gpu,
                                   m->estimated[0] ? m->estimated : "none", m->header, m->rows));
}

// The table of a part: of all stages. Prints a line for each that has no time, with the ladder.
static void model_part(const char *gpu, const char *part, const struct arguments *stages)
{
    struct modeled m = { .gpu = gpu, .device = "", .estimated = "", .rows = "" };
    int is_sweep = same(part, "shmoo");

    for (int i = 0; i < stages->n; i++) {
        const char *stage = stages->word[i],
                   *why = model_stage(&m, stage, is_sweep ? " --shmoo" : "");

        if (why && !is_sweep)
            printf("%s: %s is skipped: %s\n", this_week(), stage, why);
        fflush(stdout);
    }
    save(&m, part);
}

// Whether the stage's machine code for this architecture is recorded, and is of its file.
static int is_recorded(const char *arch, const char *stage)
{
    const char *file = stage_file(".", stage),
               *path = text_of("%s/common/model/code/%s/%s_%s.sass", root_folder(), arch,
                               this_week(), stage);
    struct model_code *code = file && access(path, R_OK) == 0 ? model_code_read(path) : NULL;
    int is = code && model_code_is_of(code, file);

    if (code)
        model_code_free(code);
    return is;
}

enum status command_modeled(struct arguments a)
{
    const char *name = take_option(&a, "--for"), *wrong;
    int uncoded = take_flag(&a, "--uncoded");
    struct gpu gpu;

    no_options(&a);
    if (!name || !this_week()[0])
        fail("modeled: expected --for GPU and stages, in the folder of a week");
    wrong = gpu_find(text_of("%s/common/machine", root_folder()), name, &gpu);
    if (wrong)
        fail("--for '%s': %s", name, wrong);
    if (uncoded) {
        for (int i = 0; i < a.n; i++)
            if (!is_recorded(gpu.arch, a.word[i]))
                puts(a.word[i]);
        return STATUS_OK;
    }
    model_part(name, "ladder", &a);
    model_part(name, "shmoo", &a);
    return STATUS_OK;
}

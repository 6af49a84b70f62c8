// The targets of make and what else its command line may contain: the table is the makefiles
// themselves, in which "## text" follows each target that users call.
#define _GNU_SOURCE   // strsep
#include "runs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "terminal.h"

struct target {
    const char *name, *text;
};

struct targets {
    struct target *of;
    int n;
};

static const char *text_of_target(const struct targets *t, const char *name)
{
    for (int i = 0; i < t->n; i++)
        if (strcmp(t->of[i].name, name) == 0)
            return t->of[i].text;
    return NULL;
}

static void add(struct targets *t, const char *name, size_t n, const char *text)
{
    struct target new = { text_of("%.*s", (int)n, name), text };

    if (text_of_target(t, new.name))
        return;
    t->of = grown(t->of, t->n, sizeof *t->of);
    t->of[t->n++] = new;
}

// "name: ... ## text" and, for targets without a rule of this name, "## name: text"; the text may
// go on after "##  ". A part of the file `runs` is a target, too; the comment above it is its text.
static void add_targets(struct targets *t, const char *path)
{
    char *rest = access(path, R_OK) == 0 ? read_text(path) : NULL, *line, *comment = NULL;
    int parts = strcmp(path, "runs") == 0;

    while ((line = strsep(&rest, "\n"))) {
        char *text = strstr(line, "## "), *name = text == line ? line + 3 : line;
        size_t n = strcspn(name, parts ? " \t" : " :");

        if (!parts && strncmp(line, "##  ", 4) == 0 && t->n)
            t->of[t->n - 1].text = text_of("%s %s", t->of[t->n - 1].text, trimmed(line + 2));
        else if (parts && comment && isalpha((unsigned char)line[0]))
            add(t, line, n, comment);
        else if (!parts && text && isalnum((unsigned char)name[0]) && name[n] == ':')
            add(t, name, n, text == line ? name + n + 2 : text + 3);
        comment = line[0] == '#' ? trimmed(line + 1) : NULL;
    }
}

// Those of the top folder or of every week; `here`: and of the week in this folder.
static struct targets targets_of(int top, int here)
{
    static const char *const files[] = { "targets", "exercise", "tools" };
    struct targets t = { 0 };

    if (here && !top)
        add_targets(&t, "Makefile");
    for (int i = 0; i < (top ? 1 : 3); i++)
        add_targets(&t, top ? text_of("%s/Makefile", root_folder())
                            : text_of("%s/common/make/%s.mk", root_folder(), files[i]));
    if (here && !top)
        add_targets(&t, "runs");
    return t;
}

const char *target_names(void)
{
    struct targets t = targets_of(0, 1);
    const char *names = "";

    for (int i = 0; i < t.n; i++)
        names = with_word(names, t.of[i].name);
    return names;
}

// ladder help [--top]: lists the targets of make, in lines that fit the terminal.
enum status command_help(struct arguments a)
{
    struct targets t = targets_of(take_flag(&a, "--top"), 1);

    no_options(&a);
    if (!isatty(STDOUT_FILENO))
        setenv("COLUMNS", "100", 0);
    fit_terminal();
    for (int i = 0; i < t.n; i++)
        printf("  %-14s %s\n", t.of[i].name, t.of[i].text);
    puts("\n  DEVICE=gpu|cpu   the CPU device needs no GPU and no CUDA; default: gpu if nvcc and a "
         "GPU are found\n"
         "  ARCH=sm_90       what to compile for; default: this machine's GPU, otherwise the "
         "oldest that nvcc supports\n"
         "  RUN=\"srun ...\"   prefix of every run, for clusters; implies DEVICE=gpu\n"
         "  STAGES=\"stage3 stage4\"   only these stages\n"
         "  V=1              show the commands");
    return STATUS_OK;
}

// --- words of make's command line that are wrong

struct command_line {
    const char *unknown;    // goals that make has no rule for
    const char *goals;      // all of them, and STAGE
    const char *stages;     // of STAGES
    const char *programs;   // demonstrations and references of the week
    const char *weeks;      // at the top; NULL in a week
    int lists;              // a knob may have a list of values
};

// What follows "make NAME" in the text of a target: " STAGE=stage3".
static const char *example_of(const char *name, const char *text)
{
    const char *call = text_of("make %s ", name), *at = strstr(text, call);

    at = at ? at + strlen(call) - 1 : "";
    return text_of("%.*s", (int)strcspn(at, ";"), at);
}

static int begins(const char *text, const char *list)
{
    const char *word;

    while ((word = next_word(&list)))
        if (strncasecmp(text, word, strlen(word)) == 0)
            return 1;
    return 0;
}

static const char *wrong_in_week(const struct command_line *c, const char *goal)
{
    struct targets top = targets_of(1, 0);
    const char *text = text_of_target(&top, goal);

    if (stage_file(".", goal) || has_word(target_names(), goal))
        return NULL;   // new since make read the rules
    if (begins(goal, "exercise"))
        return "exercises are numbered; make exercise lists them, and make exercise N=1 writes the "
               "file of one to solve";
    if (begins(goal, "stage"))
        return text_of("there is no such stage here; there are %s", stages_here());
    if (begins(goal, "demo ref"))
        return text_of("there is no such program here; there are %s", c->programs);
    if (text)
        return text_of("a target of the top folder; expected, for example, make -C .. %s%s", goal,
                       example_of(goal, text));
    return "there is no such target; make help lists them";
}

static const char *wrong_at_top(const struct command_line *c, const char *goal)
{
    const char *weeks = c->weeks, *first = next_word(&weeks), *week = first, *example = "", *says;
    struct targets all = targets_of(0, 0);
    const char *text = text_of_target(&all, goal);

    if (strchr(goal, '/'))
        return text_of("there is no week %.*s here; there are %s", (int)strcspn(goal, "/"), goal,
                       c->weeks);
    if (text) {
        int numbered = strstr(text, "exercise") && strstr(text, "N=");

        says = numbered ? "exercises are numbered in each week" : "a target of a week";
        example = numbered ? " N=1" : example_of(goal, text);
    } else if (begins(goal, "stage ref_ demo_ exercise")) {
        while (week && !stage_file(week, goal))
            week = next_word(&weeks);
        says = week ? "programs are built in the folder of a week" : "no week has it";
        goal = week ? goal : "stage3";
        week = week ? week : first;
    } else
        return "there is no such target; make help lists them";
    return text_of("%s; expected, for example, make %s/%s%s", says, week, goal, example);
}

// The knobs of these programs in a folder.
static const char *knobs_of(const char *folder, const char *programs)
{
    const char *knobs = "", *program;

    while ((program = next_word(&programs)))
        if (stage_file(folder, program))
            knobs = with_word(knobs, head_of(stage_file(folder, program)).knobs);
    return knobs;
}

static const char *wrong_knob(const struct command_line *c, const char *word)
{
    const char *list, *name, *value = strchr(word, '=') + 1;
    const char *knob = text_of("%.*s", (int)(value - word - 1), word);
    int programs = 0;

    if (!value[0] || !matches(value, c->lists ? "^[A-Za-z0-9_.+,-]*$" : "^[A-Za-z0-9_.+-]*$"))
        return text_of("%s: a knob takes one word of letters, digits and _ . + -", word);
    for (list = c->goals; (name = next_word(&list));) {
        const char *has = knobs_of(".", name);

        programs += stage_file(".", name) != NULL;
        if (stage_file(".", name) && !has_word(has, knob))
            return text_of("%s has no knob %s; it has %s", name, knob, has[0] ? has : "none");
    }
    if (!programs && !has_word(knobs_of(".", with_word(c->stages, c->programs)), knob))
        return text_of("no stage here has a knob %s", knob);
    return NULL;
}

static const char *wrong_setting(const struct command_line *c, const char *word)
{
    const char *weeks = c->weeks, *week;

    while ((week = next_word(&weeks))) {
        struct arguments files = files_like(week, "stage*.cu");

        for (int i = 0; i < files.n; i++)
            if (has_word(head_of(files.word[i]).knobs,
                         text_of("%.*s", (int)strcspn(word, "="), word)))
                return NULL;
    }
    return text_of("%s: make has no such setting, and no stage has this knob; make help lists the "
                   "settings",
                   word);
}

// ladder words --out FILE [--top WEEKS] [--lists] --unknown GOALS --goals GOALS --stages STAGES
// --programs PROGRAMS -- KNOB=VALUE...: writes a makefile that defines wrong_word: the first word
// of make's command line that is wrong, and what is accepted.
enum status command_wrong_words(struct arguments a)
{
    const char *path = take_option(&a, "--out"), *wrong = NULL, *word;
    struct command_line c = { take_option(&a, "--unknown"), take_option(&a, "--goals"),
                              take_option(&a, "--stages"),  take_option(&a, "--programs"),
                              take_option(&a, "--top"),     take_flag(&a, "--lists") };
    const char *unknown = c.unknown, *stages = c.weeks ? "" : c.stages;

    no_options(&a);
    if (!path || !unknown || !stages || !a.n)
        fail("words: expected the options that make gives, and -- KNOB=VALUE...");
    while (!wrong && (word = next_word(&unknown))) {
        wrong = c.weeks ? wrong_at_top(&c, word) : wrong_in_week(&c, word);
        wrong = wrong ? text_of("%s: %s", word, wrong) : NULL;
    }
    while (!wrong && (word = next_word(&stages)))
        if (!has_word(stages_here(), word))
            wrong = text_of("STAGES: there is no %s here; there are %s", word, stages_here());
    for (int i = 1; i < a.n && !wrong; i++)
        wrong = c.weeks ? wrong_setting(&c, a.word[i]) : wrong_knob(&c, a.word[i]);
    write_if_changed(
        path, text_of("define wrong_word\n%s\nendef\n# %s\n", wrong ? wrong : "", a.word[0]));
    return STATUS_OK;
}

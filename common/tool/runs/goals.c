// The targets of make and what else its command line may contain: the table is the makefiles
// themselves, in which "## text" follows each target that users call.
#define _GNU_SOURCE   // strsep
#include "runs.h"

#include <ctype.h>
#include <stdio.h>
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

static const struct target *find(const struct targets *t, const char *name)
{
    for (int i = 0; i < t->n; i++)
        if (strcmp(t->of[i].name, name) == 0)
            return &t->of[i];
    return NULL;
}

static void add(struct targets *t, const char *name, size_t n, const char *text)
{
    struct target new = { text_of("%.*s", (int)n, name), text };

    if (find(t, new.name))
        return;
    t->of = grown(t->of, t->n, sizeof *t->of);
    t->of[t->n++] = new;
}

// "name: ... ## text" and, for targets without a rule of this name, "## name: text".
static void add_makefile(struct targets *t, const char *path)
{
    char *rest = access(path, R_OK) == 0 ? read_text(path) : NULL, *line;

    while ((line = strsep(&rest, "\n"))) {
        char *text = strstr(line, "## "), *colon = strchr(line, ':');

        if (!text || !colon)
            continue;
        if (text == line && strcspn(line + 3, " ") == (size_t)(colon - line - 2))
            add(t, line + 3, colon - line - 3, colon + 2);
        else if (isalpha((unsigned char)line[0]) && strcspn(line, " :%$") == (size_t)(colon - line))
            add(t, line, colon - line, text + 3);
    }
}

// A part of `runs` is a target, too; the comment above it is its text.
static void add_parts(struct targets *t)
{
    char *rest = access("runs", R_OK) == 0 ? read_text("runs") : NULL, *line, *comment = NULL;

    while ((line = strsep(&rest, "\n"))) {
        if (line[0] == '#') {
            comment = trimmed(line + 1);
            continue;
        }
        if (comment && line[0])
            add(t, line, strcspn(line, " \t"), comment);
        comment = NULL;
    }
}

static struct targets targets_of_top(void)
{
    struct targets t = { 0 };

    add_makefile(&t, text_of("%s/Makefile", root_folder()));
    return t;
}

// Those of every week and, in the folder of a week, its own.
static struct targets targets_of_week(int here)
{
    static const char *const files[] = { "targets", "exercise", "tools" };
    struct targets t = { 0 };

    if (here)
        add_makefile(&t, "Makefile");
    for (int i = 0; i < 3; i++)
        add_makefile(&t, text_of("%s/common/make/%s.mk", root_folder(), files[i]));
    add_parts(&t);
    return t;
}

const char *target_names(void)
{
    struct targets t = targets_of_week(1);
    const char *names = "";

    for (int i = 0; i < t.n; i++)
        names = with_word(names, t.of[i].name);
    return names;
}

// ladder help [--top]: lists the targets of make, in lines that fit the terminal.
enum status command_help(struct arguments a)
{
    struct targets t = take_flag(&a, "--top") ? targets_of_top() : targets_of_week(1);

    no_options(&a);
    if (!isatty(STDOUT_FILENO))
        setenv("COLUMNS", "100", 0);
    fit_terminal();
    for (int i = 0; i < t.n; i++)
        printf("  %-14s %s\n", t.of[i].name, t.of[i].text);
    puts("\n"
         "  DEVICE=gpu|cpu   the CPU device needs no GPU and no CUDA; default: gpu if nvcc and a "
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
    const char *goals;      // programs among the goals, and STAGE
    const char *stages;     // of STAGES
    const char *programs;   // demonstrations and references of the week
    const char *weeks;      // at the top; NULL in a week
    int lists;              // a knob may have a list of values
    struct arguments knobs;
};

// What follows "make NAME" in the text of a target: " STAGE=stage3".
static const char *example_of(const struct target *t)
{
    const char *at = strstr(t->text, text_of("make %s ", t->name));

    if (!at)
        return "";
    at += strlen(t->name) + 5;
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

static const char *wrong_in_week(const struct command_line *w, const char *goal)
{
    struct targets top = targets_of_top();
    const struct target *t = find(&top, goal);

    if (stage_file(".", goal))
        return NULL;   // new since make read the rules
    if (begins(goal, "exercise"))
        return "exercises are numbered; make exercise lists them, and make exercise N=1 writes the "
               "file of one to solve";
    if (begins(goal, "stage"))
        return text_of("there is no such stage here; there are %s", stages_here());
    if (begins(goal, "demo ref"))
        return text_of("there is no such program here; there are %s", w->programs);
    if (t)
        return text_of("a target of the top folder; expected, for example, make -C .. %s%s", goal,
                       example_of(t));
    return "there is no such target; make help lists them";
}

// The first week that has a program; NULL if none has.
static const char *week_with(const char *weeks, const char *program)
{
    const char *week;

    while ((week = next_word(&weeks)))
        if (stage_file(week, program))
            return week;
    return NULL;
}

static const char *wrong_at_top(const struct command_line *w, const char *goal)
{
    const char *first = next_word(&(const char *){ w->weeks }), *week = week_with(w->weeks, goal);
    struct targets all = targets_of_week(0);
    const struct target *t = find(&all, goal);

    if (strchr(goal, '/'))
        return text_of("there is no week %.*s here; there are %s", (int)strcspn(goal, "/"), goal,
                       w->weeks);
    if (t && strstr(t->text, "exercise") && strstr(t->text, "N="))
        return text_of("exercises are numbered in each week; expected, for example, make %s/%s N=1",
                       first, goal);
    if (t)
        return text_of("a target of a week; expected, for example, make %s/%s%s", first, goal,
                       example_of(t));
    if (week)
        return text_of("programs are built in the folder of a week; expected, for example, make "
                       "%s/%s",
                       week, goal);
    if (begins(goal, "stage ref_ demo_ exercise"))
        return text_of("no week has it; expected, for example, make %s/stage3", first);
    return "there is no such target; make help lists them";
}

static int some_has_knob(const char *programs, const char *knob)
{
    const char *program;

    while ((program = next_word(&programs))) {
        const char *file = stage_file(".", program);

        if (file && has_word(head_of(file).knobs, knob))
            return 1;
    }
    return 0;
}

static const char *wrong_knob(const struct command_line *w, const char *word)
{
    size_t n = strcspn(word, "=");
    const char *knob = text_of("%.*s", (int)n, word), *value = word + n + 1, *list, *name;
    int programs = 0;

    if (w->weeks) {
        for (list = w->weeks; (name = next_word(&list));)
            for (int i = 0; i < files_like(name, "stage*.cu").n; i++)
                if (has_word(head_of(files_like(name, "stage*.cu").word[i]).knobs, knob))
                    return NULL;
        return text_of("%s: make has no such setting, and no stage has this knob; make help lists "
                       "the settings",
                       word);
    }
    if (!value[0] || !matches(value, w->lists ? "^[A-Za-z0-9_.+,-]*$" : "^[A-Za-z0-9_.+-]*$"))
        return text_of("%s: a knob takes one word of letters, digits and _ . + -", word);
    for (list = w->goals; (name = next_word(&list));) {
        const char *file = stage_file(".", name), *has = file ? head_of(file).knobs : "";

        if (file && !has_word(has, knob))
            return text_of("%s has no knob %s; it has %s", name, knob, has[0] ? has : "none");
        programs += file != NULL;
    }
    if (!programs && !some_has_knob(w->stages, knob) && !some_has_knob(w->programs, knob))
        return text_of("no stage here has a knob %s", knob);
    return NULL;
}

// What is wrong first, or NULL.
static const char *wrong_word(const struct command_line *w)
{
    const char *list, *word, *wrong;

    for (list = w->unknown; (word = next_word(&list));)
        if ((wrong = w->weeks ? wrong_at_top(w, word) : wrong_in_week(w, word)))
            return text_of("%s: %s", word, wrong);
    for (list = w->weeks ? "" : w->stages; (word = next_word(&list));)
        if (!has_word(stages_here(), word))
            return text_of("STAGES: there is no %s here; there are %s", word, stages_here());
    for (int i = 0; i < w->knobs.n; i++)
        if ((wrong = wrong_knob(w, w->knobs.word[i])))
            return wrong;
    return NULL;
}

// ladder words --out FILE [--top WEEKS] [--lists] --unknown GOALS --goals PROGRAMS --stages STAGES
// --programs PROGRAMS -- KNOB=VALUE...: writes a makefile that defines wrong_word, with the first
// word of make's command line that is wrong and what is accepted.
enum status command_words(struct arguments a)
{
    const char *path = take_option(&a, "--out"), *wrong;
    struct command_line w = { .weeks = take_option(&a, "--top"),
                              .lists = take_flag(&a, "--lists") };
    const char **lists[] = { &w.unknown, &w.goals, &w.stages, &w.programs };
    static const char *const names[] = { "--unknown", "--goals", "--stages", "--programs" };
    FILE *out;

    for (int i = 0; i < 4; i++) {
        const char *list = take_option(&a, names[i]);

        *lists[i] = list ? list : "";
    }
    no_options(&a);
    if (!path || !a.n)
        fail("words: expected --out FILE and -- KNOB=VALUE...");
    w.knobs = (struct arguments){ a.n - 1, a.word + 1 };
    wrong = wrong_word(&w);
    out = fopen(path, "w");
    if (!out || fprintf(out, "define wrong_word\n%s\nendef\n", wrong ? wrong : "") < 0 ||
        fclose(out) != 0)
        fail("%s: cannot be written", path);
    return STATUS_OK;
}

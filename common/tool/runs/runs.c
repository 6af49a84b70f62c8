#include "runs.h"

#include <limits.h>
#include <string.h>

enum { MOST_WORDS = 256 };

struct words {
    const char *word[MOST_WORDS];
    int n;
};

static void keep_word(struct words *w, const char *word)
{
    if (w->n == MOST_WORDS)
        fail("more than %d words in a run", MOST_WORDS);
    w->word[w->n++] = word;
}

static struct words split(const char *text)
{
    struct words w = { .n = 0 };

    for (const char *word; (word = next_word(&text));)
        keep_word(&w, word);
    return w;
}

// A line, split into its parts.
struct run_line {
    const char *columns;
    struct words programs, knobs, options;   // an option and its value are one word
};

static struct run_line part_of_words(const struct words *w, int first)
{
    struct run_line line = { .columns = NULL };
    int i = first;

    if (i < w->n && (strcmp(w->word[i], "ncu") == 0 || strncmp(w->word[i], "ncu=", 4) == 0)) {
        line.columns = w->word[i++] + 3;
        line.columns += *line.columns == '=';
        ncu_must_count(line.columns);
    }
    for (; i < w->n && !word_is_knob(w->word[i]) && w->word[i][0] != '-'; i++)
        keep_word(&line.programs, w->word[i]);
    for (; i < w->n && word_is_knob(w->word[i]); i++)
        keep_word(&line.knobs, w->word[i]);
    for (; i < w->n; i++) {
        if (w->word[i][0] != '-')
            fail("runs: '%s': expected an option", w->word[i]);
        if (i + 1 < w->n && w->word[i + 1][0] != '-') {
            keep_word(&line.options, text_of("%s %s", w->word[i], w->word[i + 1]));
            i++;
        } else
            keep_word(&line.options, w->word[i]);
    }
    return line;
}

// Options of the command line replace those of the same name. Others are added for stages only,
// because other programs may not have them.
static void override(struct run_line *line, const struct run_line *by)
{
    int stages = line->programs.n && strncmp(line->programs.word[0], "stage", 5) == 0;

    for (int i = 0; i < by->options.n; i++) {
        size_t n = strcspn(by->options.word[i], " ");
        int at = 0;

        while (at < line->options.n &&
               (strcspn(line->options.word[at], " ") != n ||
                strncmp(line->options.word[at], by->options.word[i], n) != 0))
            at++;
        if (at == line->options.n && stages)
            keep_word(&line->options, "");
        if (at < line->options.n)
            line->options.word[at] = by->options.word[i];
    }
}

// The programs that a word stands for.
static void expand_program(const struct machine *b, const char *word, struct words *out)
{
    struct words stages = split(stages_here());
    const char *dash = strchr(word, '-');
    int from = strcmp(word, "stages") == 0 ? 0 : -1, to = INT_MAX, found = 0;

    if (dash)
        from = stage_number(text_of("%.*s", (int)(dash - word), word));
    if (dash && dash[1])
        to = stage_number(text_of("stage%s", dash + 1));
    if (dash && (from < 0 || to < from))
        fail("runs: '%s': expected numbers of stages beside the -: stage8- or stage8-12", word);
    for (int i = 0; i < stages.n; i++) {
        int number = stage_number(stages.word[i]);

        if (from >= 0 ? number < from || number > to : strcmp(stages.word[i], word) != 0)
            continue;
        found = 1;
        if (!b->only[0] || has_word(b->only, stages.word[i]))
            keep_word(out, stages.word[i]);
    }
    if (from < 0 && stage_number(word) < 0)
        keep_word(out, word);
    else if (!found)
        fail("runs: there is no %s here; there are: %s", word, stages_here());
}

void runs_add(struct runs *runs, struct run run)
{
    runs->run = grown(runs->run, runs->n, sizeof *runs->run);
    runs->run[runs->n++] = run;
}

// Adds a run for every combination of the values in words i and later. A word ends with its list of
// values: "TILE=16,32" or "--size 64,128".
static void add_combinations(struct runs *runs, struct run run, const struct words *w, int i)
{
    const char *list, *at, **to;
    size_t n;

    if (i == w->n) {
        runs_add(runs, run);
        return;
    }
    list = w->word[i] + strcspn(w->word[i], "= ");
    list += *list != '\0';
    to = word_is_knob(w->word[i]) ? &run.knobs : &run.options;
    for (at = list;; at += n + 1) {
        const char *before = *to;

        n = strcspn(at, ",");
        *to = with_word(before,
                        text_of("%.*s%.*s", (int)(list - w->word[i]), w->word[i], (int)n, at));
        add_combinations(runs, run, w, i + 1);
        *to = before;
        if (!at[n])
            return;
    }
}

// Adds those of the given knobs that a program has.
static void add_knobs(struct words *words, const struct machine *b, const char *program)
{
    const char *given = b->knobs, *word, *file = given[0] ? stage_file(".", program) : NULL;
    const char *knobs = file ? head_of(file).knobs : "";

    while ((word = next_word(&given)))
        if (has_word(knobs, text_of("%.*s", (int)strcspn(word, "="), word)))
            keep_word(words, word);
}

static void add_runs_of(struct runs *runs, const struct run_line *line, const struct machine *b)
{
    struct words programs = { .n = 0 };

    for (int i = 0; i < line->programs.n; i++)
        expand_program(b, line->programs.word[i], &programs);
    for (int i = 0; i < programs.n; i++) {
        struct words rest = line->knobs;

        add_knobs(&rest, b, programs.word[i]);
        for (int o = 0; o < line->options.n; o++)
            keep_word(&rest, line->options.word[o]);
        add_combinations(runs, (struct run){ line->columns, programs.word[i], "", "" }, &rest, 0);
    }
}

void runs_of_line(struct runs *runs, const char *text, const struct machine *b)
{
    struct words w = split(text);
    struct run_line line = part_of_words(&w, 0);

    add_runs_of(runs, &line, b);
}

// The lines of the file, without its comments. Ends the program if one is malformed.
static struct words *lines_of_file(int *n)
{
    static const char accepted[] = "PART gpu|cpu|any PROGRAM...";
    struct lines file = lines_of("runs", "runs", accepted);
    struct words *lines = NULL;
    char *line;

    *n = 0;
    while ((line = next_line(&file))) {
        struct words w = split(line);

        if (w.n < 3 || !has_word("gpu cpu any", w.word[1]) || part_of_words(&w, 2).programs.n == 0)
            fail("%s: '%s': expected %s", file.where, text_head(line, 60), accepted);
        must_be_name(file.where, w.word[0]);
        lines = grown(lines, *n, sizeof *lines);
        lines[(*n)++] = w;
    }
    return lines;
}

static int is_for(const struct words *w, const char *device)
{
    return strcmp(w->word[1], "any") == 0 || strcmp(w->word[1], device) == 0;
}

int runs_of_part(struct runs *runs, const char *part, const char *options, const struct machine *b)
{
    struct words given = split(options);
    struct run_line by = part_of_words(&given, 0);
    int n, found = 0;
    struct words *lines = lines_of_file(&n);

    for (int i = 0; i < n; i++) {
        struct run_line line = part_of_words(&lines[i], 2);

        if (strcmp(lines[i].word[0], part) != 0 || !is_for(&lines[i], b->device))
            continue;
        override(&line, &by);
        add_runs_of(runs, &line, b);
        found++;
    }
    return found;
}

const char *parts_of_file(const char *device)
{
    const char *parts = "";
    int n;
    struct words *lines = lines_of_file(&n);

    for (int i = 0; i < n; i++)
        if ((!device || is_for(&lines[i], device)) && !has_word(parts, lines[i].word[0]))
            parts = with_word(parts, lines[i].word[0]);
    return parts;
}

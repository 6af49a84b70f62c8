#include "figures.h"

#include <string.h>

#include "claim.h"

// What each line of a figure holds.
enum holds { TEXT, QUANTITY, CONDITION, WORDS };
static const struct {
    const char *word;
    enum holds holds;
    const char *accepted;   // words
} words[] = {
    { "part", TEXT, NULL },
    { "kind", WORDS, "bars curves points map" },
    { "modes", WORDS, "cold hot count check occupancy" },
    { "over", WORDS, "sizes seeds knobs settings variants demos" },
    { "cpu", WORDS, "first last" },
    { "show", WORDS, "stages references copy peak published beside" },
    { "size", WORDS, "published" },
    { "type", TEXT, NULL },
    { "unless", CONDITION, NULL },
    { "value", QUANTITY, NULL },
    { "x", QUANTITY, NULL },
    { "line", QUANTITY, NULL },
    { "mark", QUANTITY, NULL },
    { "theory", QUANTITY, NULL },
    { "roof", QUANTITY, NULL },
    { "odd", TEXT, NULL },
    { "title", CONDITION, NULL },
    { "what", TEXT, NULL },
    { "how", TEXT, NULL },
    { "read", TEXT, NULL },
};
enum { N_WORDS = sizeof words / sizeof *words };

static struct quantity quantity_of(const struct figure_line *line)
{
    const char *end, *text, *error = expression_parse(line->text, &end);
    struct quantity q;

    if (error)
        fail("%s: %s: %s", line->where, line->word, error);
    text = strchr(end, ':');
    while (end > line->text && end[-1] == ' ')
        end--;
    q.expression = text_of("%.*s", (int)(end - line->text), line->text);
    q.options = text ? text_of("%.*s", (int)(text - end), end) : end;
    q.text = text ? text + 1 + strspn(text + 1, " ") : "";
    return q;
}

static void check_line(const struct figure_line *line, int w)
{
    const char *list = line->text, *word, *error;
    struct claim claim;

    switch (words[w].holds) {
    case TEXT: break;
    case QUANTITY: quantity_of(line); break;
    case CONDITION:
        error = claim_parse_condition(text_of("%.*s", (int)strcspn(list, ":"), list), &claim);
        if (error)
            fail("%s: %s: %s", line->where, line->word, error);
        if (strcmp(line->word, "unless") == 0 && !strstr(list, " > "))
            fail("%s: unless: '%s': expected EXPRESSION > EXPRESSION", line->where, list);
        break;
    case WORDS:
        while ((word = next_word(&list)))
            if (!has_word(words[w].accepted, word))
                fail("%s: %s: '%s': expected of: %s", line->where, line->word, word,
                     words[w].accepted);
    }
}

static struct figure *figure_named(struct figures *all, const char *name)
{
    for (int i = 0; i < all->n; i++)
        if (strcmp(all->of[i].name, name) == 0)
            return &all->of[i];
    all->of = grown(all->of, all->n, sizeof *all->of);
    all->of[all->n] = (struct figure){ .name = name };
    return &all->of[all->n++];
}

static void add_line(struct figure *f, const char *text, const char *where)
{
    size_t n = strcspn(text, " \t");
    struct figure_line line = { text_of("%.*s", (int)n, text), text + n, where };
    const char *known = "";
    int w = 0;

    line.text += strspn(line.text, " \t");
    while (w < N_WORDS && strcmp(words[w].word, line.word) != 0)
        known = with_word(known, words[w++].word);
    if (w == N_WORDS)
        fail("%s: '%s': expected of: %s", where, line.word, known);
    if (!line.text[0])
        fail("%s: %s: expected a text after it", where, line.word);
    check_line(&line, w);
    f->line = grown(f->line, f->lines, sizeof *f->line);
    f->line[f->lines++] = line;
}

static void read_figures(struct figures *all, const char *name)
{
    struct lines lines = lines_of(text_of("%s/%s", root_folder(), name), name);
    struct figure *f = NULL;
    char *line;

    while ((line = next_line(&lines)))
        if (strncmp(line, "figure ", 7) == 0)
            f = figure_named(all, line + 7 + strspn(line + 7, " "));
        else if (!f)
            fail("%s: '%s': expected 'figure NAME' before it", lines.where, line);
        else
            add_line(f, line, lines.where);
}

struct figures figures_of(const char *week)
{
    struct figures all = { 0 }, common = { 0 }, sorted = { 0 };
    struct arguments weeks = { 1, (char *[]){ (char *)week } };

    if (!week[0])
        weeks = files_like(root_folder(), "[0-9][0-9]_*");
    for (int i = 0; i < weeks.n; i++) {
        const char *slash = strrchr(weeks.word[i], '/');

        read_figures(&all, text_of("%s/figures", slash ? slash + 1 : weeks.word[i]));
    }
    read_figures(&common, "common/figures");   // the order of the list
    for (int i = 0; i < common.n; i++)
        figure_named(&sorted, common.of[i].name);
    read_figures(&all, "common/figures");
    for (int i = 0; i < all.n; i++) {
        if (!figure_text(&all.of[i], "kind")[0])
            fail("%s/figures: figure %s: no line 'kind'", week[0] ? week : "common",
                 all.of[i].name);
        *figure_named(&sorted, all.of[i].name) = all.of[i];
    }
    return sorted;
}

const struct figure_line *figure_line(const struct figure *f, const char *word, int n)
{
    for (int i = 0; i < f->lines; i++)
        if (strcmp(f->line[i].word, word) == 0 && n-- == 0)
            return &f->line[i];
    return NULL;
}

const char *figure_text(const struct figure *f, const char *word)
{
    const struct figure_line *line = figure_line(f, word, 0);

    return line ? line->text : "";
}

int figure_has(const struct figure *f, const char *word, const char *option)
{
    return has_word(figure_text(f, word), option);
}

struct quantity figure_quantity(const struct figure *f, const char *word, int n)
{
    const struct figure_line *line = figure_line(f, word, n);

    return line ? quantity_of(line) : (struct quantity){ NULL, "", "" };
}

int quantity_has(const struct quantity *q, const char *option)
{
    return has_word(q->options, option);
}

const char *quantity_option(const struct quantity *q, const char *name)
{
    return word_value(q->options, name);
}

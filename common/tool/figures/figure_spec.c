#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "claim.h"

#define KIND(name) #name " "

// What each line of a figure holds.
static const struct keyword words[] = {
    { "figure", HOLDS_TEXT, NULL },
    { "part", HOLDS_TEXT, NULL },
    { "kind", HOLDS_WORDS, FIGURE_KINDS(KIND) },
    { "modes", HOLDS_WORDS, "cold hot count check occupancy" },
    { "over", HOLDS_WORDS, "sizes seeds knobs settings variants demos" },
    { "cpu", HOLDS_WORDS, "first last" },
    { "compare", HOLDS_WORDS, "first last library published core" },
    { "roofs", HOLDS_TEXT, NULL },
    { "most", HOLDS_TEXT, NULL },
    { "show", HOLDS_WORDS, "stages references copy peak published beside" },
    { "size", HOLDS_WORDS, "published" },
    { "type", HOLDS_TEXT, NULL },
    { "unless", HOLDS_CONDITION, NULL },
    { "value", HOLDS_QUANTITY, NULL },
    { "x", HOLDS_QUANTITY, NULL },
    { "line", HOLDS_QUANTITY, NULL },
    { "mark", HOLDS_QUANTITY, NULL },
    { "theory", HOLDS_QUANTITY, NULL },
    { "roof", HOLDS_QUANTITY, NULL },
    { "odd", HOLDS_TEXT, NULL },
    { "title", HOLDS_CONDITION, NULL },
    { "text", HOLDS_CONDITION, NULL },
    { "what", HOLDS_TEXT, NULL },
    { "how", HOLDS_TEXT, NULL },
    { "read", HOLDS_TEXT, NULL },
    { 0 },
};

struct quantity quantity_of(const struct keyword_line *line)
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

static struct figure *figure_named(struct figures *all, const char *name)
{
    for (int i = 0; i < all->n; i++)
        if (strcmp(all->of[i].name, name) == 0)
            return &all->of[i];
    all->of = grown(all->of, all->n, sizeof *all->of);
    all->of[all->n] = (struct figure){ .name = name };
    return &all->of[all->n++];
}

// Adds the figures of a file. Lines of a figure that was there come before those it has.
static void read_figures(struct figures *all, const char *name)
{
    struct lines lines = keywords_of(text_of("%s/%s", root_folder(), name), name, words, ' ');
    struct keyword_line line;
    struct figure *f = NULL;

    while (next_keyword(&lines, &line)) {
        if (strcmp(line.word, "figure") == 0) {
            f = figure_named(all, line.text);
            continue;
        }
        if (!f)
            fail("%s: '%s': expected 'figure NAME' before it", line.where, line.word);
        if (strcmp(line.word, "unless") == 0 && !strstr(line.text, " > "))
            fail("%s: unless: '%s': expected EXPRESSION > EXPRESSION", line.where, line.text);
        f->line = grown(f->line, f->lines, sizeof *f->line);
        memmove(&f->line[f->own + 1], &f->line[f->own], (f->lines++ - f->own) * sizeof line);
        f->line[f->own++] = line;
    }
    for (int i = 0; i < all->n; i++)
        all->of[i].own = 0;
}

struct figures figures_of(const char *week)
{
    struct figures all = { 0 };
    struct arguments weeks = { 1, (char *[]){ (char *)folder_of(week) } };

    if (!week[0])
        weeks = files_like(root_folder(), "[0-9][0-9]_*");
    read_figures(&all, "common/figures");   // the order of the list
    for (int i = 0; i < weeks.n; i++)
        read_figures(&all, text_of("%s/figures", strrchr(weeks.word[i], '/') + 1));
    for (int i = 0; i < all.n; i++)
        for (const char *words = "kind value", *word; (word = next_word(&words));)
            if (!figure_text(&all.of[i], word)[0])
                fail("%s/figures: figure %s: no line '%s'", week[0] ? week : "common",
                     all.of[i].name, word);
    return all;
}

const struct keyword_line *figure_line(const struct figure *f, const char *word, int n)
{
    for (int i = 0; i < f->lines; i++)
        if (strcmp(f->line[i].word, word) == 0 && n-- == 0)
            return &f->line[i];
    return NULL;
}

const char *figure_text(const struct figure *f, const char *word)
{
    const struct keyword_line *line = figure_line(f, word, 0);

    return line ? line->text : "";
}

int figure_has(const struct figure *f, const char *word, const char *option)
{
    return has_word(figure_text(f, word), option);
}

struct quantity figure_quantity(const struct figure *f, const char *word, int n)
{
    const struct keyword_line *line = figure_line(f, word, n);

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

const char *quantity_text(const struct quantity *q, double value, const char *unit)
{
    const char *decimals = quantity_option(q, "decimals");

    unit = quantity_option(q, "unit") ? quantity_option(q, "unit") : unit;
    if (isnan(value))
        return "-";
    if (quantity_has(q, "percent"))
        return percent_text(value);
    if (decimals)
        return text_of("%.*f", atoi(decimals), value);
    if (quantity_has(q, "digits"))
        return three_digits(value);
    if (unit && strcmp(unit, "us") == 0)
        return readable(value * 1e-6, "s");
    return text_of("%s%s", unit ? readable(value, unit) : short_number(value),
                   quantity_has(q, "x") ? "x" : "");
}

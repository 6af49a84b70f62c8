// Figures that compare weeks: which rows they have, and what their texts say about these.
#include "figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const role_word[] = { "first", "last", "library" };

static const enum color week_color[] = { BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, DARK, GRAY };

int is_comparison(const struct figure *f) { return figure_line(f, "compare", 0) != NULL; }

const char *compared_weeks(void)
{
    struct arguments all = files_like(root_folder(), "[0-9][0-9]_*");
    const char *weeks = "";

    for (int i = 0; i < all.n; i++)
        if (message(all.word[i], "overview"))
            weeks = with_word(weeks, strrchr(all.word[i], '/') + 1);
    return weeks;
}

// --- rows

// Reads the line "overview: FIRST LAST REFERENCE SIZE: LIBRARY" of the week's messages.
static void read_roles(struct view *v)
{
    static const char expected[] = "overview: FIRST LAST REFERENCE SIZE: LIBRARY";
    const char *line = message(folder_of(v->week), "overview");
    char *first, *last, *library, *size, *name;

    if (!line)
        fail("%s/messages: no line '%s'", v->week, expected);
    if (sscanf(line, "%ms %ms %ms %m[0-9x]: %m[^\n]", &first, &last, &library, &size, &name) != 5 ||
        !size_of(size).sides)
        fail("%s/messages: overview: expected %s", v->week, strchr(expected, 'F'));
    v->role[FIRST] = first, v->role[LAST] = last, v->role[LIBRARY] = library;
    v->library = name;
    v->query.size = size, v->query.mode = "cold";
    v->query.type = v->t.n ? table_type(&v->t) : "";
    v->labels.core = message_stages(folder_of(v->week), "core");
}

const struct row *compared_row(const struct view *v, const char *stage)
{
    const struct row *row =
        latest_row(&v->t, stage, &(struct place){ v->query.size, "cold", v->query.type, "", "" });

    return row && row_is_ok(row) ? row : NULL;
}

const char *compare_choose(struct view *v)
{
    const char *size = v->query.size;

    read_roles(v);
    v->query.size = size ? size : v->query.size;
    view_join(v);
    v->found = (struct selection){ .row = must_malloc(ROLES * sizeof *v->found.row) };
    for (; v->found.n < ROLES; v->found.n++) {
        const struct row *row = compared_row(v, v->role[v->found.n]);

        if (!row)
            return text_of("%s: no correct row of %s at %s, cold", v->week, v->role[v->found.n],
                           v->query.size);
        v->found.row[v->found.n] = row;
        v->found.unit = row->unit;
    }
    return NULL;
}

// The last stage with a published rate, if it comes after the first stage; "" if there is none.
static const char *last_published(const struct view *v)
{
    const char *last = v->role[FIRST];

    for (size_t r = 0; v->then && r < v->then->t.n; r++)
        if (stage_number(v->then->t.row[r].stage) > stage_number(last))
            last = v->then->t.row[r].stage;
    return strcmp(last, v->role[FIRST]) ? last : "";
}

// The stages of a week in the figure: those of the words of its line `compare`.
static const char *stages_of(const struct view *v)
{
    const char *words = figure_text(v->f, "compare"), *word, *stages = "";
    const char *core = v->labels.core, *before;

    while ((word = next_word(&words))) {
        for (int i = 0; i < ROLES; i++)
            if (strcmp(word, role_word[i]) == 0)
                stages = with_word(stages, v->role[i]);
        if (strcmp(word, "published") == 0)
            stages = joined(stages, " ", last_published(v));
        if (strcmp(word, "core") != 0)
            continue;
        do   // a stage before the first one, as a copy, is no idea
            before = next_word(&core);
        while (before && strcmp(before, v->role[FIRST]) != 0);
        stages = joined(stages, " ", core + strspn(core, " "));
    }
    return stages;
}

// The value of a bar, or the multiple of its inner part that it is; of a point, the percentage of
// the lowest roof above it.
static double value_of(const struct view *v, const struct row *row)
{
    struct quantity q = view_quantity(v, 0);
    const char *inner = quantity_option(&q, "inner");

    if (!row)
        return NAN;
    if (strcmp(figure_text(v->f, "kind"), "points") == 0)
        return 100 * share_of_roof(v, row);
    return view_value(v, row, q.expression) / (inner ? view_value(v, row, inner) : 1);
}

static int by_value(const void *a, const void *b)
{
    const struct compared *s = a, *t = b;
    double left = isnan(s->value) ? 0 : s->value, right = isnan(t->value) ? 0 : t->value;

    return left < right ? 1 : left > right ? -1 : 0;
}

struct comparison comparison_of(const struct view *v)
{
    struct comparison c = { 0 };
    const char *most = figure_text(v->f, "most");

    for (int week = 0; v; v = v->next, week++) {
        const char *stages = stages_of(v), *stage;

        while ((stage = next_word(&stages))) {
            const struct row *row = compared_row(v, stage);
            int is_library = name_is_reference(stage);

            c.of = grown(c.of, c.n, sizeof *c.of);
            c.of[c.n++] = (struct compared){
                v,
                stage,
                row,
                value_of(v, row),
                text_of("week %d: %s", atoi(v->week),
                        is_library ? v->library : stage_label(v, stage)),
                rgb(is_library ? BLACK
                               : week_color[week % (sizeof week_color / sizeof *week_color)])
            };
        }
    }
    if (most[0] && c.n)
        qsort(c.of, c.n, sizeof *c.of, by_value);
    c.drawn = most[0] && c.n > atoi(most) ? atoi(most) : c.n;
    return c;
}

// --- texts

// What `{EXPRESSION [OPTION...]}` stands for in the text of a row.
static const char *quantity_of_row(const struct view *v, const struct row *row, const char *words)
{
    struct quantity q = quantity_of(&(struct keyword_line){ "text", words, v->f->name });
    const char *dot = strrchr(q.expression, '.');

    return quantity_text(&q, view_value(v, row, q.expression),
                         strcmp(dot ? dot + 1 : q.expression, "rate") == 0 ? v->found.unit : NULL);
}

// What words in braces stand for in a title: `rows`, how many are drawn; `number=N`, how many
// values are at least N; `low` and `high`, the limits of the values. With `first`, `last` or
// `library`, of these rows only.
static const char *statistic(const struct view *v, const char *words)
{
    struct comparison c = comparison_of(v);
    const char *least = word_value(words, "number");
    struct quantity q = { "", words, "" };
    struct span_of_axis all = { INFINITY, 0, 1 };
    int n = 0;

    for (int i = 0; i < c.n; i++) {
        int is_asked = 1;

        for (int k = 0; k < ROLES; k++)
            if (has_word(words, role_word[k]))
                is_asked = strcmp(c.of[i].stage, c.of[i].v->role[k]) == 0;
        if (!is_asked || isnan(c.of[i].value))
            continue;
        n += least && c.of[i].value >= atof(least);
        widen(&all, c.of[i].value);
    }
    return least ? text_of("%d", n)
         : has_word(words, "rows")
             ? text_of("%d", c.drawn)
             : quantity_text(&q, has_word(words, "low") ? all.low : all.high, NULL);
}

char *filled(const char *text, const struct view *v, const struct row *row)
{
    char *all = text_of("%.*s", (int)strcspn(text, "{"), text);

    while (*(text += strcspn(text, "{"))) {
        int n = (int)strcspn(++text, "}");
        const char *words = text_of("%.*s", n, text);

        text += n + (text[n] != '\0');
        all = text_of("%s%s%.*s", all, row ? quantity_of_row(v, row, words) : statistic(v, words),
                      (int)strcspn(text, "{"), text);
    }
    return all;
}

const char *compared_text(const struct view *v, const struct row *row)
{
    const char *text = row ? view_text(v, "text", row) : NULL;

    return text ? text : "not measured";
}

// "NVIDIA H200 | CUDA 13.0 | driver 580.159.04 | 2026-01-02 to 2026-01-04 | SIZES | cold".
static const char *provenance_of(const struct view *v)
{
    struct days days = { 0 };
    const char *sizes = "";

    for (const struct view *w = v; w; w = w->next) {
        struct days of_week = days_of_view(w);

        days_add(&days, of_week.first ? of_week.first : "");
        days_add(&days, of_week.last ? of_week.last : "");
        sizes = joined(sizes, ", ", w->query.size);
    }
    return text_of("%s | %s | %s | cold%s", device_words(&v->t, " | "), days_text(&days), sizes,
                   v->beside ? text_of(" | paler: %s", v->query.beside_from) : "");
}

void compare_titles(struct sheet *sheet, const struct view *v)
{
    const char *message = view_text(v, "title", NULL);

    sheet->title = message ? message : figure_text(v->f, "what");
    sheet->subtitle = filled(figure_text(v->f, "how"), v, NULL);
    sheet->provenance = provenance_of(v);
}

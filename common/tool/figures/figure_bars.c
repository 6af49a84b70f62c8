// Figures with horizontal bars: one row per stage or setting, one column per line `value`, device,
// or table.
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A column: a quantity of the rows of a view.
struct source {
    const struct view *v;
    struct quantity q;
    const char *base;   // shares are of this stage or reference; "": none
    int multiples;      // shares are shown as multiples
    int pale;
};

// --- values and texts

// The copy or, without one, the first reference.
static const char *default_base(const struct view *v)
{
    const char *base = "";

    for (int i = v->found.stages; i < v->found.all; i++)
        if (!base[0] || strcmp(v->found.stage[i], "ref_memcpy") == 0 ||
            (view_row(v, base, "")->arithmetic[0] &&
             !view_row(v, v->found.stage[i], "")->arithmetic[0]))
            base = v->found.stage[i];
    return base;
}

// "  95 %": the share of the base's rate. A stage that computes with another precision has none.
static const char *share_text(const struct source *s, const struct row *r)
{
    const struct row *base = s->base[0] ? view_row(s->v, s->base, "") : NULL;
    int same_run;
    double share = base ? rate_share(&s->v->t, r, s->base, &same_run) : NAN;

    if (isnan(share) || strcmp(base->arithmetic, r->arithmetic) != 0)
        return "";
    return s->multiples ? text_of("  %.1fx", share) : text_of("  %s", percent_text(share));
}

static const char *value_text(const struct source *s, const struct row *r, double value)
{
    const char *unit = quantity_option(&s->q, "unit");

    if (isnan(value))
        return "-";
    if (quantity_has(&s->q, "percent"))
        return percent_text(value);
    if (quantity_has(&s->q, "ratio"))
        return text_of("%.2f", value);
    if (!unit && strcmp(s->q.expression, "rate") == 0)
        unit = s->v->found.unit;
    if (unit && strcmp(unit, "us") == 0)
        return readable(value * 1e-6, "s");
    return text_of("%s%s%s", unit ? readable(value, unit) : short_number(value),
                   quantity_has(&s->q, "x") ? "x" : "", share_text(s, r));
}

static const char *with_commas(const char *words)
{
    const char *list = "", *word;

    while ((word = next_word(&words)))
        list = joined(list, ", ", word);
    return list;
}

// The bar of a row that is usable.
static struct bar bar_of(const struct source *s, const struct row *r)
{
    struct bar bar = no_bar;
    double us = row_number(r, COLUMN_median_us);
    const char *inner = quantity_option(&s->q, "inner");

    bar.value = view_value(s->v, r, s->q.expression);
    bar.text = value_text(s, r, bar.value);
    bar.pale = s->pale;
    if (quantity_has(&s->q, "spread")) {
        bar.low = bar.value * us / row_number(r, COLUMN_p90_us);
        bar.high = bar.value * us / row_number(r, COLUMN_p10_us);
    }
    if (quantity_option(&s->q, "text"))
        bar.text = text_of("%s  %s", bar.text,
                           with_commas(r->cell[column_of_name(quantity_option(&s->q, "text"))]));
    if (quantity_has(&s->q, "whole")) {   // a share: the whole bar is 1
        bar.inner = bar.value, bar.value = 1;
        bar.text = text_of("%s of %s: %s", percent_text(bar.inner), readable(us * 1e-6, "s"),
                           limit_of(s->v, r));
    }
    if (inner) {
        double value = view_value(s->v, r, inner);

        if (!isnan(value)) {
            bar.inner = fmin(value, bar.value);
            bar.text = text_of("%s, %s", bar.text, value_text(s, r, bar.inner));
        }
    }
    return bar;
}

// --- columns

static void add_column(struct bars *b, struct source *source, const struct source *s,
                       const char *heading)
{
    int k = b->columns++;
    struct quantity line;

    if (k == MOST_COLUMNS)
        fail("figure %s: more than %d columns", s->v->f->name, MOST_COLUMNS);
    source[k] = *s;
    b->column[k].heading = heading;
    b->column[k].log = quantity_has(&s->q, "log");
    b->column[k].like = quantity_has(&s->q, "like");
    for (int i = 0, n = 0; (line = figure_quantity(s->v->f, "line", i)).expression; i++) {
        const char *of = quantity_option(&line, "column");

        if (!of || atoi(of) == k + 1) {
            double at = NAN;

            for (int r = 0; r < s->v->found.n; r++)
                at = fmax(at, view_value(s->v, s->v->found.row[r], line.expression));
            if (isnan(at) || n == MOST_DOTS)
                continue;
            b->column[k].line[n] = at;
            b->column[k].line_text[n++] = line.text;
        }
    }
}

// The columns: of a published table, of this table, of a second device.
static void add_columns(struct bars *b, struct source *source, struct view *v)
{
    int then = v->then != NULL, titled = then || v->beside;
    struct quantity q;

    for (int i = 0; view_over(v, "settings") && (q = view_quantity(v, i)).expression; i++)
        for (int k = !then; k < 2; k++) {
            struct source s = { k ? v : v->then, q, "", 0, 0 };

            add_column(b, source, &s, joined(k ? "now" : "then", ", ", q.text));
        }
    if (view_over(v, "settings"))
        return;
    for (int i = 0; (q = view_quantity(v, i)).expression; i++) {
        struct source s = { v, q, "", 0, 0 };

        if (titled)
            q.text = text_of("%s: %s", then ? "now" : q.text, v->found.row[0]->device);
        if (then) {
            s.v = v->then;
            add_column(b, source, &s, text_of("then: %s", v->then->found.row[0]->device));
            s.v = v;
        }
        add_column(b, source, &s, v->beside ? v->found.row[0]->device : q.text);
        if (v->beside) {
            s.v = v->beside, s.pale = 1;
            add_column(b, source, &s, v->beside->found.row[0]->device);
            b->column[b->columns - 1].like = 1;
        }
    }
}

// Whether shares of a reference are of its rate in the run of the stage.
static int in_same_run(const struct view *v, const char *base)
{
    int same = 0;

    for (int r = 0; r < v->found.n && name_is_reference(base) && !same; r++)
        if (!row_is_reference(v->found.row[r]))
            rate_share(&v->t, v->found.row[r], base, &same);
    return same;
}

// Shares are of the copy, of --base or of the base of a published table. Returns what is missing.
static const char *choose_bases(struct view *v, struct bars *b, struct source *source)
{
    const char *base = v->query.base ? v->query.base : default_base(v);
    int multiples = 0;

    if (!quantity_has(&source[0].q, "share"))
        return NULL;
    if (v->then) {
        base = table_note(&v->then->t, "base");
        base = base[0] ? base : v->then->found.stage[0];
    }
    if (!base[0])
        return NULL;
    if (!view_usable(v, view_row(v, base, "")))
        return text_of("no row of %s is ok", base);
    for (int k = 0; k < b->columns && v->then; k++)
        for (int i = 0; i < v->then->found.stages; i++) {
            const struct row *row = view_row(source[k].v, v->then->found.stage[i], "");

            multiples |= view_usable(source[k].v, row) &&
                         row_number(row, COLUMN_rate) >
                             2.5 * row_number(view_row(source[k].v, base, ""), COLUMN_rate);
        }
    for (int k = 0; k < b->columns; k++) {
        source[k].base = view_usable(source[k].v, view_row(source[k].v, base, "")) ? base : "";
        source[k].multiples = multiples;
    }
    v->labels.how = text_of("%s of %s%s", multiples ? "multiples" : "share", stage_label(v, base),
                            in_same_run(v, base) ? " in the same run" : "");
    return NULL;
}

// --- rows

static void add_row(struct bars *b, const struct source *source, const struct view *v,
                    const char *stage)
{
    struct bar_row *row = bars_row(b, stage_label(v, stage), stage_color(v, stage));

    for (int k = 0; k < b->columns; k++) {
        const struct row *r = view_row(source[k].v, stage, "");

        if (view_usable(source[k].v, r))
            row->bar[k] = bar_of(&source[k], r);
        else if (!k || source[k].v != source[k - 1].v)   // a fault is shown once per device
            row->bar[k].text = source[k].v == v->then ? "not published" : fault_text(r);
    }
}

// Whether the figure shows this stage or reference. The rate of a reference that computes with
// another precision is a text, because its bar would make all others short.
static int is_shown(struct view *v, const char *stage, int of_stages)
{
    const struct row *row = view_row(v, stage, "");

    if (of_stages)
        return is_core(v, stage);
    if (figure_has(v->f, "show", "references") && row->arithmetic[0] &&
        strcmp(view_quantity(v, 0).expression, "rate") == 0 && v->found.stages) {
        v->labels.how = joined(v->labels.how, "; ",
                               text_of("%s: %s", stage_label(v, stage),
                                       readable(row_number(row, COLUMN_rate), v->found.unit)));
        return 0;
    }
    return figure_has(v->f, "show", "references") ||
           (figure_has(v->f, "show", "copy") && strcmp(stage, "ref_memcpy") == 0);
}

static void add_peak(struct bars *b, const struct view *v)
{
    double peak = NAN;
    struct bar *bar;

    for (int r = 0; r < v->found.n; r++)
        peak = fmax(peak, row_number(v->found.row[r], COLUMN_peak_gbs));
    if (strcmp(v->found.unit, "GB/s") != 0 || strcmp(v->query.mode, "cold") != 0 || !(peak > 0))
        return;
    bar = bars_row(b, "peak bandwidth", DARK)->bar;
    bar->value = peak, bar->text = readable(peak, v->found.unit);
}

// The rows of settings: other knobs or options of the week, in both tables. A row is there if its
// time with the setting is known in one of them.
static void add_settings(struct bars *b, const struct source *source, const struct view *v)
{
    const struct view *of[] = { v, v->then };

    for (int k = 0; k < 2; k++)
        for (int i = 0; of[k] && i < of[k]->found.n; i++) {
            const struct row *r = of[k]->found.row[i];
            const char *name = text_of("%d%s%s%s%s", stage_number(r->stage), r->knobs[0] ? " " : "",
                                       r->knobs, r->variant[0] ? " " : "", r->variant);
            struct bar_row *row = NULL;

            if (stage_number(r->stage) < 0 || !(r->knobs[0] || r->variant[0]) ||
                has_word(r->variant, "memory-only") || !view_usable(of[k], r) ||
                isnan(view_value(of[k], r, source[0].q.expression)) ||
                (r->variant[0] && strncmp(r->variant, "pitch=", 6) != 0))
                continue;
            for (int j = 0; j < b->rows; j++)
                row = strcmp(b->row[j].name, name) == 0 ? &b->row[j] : row;
            row = row ? row : bars_row(b, name, stage_color(v, r->stage));
            for (int c = 0; c < b->columns; c++)
                if (source[c].v == of[k]) {
                    row->bar[c] = bar_of(&source[c], r);
                    row->bar[c].pale = quantity_has(&source[c].q, "pale");
                }
        }
    for (int j = 0; j < b->rows; j++)
        for (int c = 0; c < b->columns; c++)
            if (isnan(b->row[j].bar[c].value))
                b->row[j].bar[c].text = source[c].v == v->then ? "not published" : "not measured";
}

// --- dots: one for each variant of a stage

// The variants of the rows, in order; "" is the newest.
static const char *variants_of(const struct view *v)
{
    const char *list = "", *prefix = "";
    struct quantity q = view_quantity(v, 0);

    prefix = quantity_option(&q, "dots");
    for (int r = 0; r < v->found.n; r++) {
        const char *words = v->found.row[r]->variant;
        const char *word =
            strncmp(words, prefix, strlen(prefix)) == 0 && words[strlen(prefix)] == '='
                ? words + strlen(prefix) + 1
                : "";
        const char *rest = list, *sorted = "", *other;

        if (!word[0] || strchr(word, ' ') || has_word(list, word) ||
            !view_usable(v, v->found.row[r]))
            continue;
        while ((other = next_word(&rest))) {
            if (word[0] && strtod(word, NULL) < strtod(other, NULL))
                sorted = with_word(sorted, word), word = "";
            sorted = with_word(sorted, other);
        }
        list = word[0] ? with_word(sorted, word) : sorted;
    }
    return list;
}

// Adds the points of a stage: those of its variants, then that of its row without a variant.
static void add_dots(struct bars *b, const struct source *source, const struct view *v,
                     const char *stage, const char *variants)
{
    struct bar_row *row = bars_row(b, stage_label(v, stage), stage_color(v, stage));
    const char *prefix = quantity_option(&source[0].q, "dots"), *list = variants, *word;
    const struct row *last = NULL;

    for (int d = 0; d < MOST_DOTS && (word = next_word(&list), 1); d++) {
        const struct row *r = view_row(v, stage, word ? text_of("%s=%s", prefix, word) : "");

        last = r ? r : last;
        for (int k = 0; k < b->columns && view_usable(v, r); k++)
            row->bar[k].dots = d + 1, row->bar[k].dot[d] = view_value(v, r, source[k].q.expression);
        if (!word)
            break;
    }
    if (!row->bar[0].dots)
        row->bar[0].text = fault_text(last);
}

static const char *draw_dots(struct sheet *s, struct view *v, struct bars *b,
                             const struct source *source)
{
    const char *variants = variants_of(v);

    if (!variants[0])
        return text_of("no row with the option --%s is ok", quantity_option(&source[0].q, "dots"));
    for (int i = 0; i < v->found.stages; i++)
        if (is_core(v, v->found.stage[i]))
            add_dots(b, source, v, v->found.stage[i], variants);
    b->legend = with_word(variants, "9.0");
    sheet_bars(s, b);
    return NULL;
}

const char *draw_bars(struct sheet *s, struct view *v)
{
    struct bars *b = must_calloc(1, sizeof *b);
    struct source source[MOST_COLUMNS];
    const char *lacks;

    if (figure_has(v->f, "show", "published") && figure_has(v->f, "size", "published") && !v->then)
        return text_of("no table in plots/data/published/ for %s", v->week);
    add_columns(b, source, v);
    if (quantity_option(&source[0].q, "dots"))
        return draw_dots(s, v, b, source);
    lacks = choose_bases(v, b, source);
    if (lacks)
        return lacks;
    if (view_over(v, "settings"))
        add_settings(b, source, v);
    else if (figure_has(v->f, "size", "published"))
        for (int i = 0; i < v->then->found.stages; i++)
            add_row(b, source, v, v->then->found.stage[i]);
    else
        for (int i = 0; i < v->found.all; i++)
            if (is_shown(v, v->found.stage[i], i < v->found.stages))
                add_row(b, source, v, v->found.stage[i]);
    if (v->then && figure_has(v->f, "size", "published") && v->then->found.stages < 2)
        return text_of("one stage is published for %s: there is nothing to compare", v->week);
    if (!b->rows)
        return "no row with other settings, and one without to compare it with";
    if (figure_has(v->f, "show", "peak"))
        add_peak(b, v);
    if (v->then)
        v->labels.how = joined(v->labels.how, "; ", published_text(v->then));
    if (!v->labels.what[0])
        v->labels.what = v->query.column,
        v->labels.how = column_says[column_of_name(v->query.column)];
    sheet_bars(s, b);
    return NULL;
}

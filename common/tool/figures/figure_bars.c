// Figures with horizontal bars: one row per stage or setting, one column per line `value`, device,
// or table.
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Horizontal bars: rows with names, and for each row one cell in each column of the figure.

enum { MOST_COLUMNS = 6, MOST_DOTS = 8 };

struct bar {
    double value, low, high, inner;   // NaN: none; inner: the dark part
    const char *text;                 // beside the bar, or instead of it
    double dot[MOST_DOTS];            // points beside the value
    int dots, pale;
};

struct bar_row {
    const char *name;
    int color, gap;   // gap: an empty row is before it
    struct bar bar[MOST_COLUMNS];
};

struct bar_column {
    const char *heading;
    int log, like;            // `like`: has the scale of the column before
    double full;              // the scale reaches at least this value
    double line[MOST_DOTS];   // vertical lines with texts; 0 ends the list
    const char *line_text[MOST_DOTS];
};

struct bars {
    struct bar_row *row;
    int rows, columns;
    struct bar_column column[MOST_COLUMNS];
    const char *legend;   // of the dots: words
};

static const struct bar no_bar = {
    .value = NAN, .low = NAN, .high = NAN, .inner = NAN, .text = ""
};

// The color of dot d.
static int dot_color(int d)
{
    static const enum color color[] = { VERMILION, ORANGE, GREEN, BLUE, PURPLE, SKY };

    return rgb(color[d % 6]);
}

// Adds a row without bars.
static struct bar_row *bars_row(struct bars *b, const char *name, int color)
{
    struct bar_row *row;

    b->row = grown(b->row, b->rows, sizeof *b->row);
    row = &b->row[b->rows++];
    *row = (struct bar_row){ .name = name, .color = color };
    for (int k = 0; k < MOST_COLUMNS; k++)
        row->bar[k] = no_bar;
    return row;
}

static struct span_of_axis range_of(const struct bars *b, int k)
{
    const struct bar_column *column = &b->column[k];
    struct span_of_axis a = { INFINITY, column->full, column->log };

    for (int i = 0; i < b->rows; i++) {
        const struct bar *bar = &b->row[i].bar[k];

        widen(&a, bar->value), widen(&a, bar->high);
        if (a.log)
            widen(&a, bar->inner);
        for (int d = 0; d < bar->dots; d++)
            widen(&a, bar->dot[d]);
    }
    for (int l = 0; l < MOST_DOTS && column->line[l] && a.log; l++)
        if (column->line[l] < 3 * a.high)
            widen(&a, column->line[l]);
    if (!(a.high > 0))
        return (struct span_of_axis){ a.log ? 1 : 0, a.log ? 10 : 1, a.log };
    return a.log ? (struct span_of_axis){ a.low / 1.5, a.high * 1.3, 1 }
                 : (struct span_of_axis){ 0, a.high, 0 };
}

// The range of a column, and of those before and after it with the same scale.
static struct span_of_axis shared_range(const struct bars *b, int k)
{
    struct span_of_axis a = range_of(b, k);
    int first = k, last = k + 1;

    while (first > 0 && b->column[first].like)
        first--;
    while (last < b->columns && b->column[last].like)
        last++;
    for (int i = first; i < last; i++) {
        struct span_of_axis other = range_of(b, i);

        a.low = fmin(a.low, other.low), a.high = fmax(a.high, other.high);
    }
    return a;
}

// The places of the rows, in units of a row.
static double place_of(const struct bars *b, int row)
{
    double y = 0;

    for (int i = 0; i <= row; i++)
        y += (i > 0) + 0.5 * b->row[i].gap;
    return y;
}

static void print_column(struct sheet *s, const struct bars *b, int k, double low)
{
    const struct bar_column *column = &b->column[k];

    block_of(s, "rows", k, "name, row, where the text begins, text");
    for (int i = 0; i < b->rows; i++) {
        const struct bar *bar = &b->row[i].bar[k];

        fprintf(s->data, "%s %g %.6g %s\n", field(b->row[i].name), place_of(b, i),
                isnan(bar->value) ? low : fmax(bar->value, bar->high), field(bar->text));
    }
    block_of(s, "bars", k, "row, value, color, 1: pale");
    for (int i = 0; i < b->rows; i++) {
        const struct bar *bar = &b->row[i].bar[k];

        if (!isnan(bar->value))
            fprintf(s->data, "%g %.6g %d %d\n", place_of(b, i), bar->value, b->row[i].color,
                    bar->pale || !isnan(bar->inner));
    }
    block_of(s, "dark", k, "dark parts of bars: row, value, color");
    for (int i = 0; i < b->rows; i++)
        if (!isnan(b->row[i].bar[k].inner))
            fprintf(s->data, "%g %.6g %d\n", place_of(b, i), b->row[i].bar[k].inner,
                    b->row[i].color);
    block_of(s, "spread", k, "10th to 90th percentile: row, low, high");
    for (int i = 0; i < b->rows; i++)
        if (b->row[i].bar[k].low < b->row[i].bar[k].high)
            fprintf(s->data, "%g %.6g %.6g\n", place_of(b, i), b->row[i].bar[k].low,
                    b->row[i].bar[k].high);
    block_of(s, "dots", k, "row, value, color, size");
    for (int i = 0; i < b->rows; i++)
        for (int d = 0; d < b->row[i].bar[k].dots; d++)
            if (b->row[i].bar[k].dot[d] > 0)
                fprintf(s->data, "%g %.6g %d %.2g\n", place_of(b, i), b->row[i].bar[k].dot[d],
                        dot_color(d), fmax(2 - 0.4 * d, 0.8));
    block_of(s, "lines", k, "vertical lines: value, text");
    for (int l = 0; l < MOST_DOTS && column->line[l]; l++)
        fprintf(s->data, "%.6g %s\n", column->line[l], field(column->line_text[l]));
}

static void sheet_bars(struct sheet *s, const struct bars *b)
{
    const char *headings = "", *logs = "", *low = "", *high = "", *list = b->legend, *word;

    for (int k = 0; k < b->columns; k++) {
        struct span_of_axis a = shared_range(b, k);

        print_column(s, b, k, a.low);
        headings = with_word(headings, field(b->column[k].heading));
        logs = with_word(logs, a.log ? "1" : "0");
        low = with_word(low, text_of("%.6g", a.low));
        high = with_word(high, text_of("%.6g", a.high));
    }
    sheet_number(s, "columns", b->columns);
    sheet_number(s, "rows", b->rows ? place_of(b, b->rows - 1) + 1 : 1);
    sheet_text(s, "headings", headings);
    sheet_text(s, "logs", logs);
    sheet_text(s, "xmins", low);
    sheet_text(s, "xmaxs", high);
    block_begin(s, "legend", "word, color");
    for (int d = 0; b->legend && (word = next_word(&list)); d++)
        fprintf(s->data, "%s %d\n", field(word), dot_color(d));
}

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

    if (base && s->v->query.medians)
        share = shown_number(&s->v->t, r, COLUMN_rate) / shown_number(&s->v->t, base, COLUMN_rate);
    if (isnan(share) || strcmp(base->arithmetic, r->arithmetic) != 0)
        return "";
    return s->multiples ? text_of("  %.1fx", share) : text_of("  %s", percent_text(share));
}

static const char *value_text(const struct source *s, const struct row *r, double value)
{
    const char *unit = strcmp(s->q.expression, "rate") == 0 ? s->v->found.unit : NULL;

    return text_of("%s%s", quantity_text(&s->q, value, unit), share_text(s, r));
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
            double at = view_highest(s->v, line.expression);

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
    const struct view *of[] = { v->then, v, v->beside };
    struct quantity q;

    for (int i = 0; (q = view_quantity(v, i)).expression; i++)
        for (int k = 0; k < 3; k++) {
            struct source s = { of[k], q, "", 0, k == 2 };
            const char *when = k ? "now" : "then",
                       *device = of[k] ? of[k]->found.row[0]->device : "";

            if (!of[k])
                continue;
            add_column(b, source, &s,
                       view_over(v, "settings") ? joined(when, ", ", q.text)
                       : v->then                ? text_of("%s: %s", when, device)
                       : v->beside              ? device
                                                : q.text);
            b->column[b->columns - 1].like |= k == 2;
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

// Whether shares in the same run differ much from those of the bars that are drawn.
static int differs_by_run(const struct view *v, const char *base)
{
    const struct row *of = view_row(v, base, "");
    int same, differs = 0;

    for (int r = 0; r < v->found.n && name_is_reference(base) && of; r++) {
        const struct row *row = v->found.row[r];
        double share = rate_share(&v->t, row, base, &same);
        double drawn = shown_number(&v->t, row, COLUMN_rate) / shown_number(&v->t, of, COLUMN_rate);

        differs |= !row_is_reference(row) && same && fabs(share / drawn - 1) > 0.03;
    }
    return differs;
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
    if (!base[0] || (v->query.medians && differs_by_run(v, base)))
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
                            in_same_run(v, base) && !v->query.medians ? " in the same run" : "");
    return NULL;
}

// --- rows

static void add_row(struct bars *b, const struct source *source, struct view *v, const char *stage)
{
    struct bar_row *row =
        bars_row(b, stage_label(v, stage), v->query.model ? model_color(1) : stage_color(v, stage));

    if (is_estimated(v, stage) && !strstr(v->labels.how, "estimated"))
        v->labels.how = joined(v->labels.how, "; ", "pale: machine code estimated");
    for (int k = 0; k < b->columns; k++) {
        const struct row *r = view_row(source[k].v, stage, "");

        if (view_usable(source[k].v, r)) {
            row->bar[k] = bar_of(&source[k], r);
            row->bar[k].pale |= is_estimated(v, stage);
        } else if (!k || source[k].v != source[k - 1].v)   // a fault is shown once per device
            row->bar[k].text = source[k].v == v->then ? "not published" : fault_text(v, r);
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
    double peak = view_highest(v, "peak_gbs");
    struct bar *bar;

    if (strcmp(v->found.unit, "GB/s") != 0 || strcmp(v->query.mode, "cold") != 0 || !(peak > 0))
        return;
    bar = bars_row(b, "peak bandwidth", rgb(DARK))->bar;
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

// The values of this option of the week, in ascending order.
static const char *values_of(const struct view *v, const char *option)
{
    const char *list = "", *next;

    do {
        next = NULL;
        for (int r = 0; r < v->found.n; r++) {
            const char *variant = v->found.row[r]->variant, *value = word_value(variant, option);

            if (value && value[0] && !strchr(variant, ' ') && !has_word(list, value) &&
                (!next || strtod(value, NULL) < strtod(next, NULL)) &&
                view_usable(v, v->found.row[r]))
                next = value;
        }
        list = next ? with_word(list, next) : list;
    } while (next);
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
        row->bar[0].text = fault_text(v, last);
}

static const char *draw_dots(struct sheet *s, struct view *v, struct bars *b,
                             const struct source *source)
{
    const char *option = quantity_option(&source[0].q, "dots"), *variants = values_of(v, option);

    if (!variants[0])
        return text_of("no row with the option --%s is ok", option);
    for (int i = 0; i < v->found.stages; i++)
        if (is_core(v, v->found.stage[i]))
            add_dots(b, source, v, v->found.stage[i], variants);
    b->legend = with_word(variants, "9.0");
    sheet_bars(s, b);
    return NULL;
}

// --- comparison of weeks

static struct bar compared_bar(const struct source *s, const struct view *v, const struct row *row)
{
    struct source of = { .v = v, .q = s->q, .base = "" };
    struct bar bar = row ? bar_of(&of, row) : no_bar;

    bar.text = compared_text(v, row);
    return bar;
}

static const char *draw_comparison(struct sheet *s, const struct view *v, struct bars *b)
{
    struct source source[MOST_COLUMNS], one = { .v = v, .q = view_quantity(v, 0), .base = "" };
    struct comparison c = comparison_of(v);

    add_column(b, source, &one, "");
    if (v->beside)
        add_column(b, source, &one, v->query.beside_from);
    b->column[1].like = 1;
    for (int i = 0; i < c.drawn; i++) {
        const struct compared *of = &c.of[i];
        struct bar_row *row = bars_row(b, of->name, of->color);

        if (figure_has(v->f, "compare", "library") && of->color != rgb(BLACK))
            row->color = strcmp(of->stage, of->v->role[FIRST]) == 0 ? rgb(GRAY) : rgb(BLUE);
        row->gap = i > 0 && c.of[i - 1].v != of->v && !figure_line(v->f, "most", 0);
        row->bar[0] = compared_bar(&one, of->v, of->row);
        if (of->v->beside)
            row->bar[1] = compared_bar(&one, of->v->beside, compared_row(of->v->beside, of->stage));
    }
    sheet_bars(s, b);
    return NULL;
}

const char *draw_bars(struct sheet *s, struct view *v)
{
    struct bars *b = must_calloc(1, sizeof *b);
    struct source source[MOST_COLUMNS];
    const char *lacks;

    if (is_comparison(v->f))
        return draw_comparison(s, v, b);
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
        v->labels.how =
            joined(v->labels.how, "; ",
                   text_of("then: %s, %s",
                           joined(v->then->found.row[0]->device, ", ", v->then->found.row[0]->size),
                           table_note(&v->then->t, "title")));
    if (!v->labels.what[0])
        v->labels.what = v->query.column,
        v->labels.how = column_says[column_of_name(v->query.column)];
    sheet_bars(s, b);
    return NULL;
}

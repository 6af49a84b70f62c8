// Figures with curves against the size of the problem, or against a column of a demonstration.
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct vertex {
    double x, y;
    int odd;   // of a size that tiles do not divide
};

struct curve {
    const char *name, *label;   // of the data block; NULL: no label
    int color, dashed;
    struct vertex *at;
    int n;
};

struct plot {
    const struct view *v;
    struct quantity x, y;
    struct curve *curve;
    int curves, odd;
    double scale;   // of values that are printed
};

static int by_x(const void *a, const void *b)
{
    const struct vertex *v = a, *w = b;

    return v->x < w->x ? -1 : v->x > w->x;
}

// Adds an empty curve.
static struct curve *add_curve(struct plot *p, const char *name, const char *label, int color)
{
    p->curve = grown(p->curve, p->curves, sizeof *p->curve);
    p->curve[p->curves] = (struct curve){ .name = name, .label = label, .color = color };
    return &p->curve[p->curves++];
}

// Adds the point of a row, unless it has no value there. Sizes whose sides differ are skipped if
// the x axis is one side, because they would put a kink into the curve.
static void add_row(struct plot *p, struct curve *c, const struct view *v, const struct row *row,
                    const char *expression)
{
    struct size size = size_of(row->size);
    double x = view_value(v, row, p->x.expression), y = view_value(v, row, expression);
    int step = atoi(figure_text(v->f, "odd"));

    if (isnan(x) || isnan(y) || (quantity_has(&p->x, "equal") && !size.equal_sides))
        return;
    if (quantity_option(&p->x, "log") && x <= 0)
        return;
    c->at = grown(c->at, c->n, sizeof *c->at);
    c->at[c->n++] =
        (struct vertex){ x, y, step && size.side[0] > step && fmod(size.side[0], step) != 0 };
}

// Sorts the points; those with the same x, of several seeds, are replaced by their mean.
static void finish_curve(struct plot *p)
{
    struct curve *c = &p->curve[p->curves - 1];
    int n = 0;

    if (c->n)
        qsort(c->at, c->n, sizeof *c->at, by_x);
    for (int i = 0, same; i < c->n; i += same) {
        struct vertex mean = c->at[i];

        for (same = 1; i + same < c->n && c->at[i + same].x == mean.x; same++)
            mean.y += c->at[i + same].y;
        mean.y /= same;
        if (mean.y > 0 || !quantity_option(&p->y, "log"))
            c->at[n++] = mean;
    }
    c->n = n;
    p->curves -= n == 0;
}

// With at most this many gray curves, each has its name.
enum { FEW = 2 };

static int has_few_gray(const struct view *v)
{
    int n = 0;

    for (int i = 0; i < v->found.all; i++)
        n += stage_color(v, v->found.stage[i]) == rgb(GRAY) && view_row(v, v->found.stage[i], "");
    return n <= FEW;
}

// Curves of the stages with this color only, or of the others; the last ones drawn are in front.
static void add_stages(struct plot *p, const struct view *v, int gray, int is_beside)
{
    int references = 0, is_named = !is_beside && (!gray || has_few_gray(v));

    for (int i = 0; i < v->found.all; i++) {
        const char *stage = v->found.stage[i];
        int color = stage_color(v, stage);
        struct curve *c;

        if ((color == rgb(GRAY)) != gray)
            continue;
        c = add_curve(p, text_of("%s%s", stage, is_beside ? "_beside" : ""),
                      is_named ? stage_label(v, stage) : NULL, is_beside ? paler(color) : color);
        c->dashed = color == rgb(BLACK) && references++ % 2;
        for (int r = 0; r < v->found.n; r++)
            if (strcmp(v->found.row[r]->stage, stage) == 0 && !v->found.row[r]->variant[0] &&
                view_usable(v, v->found.row[r]))
                add_row(p, c, v, v->found.row[r], p->y.expression);
        finish_curve(p);
    }
}

// A curve for each line `value`, over the rows of a demonstration.
static void add_columns(struct plot *p, struct view *v)
{
    static const enum color color[] = { ORANGE, GREEN, BLUE, VERMILION, PURPLE, SKY };
    struct quantity q;

    for (int i = 0; (q = view_quantity(v, i)).expression && i < 6; i++) {
        struct curve *c = add_curve(p, text_of("value%d", i + 1), q.text, rgb(color[i]));

        for (int r = 0; r < v->found.n; r++)
            if (row_is_ok(v->found.row[r]) && figure_has(v->f, "modes", v->found.row[r]->mode)) {
                add_row(p, c, v, v->found.row[r], q.expression);
                v->query.mode = v->found.row[r]->mode;
            }
        finish_curve(p);
    }
}

// Dashed curves of what theory predicts, at the sizes that were measured.
static void add_theory(struct plot *p, const struct view *v)
{
    struct quantity q;

    for (int i = 0; (q = figure_quantity(v->f, "theory", i)).expression; i++) {
        struct curve *c = add_curve(p, text_of("theory%d", i + 1), q.text, rgb(DARK));

        for (int r = 0; r < v->found.n; r++)
            if (view_usable(v, v->found.row[r]))
                add_row(p, c, v, v->found.row[r], q.expression);
        c->dashed = 1;
        finish_curve(p);
    }
}

// --- printing

static struct span_of_axis range_of(const struct plot *p, int of_y, int log)
{
    struct span_of_axis a = { INFINITY, -INFINITY, log };

    for (int i = 0; i < p->curves; i++)
        for (int k = 0; k < p->curve[i].n; k++) {
            double at = of_y ? p->curve[i].at[k].y * p->scale : p->curve[i].at[k].x;

            a.low = fmin(a.low, at), a.high = fmax(a.high, at);
        }
    return a;
}

static struct span_of_axis y_axis(const struct plot *p)
{
    int log = quantity_option(&p->y, "log") != NULL;
    struct span_of_axis a = range_of(p, 1, log);

    return log ? (struct span_of_axis){ a.low / 1.5, a.high * 1.5, 1 }
               : (struct span_of_axis){ 0, a.high * 1.05, 0 };
}

// The unit of the values, and the scale that they are printed with: linear axes are in the unit of
// the largest value, logarithmic ones in units without a prefix, which gnuplot's tics add.
static const char *unit_of(struct plot *p)
{
    const char *unit = quantity_option(&p->y, "unit");

    unit = unit ? unit : strcmp(p->y.expression, "rate") == 0 ? p->v->found.unit : "";
    p->scale = 1;
    if (!quantity_option(&p->y, "log"))
        p->scale = unit_scale(range_of(p, 1, 0).high, &unit);
    else if (unit[0] == 'G')
        p->scale = 1e9, unit++;
    return unit;
}

// "n (n x n)", of rows with two sides.
static const char *x_title(const struct plot *p)
{
    static const char *const sides[] = { "", "elements", "side n (n x n)", "side n (n x n x n)" };

    return p->x.text[0] ? p->x.text : sides[size_of(p->v->found.row[0]->size).sides];
}

static void print_curves(struct sheet *s, const struct plot *p)
{
    const char *series = "", *colors = "", *widths = "", *dashes = "", *titles = "";

    for (int i = 0; i < p->curves; i++) {
        const struct curve *c = &p->curve[i];

        series = with_word(series, c->name);
        colors = with_word(colors, color_text(c->color));
        widths = with_word(widths, c->label ? "2.5" : "1.2");
        dashes = with_word(dashes, c->dashed ? "2" : "1");
        titles = with_word(titles, field(c->label ? c->label : c->name));
        block_begin(s, c->name, text_of("%s: x, y", c->label ? c->label : c->name));
        for (int k = 0; k < c->n; k++)
            if (!c->at[k].odd)
                fprintf(s->data, "%.6g %.6g\n", c->at[k].x, c->at[k].y * p->scale);
    }
    block_begin(s, "odd", "sizes that tiles do not divide: x, y, color");
    for (int i = 0; i < p->curves; i++)
        for (int k = 0; k < p->curve[i].n; k++)
            if (p->curve[i].at[k].odd)
                fprintf(s->data, "%.6g %.6g %d\n", p->curve[i].at[k].x,
                        p->curve[i].at[k].y * p->scale, p->curve[i].color);
    sheet_text(s, "series", series);
    sheet_text(s, "colors", colors);
    sheet_text(s, "widths", widths);
    sheet_text(s, "dashes", dashes);
    sheet_text(s, "titles", titles);
}

static void print_labels(struct sheet *s, const struct plot *p)
{
    struct label *l = must_calloc(p->curves + 1, sizeof *l);
    int n = 0;

    for (int i = 0; i < p->curves; i++) {
        const struct curve *c = &p->curve[i];
        struct vertex end = c->at[c->n - 1];

        for (int k = c->n - 1; k > 0 && end.odd; k--)
            end = c->at[k - 1];
        if (c->label)
            l[n++] = (struct label){ end.x, end.y * p->scale, c->color, c->label };
    }
    sheet_labels(s, l, n, y_axis(p));
}

// Mark n of the figure: its x, or NaN if it has none or this one is outside the axis; and its text.
static void print_mark(struct sheet *s, const struct plot *p, const char *name, int n)
{
    struct span_of_axis x = range_of(p, 0, 0);
    struct quantity mark = figure_quantity(p->v->f, "mark", n);
    double at = NAN;

    for (int r = 0; r < p->v->found.n && mark.expression; r++)
        if (view_usable(p->v, p->v->found.row[r]) || view_over(p->v, "demos"))
            at = isnan(at) ? view_value(p->v, p->v->found.row[r], mark.expression) : at;
    sheet_number(s, name, at > x.low && at < x.high ? at : NAN);
    sheet_text(s, text_of("%s_text", name), mark.expression ? mark.text : "");
}

static void print_axes(struct sheet *s, const struct plot *p, const char *unit)
{
    const char *log_x = quantity_option(&p->x, "log"), *log_y = quantity_option(&p->y, "log");
    struct span_of_axis x = range_of(p, 0, 0), y = y_axis(p);

    sheet_number(s, "log_x", log_x ? atof(log_x) : 0);
    sheet_number(s, "log_y", log_y ? atof(log_y) : 0);
    sheet_number(s, "xmin", x.low), sheet_number(s, "xmax", x.high);
    sheet_number(s, "ymin", y.low), sheet_number(s, "ymax", y.high);
    sheet_text(s, "xtitle", x_title(p));
    sheet_text(s, "ytitle",
               view_over(p->v, "demos") ? unit
               : log_y || !unit[0]      ? p->y.text
               : p->y.text[0]           ? text_of("%s, %s", p->y.text, unit)
                                        : unit);
    sheet_text(s, "unit", log_y ? unit : "");
    print_mark(s, p, "mark", 0);
    print_mark(s, p, "mark2", 1);
}

// What the subtitle says about colors and points.
static const char *how_of(const struct plot *p, const struct view *v)
{
    const char *how = v->labels.how;
    int gray = 0, odd = 0;

    for (int i = 0; i < p->curves; i++) {
        gray |= p->curve[i].color == rgb(GRAY) && !p->curve[i].label;
        for (int k = 0; k < p->curve[i].n; k++)
            odd |= p->curve[i].at[k].odd;
    }
    if (gray)
        how = joined(how, "; ", "gray: other stages");
    if (odd)
        how = joined(how, "; ", "hollow: odd sizes");
    if (v->beside)
        how = joined(how, "; ", text_of("pale: %s", v->beside->found.row[0]->device));
    return how;
}

const char *draw_curves(struct sheet *s, struct view *v)
{
    struct plot p = { .v = v, .x = figure_quantity(v->f, "x", 0), .y = view_quantity(v, 0) };
    int demos = view_over(v, "demos"), points = 0, least = demos ? 2 : 5;
    const char *unit;

    if (!p.x.expression)
        fail("%s: figure %s: no line 'x'", v->f->line[0].where, v->f->name);
    if (demos)
        add_columns(&p, v);
    for (int gray = 1; gray >= 0 && !demos; gray--) {
        if (v->beside)
            add_stages(&p, v->beside, gray, 1);
        add_stages(&p, v, gray, 0);
    }
    for (int i = 0; i < p.curves; i++)
        points = p.curve[i].n > points ? p.curve[i].n : points;
    if (figure_line(v->f, "theory", 0))
        least = 2, add_theory(&p, v);
    if (points < least && demos)
        return text_of("no two rows are ok and have %s", p.y.expression);
    if (points < least)
        return text_of("only %d size%s: this figure needs at least %d", points,
                       points == 1 ? "" : "s", least);
    unit = unit_of(&p);
    print_axes(s, &p, unit);
    print_curves(s, &p);
    print_labels(s, &p);
    v->labels.how = how_of(&p, v);
    return NULL;
}

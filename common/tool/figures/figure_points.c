// Figures with points below roofs, on logarithmic axes: of stages, or of several weeks.
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Points below roofs, on logarithmic axes.

struct point {
    double x, y;   // x is infinite: a line across the plot
    int shape, color;
    int linked;          // by a line to the point before it
    const char *label;   // NULL: none
    const char *what;
};

struct roof {
    double rate;
    int slope;          // 1: rises with x, -1: falls, 0: flat
    double limit, at;   // where another roof cuts it; the place of its text along it, 0 to 1
    const char *text;
};

enum { MOST_ROOFS = 8 };

struct points {
    struct point *of;
    int n;
    struct roof roof[MOST_ROOFS];
    int roofs;
    double steepest;   // roof, where the flat ones begin
    struct span_of_axis x, y;
    const char *xtitle, *unit;
};

static double at_roof(const struct roof *r, double x) { return r->rate * pow(x, r->slope); }

// Where a roof begins and ends: at the edges of the plot, and at a roof that cuts it.
static void print_roof(struct sheet *s, const struct roof *r, const struct points *p)
{
    double low = p->x.low, high = p->x.high, top = fmin(r->limit, p->y.high), left = p->y.low;

    if (r->slope > 0)
        low = fmax(low, left / r->rate), high = fmin(high, top / r->rate);
    if (r->slope < 0)
        low = fmax(low, r->rate / top), high = fmin(high, r->rate / left);
    if (r->slope == 0 && p->steepest > 0)
        low = fmax(low, r->rate / p->steepest);
    // With a decimal point: gnuplot reads the word "9e+14" as no number.
    fprintf(s->data, "%#.6g %#.6g %#.6g %#.6g %d %g %s\n", low, at_roof(r, low), high,
            at_roof(r, high), r->slope, r->at, field(r->text));
}

// Prints the points. The axes reach beyond x and y as they are given, and beyond all points.
static void sheet_points(struct sheet *s, struct points *p)
{
    struct label *label = must_calloc(p->n + 1, sizeof *label);
    int labels = 0;

    p->x.log = p->y.log = 1;
    for (int i = 0; i < p->n; i++)
        widen(&p->x, p->of[i].x), widen(&p->y, p->of[i].y);
    p->x.low /= 2, p->x.high *= 2, p->y.low /= 1.8, p->y.high *= 1.9;
    for (int i = 0; i < p->roofs; i++)
        if (p->roof[i].slope > 0)
            p->steepest = fmax(p->steepest, p->roof[i].rate);
    block_begin(s, "points", "x, y, pointtype, color, what");
    for (int i = 0; i < p->n; i++)
        if (isfinite(p->of[i].x))
            fprintf(s->data, "%.6g %.6g %d %d %s\n", p->of[i].x, p->of[i].y, p->of[i].shape,
                    p->of[i].color, field(p->of[i].what));
    block_begin(s, "links",
                "lines between the points of a stage, and of references: x, y, x, y, color");
    for (int i = 0; i < p->n; i++) {
        const struct point *a = &p->of[i];

        if (!isfinite(a->x))
            fprintf(s->data, "%.6g %.6g %.6g %.6g %d\n", p->x.low, a->y, p->x.high, a->y, a->color);
        else if (a->linked)
            fprintf(s->data, "%.6g %.6g %.6g %.6g %d\n", a[-1].x, a[-1].y, a->x, a->y, a->color);
        if (a->label)
            label[labels++] =
                (struct label){ isfinite(a->x) ? a->x : p->x.high, a->y, a->color, a->label };
    }
    block_begin(s, "roofs", "x, y, x, y, slope, place of the text along it, text");
    for (int i = 0; i < p->roofs; i++)
        if (p->roof[i].rate > 0)
            print_roof(s, &p->roof[i], p);
    sheet_number(s, "xmin", p->x.low), sheet_number(s, "xmax", p->x.high);
    sheet_number(s, "ymin", p->y.low), sheet_number(s, "ymax", p->y.high);
    sheet_text(s, "xtitle", p->xtitle);
    sheet_text(s, "unit", p->unit);
    sheet_labels(s, label, labels, p->y);
}

static void add_point(struct points *p, struct point point)
{
    p->of = grown(p->of, p->n, sizeof *p->of);
    p->of[p->n++] = point;
}

// --- points of stages

// Adds the points of a stage: one for each line `x` that is known for it. A reference is a line.
// Returns whether there is one.
static int add_stage(struct points *p, const struct view *v, const char *stage, double scale)
{
    const struct row *row = view_row(v, stage, "");
    int color = stage_color(v, stage), n = 0, is_reference = name_is_reference(stage);
    struct quantity x, y = view_quantity(v, 0);
    double value = view_value(v, row, y.expression) * scale;
    const char *label = color == rgb(GRAY) ? NULL : stage_label(v, stage);

    if (is_reference) {
        add_point(p, (struct point){ INFINITY, value, 7, color, 0, label, label });
        return 1;
    }
    for (int i = 0; (x = figure_quantity(v->f, "x", i)).expression; i++) {
        const char *instead = quantity_option(&x, "unless");
        double at = view_value(v, row, x.expression);

        if (!(at > 0) || (instead && n))
            continue;
        add_point(p, (struct point){ at, value,
                                     i == 0   ? 7
                                     : i == 1 ? 6
                                              : 9,
                                     color, n > 0, n ? NULL : label,
                                     text_of("%s %s", stage, x.text) });
        n++;
    }
    return n > 0;
}

// Adds the roof of a line, unless another week has the same one.
static void add_roof(struct points *p, const struct view *v, const struct quantity *q, double rate,
                     double scale)
{
    const char *slope = quantity_option(q, "slope"), *unit = quantity_option(q, "unit"),
               *at = quantity_option(q, "at");
    struct roof roof = { rate * scale, slope ? atoi(slope) : 0, INFINITY, 0.7, q->text };

    unit = unit ? unit : roof.slope ? "" : v->found.unit;
    roof.text = unit[0] ? text_of("%s %s", q->text, readable(rate, unit)) : q->text;
    roof.at = at ? atof(at) : roof.slope > 0 ? 0.3 : roof.slope ? 0.55 : 0.72;
    for (int i = 0; i < p->roofs; i++)
        if (strcmp(p->roof[i].text, roof.text) == 0)
            return;
    if (p->roofs == MOST_ROOFS)
        fail("figure %s: more than %d roofs", v->f->name, MOST_ROOFS);
    p->roof[p->roofs++] = roof;
    if (!roof.slope)
        widen(&p->y, roof.rate);
}

// Adds the roofs of all weeks. Returns what is missing, or NULL.
static const char *add_roofs(struct points *p, const struct view *v, double scale)
{
    const char *lacks = NULL;
    struct quantity q;
    double top = NAN;

    for (; v; v = v->next)
        for (int i = 0; (q = figure_quantity(v->f, "roof", i)).expression; i++) {
            double rate = view_highest(v, q.expression);

            if (isnan(rate) && !quantity_has(&q, "optional"))
                lacks = text_of("no row has %s", q.expression);
            if (!isnan(rate))
                add_roof(p, v, &q, rate, scale);
        }
    for (int i = 0; i < p->roofs; i++)
        if (!p->roof[i].slope)
            top = fmax(top, p->roof[i].rate);
    for (int i = 0; i < p->roofs; i++)
        if (p->roof[i].slope > 0 && !isnan(top))
            p->roof[i].limit = top, widen(&p->x, top / p->roof[i].rate);
    return lacks;
}

double share_of_roof(const struct view *v, const struct row *row)
{
    double x = view_value(v, row, figure_quantity(v->f, "x", 0).expression), lowest = NAN;
    struct quantity q;

    for (int i = 0; (q = figure_quantity(v->f, "roof", i)).expression; i++) {
        const char *slope = quantity_option(&q, "slope");

        lowest = fmin(lowest, view_highest(v, q.expression) * pow(x, slope ? atoi(slope) : 0));
    }
    return view_value(v, row, view_quantity(v, 0).expression) / lowest;
}

// Adds the points of a comparison of weeks: hollow, filled, and a triangle for the library. Returns
// their number.
static int add_compared(struct points *p, const struct view *v, double scale)
{
    struct comparison c = comparison_of(v);

    for (int i = 0; i < c.n && c.of[i].row; i++) {
        const struct compared *of = &c.of[i];
        int is_library = name_is_reference(of->stage),
            is_last = strcmp(of->stage, of->v->role[LAST]) == 0;

        add_point(
            p, (struct point){
                   view_value(of->v, of->row, figure_quantity(of->v->f, "x", 0).expression),
                   view_value(of->v, of->row, view_quantity(of->v, 0).expression) * scale,
                   is_library ? 9
                   : is_last  ? 7
                              : 6,
                   of->color, is_last,
                   is_library ? NULL : text_of("%s  %s", of->name, percent_text(of->value / 100)),
                   text_of("%s %s", of->v->week, of->stage) });
    }
    return c.n;
}

const char *draw_points(struct sheet *s, struct view *v)
{
    struct points p = { .x = { INFINITY, 0, 1 }, .y = { INFINITY, 0, 1 } };
    struct quantity y = view_quantity(v, 0);
    const char *unit = quantity_option(&y, "unit"), *lacks, *list = "";
    int stages = 0;
    double scale;

    unit = unit ? unit : v->found.unit;
    scale = unit[0] == 'G' ? 1e9 : 1;
    p.unit = unit[0] == 'G' ? unit + 1 : unit;
    p.xtitle = figure_quantity(v->f, "x", 0).text;
    lacks = add_roofs(&p, v, scale);
    if (lacks)
        return lacks;
    if (is_comparison(v->f))
        stages = add_compared(&p, v, scale);
    for (int gray = 1; gray >= 0; gray--)
        for (int i = 0; i < v->found.all; i++) {
            const struct row *row = view_row(v, v->found.stage[i], "");
            int is_copy = strcmp(v->found.stage[i], "ref_memcpy") == 0;

            if ((stage_color(v, v->found.stage[i]) == rgb(GRAY)) != gray)
                continue;
            if (i >= v->found.stages && figure_has(v->f, "show", "copy") && !is_copy)
                continue;
            if (view_usable(v, row) && add_stage(&p, v, v->found.stage[i], scale))
                stages += i < v->found.stages;
            else
                list = joined(list, ", ", text_of("%d", stage_number(v->found.stage[i])));
        }
    if (!stages)
        return text_of("no stage has a rate and %s", figure_quantity(v->f, "x", 0).text);
    if (list[0])
        v->labels.how = text_of("%s; not measured: %s", v->labels.how, list);
    sheet_points(s, &p);
    return NULL;
}

// Figures with curves against the size of the problem or a stride, and with points below roofs.
// Axes are linear or logarithmic; each curve has a label beside its end.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"

struct vertex {
    double x, y;
    int shape;          // of a single point
    const char *what;   // the data of a single point
};

struct curve {
    const char *label;
    int color, dashed, unlabeled;
    struct vertex *at;
    int n;
};

// Sets the points of a row, at most 2, except y. Returns how many.
typedef int points_of(const struct view *, const struct row *, struct vertex *);

struct plot {
    struct curve *curve;
    int curves, log_x, log_y;   // logs: base; 0: linear
    points_of *of;              // NULL: the curves are not of stages
    int points_only;
    const char *x_title, *y_title, *y_unit;
    double low_x, high_x, low_y, high_y;
    double x, w;   // on the page, labels included; 0: the whole width
};

static int by_x(const void *a, const void *b)
{
    const struct vertex *v = a, *w = b;

    return v->x < w->x ? -1 : v->x > w->x;
}

// Adds a curve through these points in ascending x. Points with the same x, of several seeds, are
// replaced by their mean.
static struct curve *add_curve(struct plot *p, const char *label, int color,
                               const struct vertex *given, int n)
{
    struct curve *c;

    p->curve = grown(p->curve, p->curves, sizeof *p->curve);
    c = &p->curve[p->curves++];
    *c = (struct curve){ .label = label, .color = color };
    c->at = must_malloc((n + 1) * sizeof *c->at);
    memcpy(c->at, given, n * sizeof *c->at);
    qsort(c->at, n, sizeof *c->at, by_x);
    for (int i = 0, same; i < n; i += same) {
        struct vertex mean = c->at[i];

        for (same = 1; i + same < n && c->at[i + same].x == mean.x; same++)
            mean.y += c->at[i + same].y;
        mean.y /= same;
        c->at[c->n++] = mean;
    }
    return c;
}

static void widen(struct plot *p, double x, double y)
{
    if (isfinite(x) && (x > 0 || !p->log_x))
        p->low_x = fmin(p->low_x, x), p->high_x = fmax(p->high_x, x);
    if (isfinite(y) && (y > 0 || !p->log_y))
        p->low_y = fmin(p->low_y, y), p->high_y = fmax(p->high_y, y);
}

static void set_ranges(struct plot *p)
{
    p->low_x = p->low_y = INFINITY, p->high_x = p->high_y = -INFINITY;
    for (int i = 0; i < p->curves; i++)
        for (int k = 0; k < p->curve[i].n; k++)
            widen(p, p->curve[i].at[k].x, p->curve[i].at[k].y);
    p->low_y = p->log_y ? p->low_y : 0;
}

// Adds room around the curves, as factors. A linear y axis begins at 0.
static void pad_ranges(struct plot *p, double x, double low_y, double high_y)
{
    double gap = 0.02 * (p->high_x - p->low_x);

    p->low_x = p->log_x ? p->low_x / x : p->low_x - gap;
    p->high_x = p->log_x ? p->high_x * x : p->high_x + gap;
    p->low_y /= low_y, p->high_y *= high_y;
}

// --- labels beside the ends of curves, moved apart; if there are too many, neighbors share one

struct label {
    const char *text;
    struct vertex end;   // the end of the curve on the page
    int color, merged;
};

static int by_height(const void *a, const void *b)
{
    const struct label *x = a, *y = b;

    if (x->end.y == y->end.y)
        return (y->color == GRAY) - (x->color == GRAY);
    return x->end.y < y->end.y ? -1 : 1;
}

// Only the stage's number, because names would be too long.
static const char *brief(const struct label *l)
{
    return l->merged ? l->text : text_of("%.*s", (int)strcspn(l->text, " "), l->text);
}

static const char *brief_pair(const struct label *l)
{
    return text_of("%s, %s", brief(l), brief(l + 1));
}

// Merges gray neighbors, the closest first, until at most `most` labels are left. A shared label is
// at most `widest` wide.
static int merge_labels(struct label *l, int n, int most, double widest)
{
    for (; n > most; n--) {
        int closest = 0;

        for (int i = 1; i < n; i++)
            if (l[i].color == GRAY && l[i - 1].color == GRAY &&
                text_width(brief_pair(&l[i - 1])) <= widest &&
                (!closest || l[i].end.y - l[i - 1].end.y < l[closest].end.y - l[closest - 1].end.y))
                closest = i;
        if (!closest)
            break;
        l[closest - 1].text = brief_pair(&l[closest - 1]);
        l[closest - 1].merged = 1;
        memmove(&l[closest], &l[closest + 1], (n - closest - 1) * sizeof *l);
    }
    return n;
}

static double widest_label(const struct plot *plot)
{
    double w = 0;

    for (int i = 0; i < plot->curves; i++)
        if (!plot->curve[i].unlabeled)
            w = fmax(w, text_width(plot->curve[i].label));
    return w + 1.8;
}

// Draws the labels, and a line from each curve's end to its label.
static void draw_labels(struct page *page, const struct plot *plot, const struct panel *p)
{
    struct label *l = must_calloc(plot->curves, sizeof *l);
    double *at = must_calloc(plot->curves, sizeof *at), x = p->x + p->w;
    int n = 0;

    for (int i = 0; i < plot->curves; i++) {
        const struct curve *c = &plot->curve[i];
        struct vertex end = c->at[c->n - 1];

        end = (struct vertex){ page_x(p, fmin(end.x, p->ax.high)), page_y(p, end.y), 0, "" };
        if (!c->unlabeled)
            l[n++] = (struct label){ c->label, end, c->color, 0 };
    }
    qsort(l, n, sizeof *l, by_height);
    n = merge_labels(l, n, (int)((p->h + 1) / LINE), widest_label(plot));
    for (int i = 0; i < n; i++)
        at[i] = l[i].end.y;
    spread(at, n, LINE, p->y, p->y + p->h);
    for (int i = 0; i < n; i++) {
        double y = l[i].end.y;

        page_text(page, x + 1.5, at[i], LEFT, l[i].color == GRAY ? DARK : l[i].color, l[i].text);
        put_line(page->panel[0], l[i].end.x + 0.2, y, x + 0.3, y, paler(l[i].color), 1);
        put_line(page->panel[0], x + 0.3, y, x + 1.3, at[i], paler(l[i].color), 0);
    }
}

// --- a panel of curves

static double widest_tic(const char *tics)
{
    double w = 0;

    for (const char *at = strchr(tics, '\''); at; at = strchr(at, '\'')) {
        size_t n = strcspn(at + 1, "'");

        w = fmax(w, text_width(text_of("%.*s", (int)n, at + 1)));
        at += n + 2;
    }
    return w;
}

// Adds the panel with its axes and their titles. The page's first panel is for marks outside of it.
static struct panel *draw_axes(struct page *page, const struct plot *plot)
{
    struct axis ay = axis_of(plot->low_y, plot->high_y, plot->log_y, 7, plot->y_unit);
    double top = TOP - 1.4, bottom = BOTTOM + 3.1, left = widest_tic(ay.tics) + 0.8;
    double x = plot->w > 0 ? plot->x : MARGIN;
    double w = (plot->w > 0 ? plot->w : PAGE_W - 2 * MARGIN) - left - widest_label(plot);
    int most = (int)(w / (plot->log_x ? 3 : 5));
    const char *y_title = plot->y_title;

    if (!page->n)
        page_panel(page, 0, 0, PAGE_W, PAGE_H, (struct axis){ 0, PAGE_W, 0, "" },
                   (struct axis){ 0, PAGE_H, 0, "" });
    if (!plot->log_y && plot->y_unit[0])   // linear tics have no unit
        y_title = text_of("%s%s%s", y_title, y_title[0] ? ", " : "",
                          axis_unit(plot->high_y, plot->y_unit));
    page_text(page, x, top + 1.0, LEFT, DARK, y_title);
    page_text(page, x + left + w, BOTTOM + 0.6, RIGHT, DARK, plot->x_title);
    return page_panel(page, x + left, bottom, w, top - bottom,
                      axis_of(plot->low_x, plot->high_x, plot->log_x, most, ""), ay);
}

static void draw_curve(struct panel *p, const struct curve *c)
{
    put_gap(p, c->dashed, c->label);
    for (int k = 0; k < c->n; k++)
        if (!p->ay.log || c->at[k].y > 0) {
            put_vertex(p, c->at[k].x, c->at[k].y, c->color, c->dashed);
            if (c->color != GRAY && !c->dashed)
                put_point(p, c->at[k].x, c->at[k].y, c->color, 7, c->label);
        }
}

// The points of a stage, connected by a line; a reference's rate is a horizontal line.
static void draw_points(struct panel *p, const struct curve *c)
{
    if (c->n == 2)
        put_line(p, c->at[0].x, c->at[0].y, c->at[1].x, c->at[1].y, c->color, 0);
    for (int k = 0; k < c->n; k++)
        if (isinf(c->at[k].x))
            put_line(p, p->ax.low, c->at[k].y, p->ax.high, c->at[k].y, c->color, 1);
        else
            put_point(p, c->at[k].x, c->at[k].y, c->color, c->at[k].shape, c->at[k].what);
}

static struct panel *draw_plot(struct page *page, const struct plot *plot)
{
    struct panel *p = draw_axes(page, plot);

    for (int gray = 1; gray >= 0; gray--)   // gray curves are behind the others
        for (int i = 0; i < plot->curves; i++)
            if ((plot->curve[i].color == GRAY) == gray)
                (plot->points_only ? draw_points : draw_curve)(p, &plot->curve[i]);
    draw_labels(page, plot, p);
    return p;
}

// A vertical line with a text above it.
static void draw_mark(struct page *page, const struct panel *p, double at, const char *text)
{
    double x = page_x(p, at);

    put_line(page->panel[0], x, p->y, x, p->y + p->h, GRAY, 1);
    page_text(page, x, p->y + p->h + 0.8, CENTER, DARK, text);
}

// --- curves and points of stages

// Adds the stages of a view. group 0: those with the type's own precision, 1: those with another
// one, -1: all. Those of a second device are paler and have no labels.
static void add_stages(struct plot *p, const struct view *v, int group, int is_beside)
{
    struct vertex *at = must_malloc((2 * v->n + 1) * sizeof *at);
    int references = 0;

    for (int i = 0; i < v->all; i++) {
        const char *label = stage_label(v, v->stage[i]);
        int n = 0, color = stage_color(v, v->stage[i]);
        struct curve *c;

        for (int r = 0; r < v->n; r++) {
            const struct row *row = v->row[r];
            int more = 0;

            if (strcmp(row->stage, v->stage[i]) == 0 && view_usable(v, row) && !row->variant[0] &&
                (group < 0 || group == (row->arithmetic[0] != '\0')))
                more = p->of(v, row, &at[n]);
            for (; more > 0; more--)
                at[n++].y = view_value(v, row);
        }
        if (!n)
            continue;
        label = is_beside ? text_of("%s, %s", label, v->row[0]->device) : label;
        c = add_curve(p, label, is_beside ? paler(color) : color, at, n);
        c->unlabeled = is_beside;
        c->dashed = color == BLACK && references++ % 2;
    }
    free(at);
    set_ranges(p);
}

// Sizes whose sides differ are skipped, because they would put a kink into the curves.
static int at_side(const struct view *v, const struct row *r, struct vertex *at)
{
    (void)v;
    *at = (struct vertex){ .x = size_of(r->size).mean };
    return size_of(r->size).equal_sides;
}

static int at_last_side(const struct view *v, const struct row *r, struct vertex *at)
{
    struct size size = size_of(r->size);

    (void)v;
    *at = (struct vertex){ .x = size.side[size.sides - 1] };
    return 1;
}

// --- curves over sizes

struct sweep {
    const char *figure, *y_title, *unit;   // NULL: the unit of the rows
    points_of *of;
    int log_x, log_y;
    int with_l2;                   // mark the size of the L2 cache
    double bottom, top;            // the y axis covers at least this range
    double (*theory[2])(double);   // dashed; the y axis covers all of the first
    const char *theory_text[2];
};

// The largest relative error of rounding to a float.
static double rounding(double k) { return ldexp(1, -24) + 0 * k; }

// The error of a sum if rounding errors are random: the square root of the number of additions
// through which an element passes (N. J. Higham, T. Mary, SIAM J. Sci. Comput. 42(5), 2020).
static double one_after_the_other(double n) { return sqrt(n / 2); }
static double in_a_tree(double n) { return sqrt(log2(n)); }

static const struct sweep sweeps[] = {
    { "shmoo", "", NULL, at_side, 2, 0, .with_l2 = 1 },
    { "sawtooth", "", NULL, at_side, 0, .log_y = 0 },
    { "time_per_element", "time per element", "s", at_side, 2, 10, .with_l2 = 1 },
    { "count_shmoo", "sectors per element", "", at_side, 2, .log_y = 0 },
    { "accuracy", "max |error| / (K / 4)", "", at_last_side, 2, 10, .bottom = 1e-8, .top = 1e-6,
      .theory = { rounding }, .theory_text = { "2^-24" } },
    { "summation_error", "error / (2^-24 sqrt(n / 3))", "", at_side, 2, 10,
      .theory = { one_after_the_other, in_a_tree },
      .theory_text = { "sqrt(n / 2)", "sqrt(log2 n)" } },
};
enum { SWEEPS = sizeof sweeps / sizeof *sweeps };

// Marks the size at which the arrays are as large as the L2 cache. Bytes grow with the length of a
// vector, otherwise with the square of the side.
static void draw_l2(struct page *page, const struct view *v, const struct panel *p)
{
    double x = NAN, l2 = NAN;

    for (int r = 0; r < v->n; r++) {
        const struct row *row = v->row[r];
        struct size size = size_of(row->size);
        double bytes = row_number(row, COLUMN_bytes);

        if (!view_usable(v, row) || !size.equal_sides || !(row_number(row, COLUMN_l2_bytes) > 0))
            continue;
        l2 = row_number(row, COLUMN_l2_bytes);
        x = bytes > 0 ? size.mean * pow(l2 / bytes, size.sides > 1 ? 0.5 : 1) : x;
    }
    if (x > p->ax.low && x < p->ax.high)
        draw_mark(page, p, x, text_of("L2: %.3g MiB", ldexp(l2, -20)));
}

// The title of the x axis: "K, of 4096x4096xK" if all sizes have that form.
static const char *size_title(const struct view *v, const struct sweep *s)
{
    const char *size = v->row[0]->size, *last = strrchr(size, 'x');
    int n = last ? (int)(last - size) + 1 : 0, alike = 1;

    for (int r = 0; r < v->n; r++)
        alike &= strncmp(size, v->row[r]->size, n) == 0;
    if (s->of == at_last_side)
        return alike ? text_of("K, of %.*sK", n, size) : "K";
    return !last ? "elements" : size_of(size).sides == 2 ? "side n (n x n)" : "side n (n x n x n)";
}

static void add_theory(struct plot *p, const struct sweep *s)
{
    struct vertex at[65] = { { .x = p->low_x } };

    for (int k = 0; k < 2 && s->theory[k]; k++) {
        for (int i = 0; i <= 64; i++) {
            at[i].x = p->low_x * pow(p->high_x / p->low_x, i / 64.0);
            at[i].y = s->theory[k](at[i].x);
        }
        add_curve(p, s->theory_text[k], DARK, at, 65)->dashed = 1;
    }
    if (s->theory[0])
        p->high_y = fmax(p->high_y, s->theory[0](p->high_x));
}

// One panel, or two if some stages compute with another precision. A sweep of rates needs at least
// five sizes.
const char *draw_sweep(struct page *page, struct view *v)
{
    struct plot plot[2] = { { .curves = 0 }, { .curves = 0 } };
    int split = v->f->flags & SPLIT_ARITHMETIC, sizes = 0, least;
    const struct sweep *s = sweeps;

    while (s < sweeps + SWEEPS && strcmp(s->figure, v->f->name) != 0)
        s++;
    if (s == sweeps + SWEEPS)
        fail("figure %s: sweeps[] of figure_curves.c has no row for it", v->f->name);
    for (int g = 0; g < 2; g++) {
        plot[g].of = s->of, plot[g].log_x = s->log_x, plot[g].log_y = s->log_y;
        plot[g].x_title = size_title(v, s), plot[g].y_title = s->y_title;
        plot[g].y_unit = s->unit ? s->unit : v->unit;
        add_stages(&plot[g], v, split ? g : -1, 0);
        if (v->beside)
            add_stages(&plot[g], v->beside, split ? g : -1, 1);
    }
    for (int i = 0; i < plot[0].curves; i++)
        sizes = plot[0].curve[i].n > sizes ? plot[0].curve[i].n : sizes;
    least = s->theory[0] ? 2 : 5;
    if (sizes < least)
        return text_of("only %d size%s: this figure needs at least %d", sizes,
                       sizes == 1 ? "" : "s", least);
    if (split && plot[1].curves) {
        plot[0].x = MARGIN, plot[0].w = 0.61 * PAGE_W - MARGIN, plot[0].y_title = "fp32";
        plot[1].x = 0.62 * PAGE_W, plot[1].w = 0.38 * PAGE_W - MARGIN;
        plot[1].y_title = "TF32 tensor cores (own scale)";
    }
    for (int g = 0; g < (split && plot[1].curves ? 2 : 1); g++) {
        struct panel *p;

        widen(&plot[g], NAN, s->bottom), widen(&plot[g], NAN, s->top);
        add_theory(&plot[g], s);
        pad_ranges(&plot[g], 1.06, 1.6, s->log_y ? 1.3 : 1.06);
        p = draw_plot(page, &plot[g]);
        if (s->with_l2 && g == 0)
            draw_l2(page, v, p);
    }
    if (v->beside)
        v->how = text_of("pale: %s", v->beside->row[0]->device);
    return NULL;
}

// --- strides

// Used and moved bytes against the stride: as bandwidth or, on the CPU device, as bytes per word.
const char *draw_access(struct page *page, struct view *v)
{
    static const struct {
        enum column column;
        int color;
        const char *label;
    } kind[] = { { COLUMN_moved_bytes, ORANGE, "moved, in sectors" },
                 { COLUMN_dram_bytes, GREEN, "moved by DRAM" },
                 { COLUMN_used_bytes, BLUE, "used" } };
    struct plot plot = { .log_x = 2 };
    struct vertex *at = must_malloc((v->n + 1) * sizeof *at);
    int timed = 0, n = 0;

    v->mode = NULL;
    for (int r = 0; r < v->n; r++)
        if (row_is_ok(v->row[r]) && !isnan(v->f->value(v, v->row[r])) && !timed) {
            v->mode = v->row[r]->mode;
            timed = strcmp(v->mode, "cold") == 0;
        }
    if (!v->mode)
        return "no row is ok and has a stride";
    for (int k = 0; k < 3; k++, n = 0) {
        for (int r = 0; r < v->n; r++) {
            const struct row *row = v->row[r];
            double stride = v->f->value(v, row), bytes = row_number(row, kind[k].column);
            double word = timed ? row_number(row, COLUMN_rate) : 4;

            if (row_is_ok(row) && strcmp(row->mode, v->mode) == 0 && stride > 0 && bytes > 0)
                at[n++] = (struct vertex){ .x = stride,
                                           .y = word * bytes / row_number(row, COLUMN_used_bytes) };
        }
        if (n)
            add_curve(&plot, kind[k].label, kind[k].color, at, n);
    }
    if (!plot.curves || plot.curve[0].n < 2)
        return "only one stride: a curve needs at least two";
    v->title = timed ? "bandwidth of strided loads" : "bytes moved by strided loads";
    plot.y_unit = timed ? "GB/s" : "";
    plot.y_title = timed ? "" : "bytes moved per word of 4 bytes";
    plot.x_title = "stride, in words of 4 bytes";
    set_ranges(&plot);
    pad_ranges(&plot, 1.06, 1, 1.06);
    draw_mark(page, draw_plot(page, &plot), 8, "one sector per word");
    return NULL;
}

// --- points under roofs

struct roof {
    const char *name, *unit;
    double rate;
    int slope;   // 1: rises with x, -1: falls, 0: flat
    int color, dashed;
    double limit, at;   // where another roof cuts it; position of its name along it, 0 to 1
};

static double at_roof(const struct roof *r, double x) { return r->rate * pow(x, r->slope); }

// Draws a roof up to where another one cuts it, with its name along it.
static void draw_roof(struct page *page, struct panel *p, const struct roof *r)
{
    double x0 = p->ax.low, x1 = p->ax.high, high = fmin(r->limit, p->ay.high), x, dx, dy, angle;
    const char *text = r->unit ? text_of("%s %s", r->name, readable(r->rate, r->unit)) : r->name;

    if (isnan(r->rate))
        return;
    if (r->slope > 0)
        x0 = fmax(x0, p->ay.low / r->rate), x1 = fmin(x1, high / r->rate);
    if (r->slope < 0)
        x0 = fmax(x0, r->rate / high), x1 = fmin(x1, r->rate / p->ay.low);
    put_line(p, x0, at_roof(r, x0), x1, at_roof(r, x1), r->color, r->dashed);
    x = x0 * pow(x1 / x0, r->at);
    dx = page_x(p, x1) - page_x(p, x0), dy = page_y(p, at_roof(r, x1)) - page_y(p, at_roof(r, x0));
    angle = atan2(dy, dx);
    page_rotated(page, page_x(p, x) - 0.8 * sin(angle), page_y(p, at_roof(r, x)) + 0.8 * cos(angle),
                 angle * 45 / atan(1), r->color, text);
}

// The highest measured rate of the roofs with this name; with NULL, of all roofs with another
// precision. NaN if there is none.
static double roof_rate(const struct view *v, const char *name)
{
    double rate = NAN;

    for (size_t r = 0; r < v->t.n; r++) {
        const struct row *row = &v->t.row[r];

        if (strcmp(row->mode, "roof") == 0 && row_is_ok(row) &&
            (name ? strcmp(row->name, name) == 0 : row->arithmetic[0] != '\0'))
            rate = fmax(rate, row_number(row, COLUMN_rate));
    }
    return rate;
}

// Flops per byte read from L2, and per byte of DRAM traffic or, without that count, per byte that
// the problem needs.
static int intensities(const struct view *v, const struct row *r, struct vertex *at)
{
    double flops = row_number(r, COLUMN_flops), l2 = counted(v, r, COLUMN_l2_read_bytes);
    double dram = counted(v, r, COLUMN_dram_read_bytes) + counted(v, r, COLUMN_dram_write_bytes);
    int n = 0;

    if (row_is_reference(r))
        at[n++] = (struct vertex){ .x = INFINITY };
    else if (l2 > 0)
        at[n++] = (struct vertex){ flops / l2, NAN, 6, text_of("%s|L2", r->stage) };
    if (!row_is_reference(r))
        at[n++] = dram > 0 ? (struct vertex){ flops / dram, NAN, 7, text_of("%s|DRAM", r->stage) }
                           : (struct vertex){ flops / row_number(r, COLUMN_bytes), NAN, 9,
                                              text_of("%s|needed", r->stage) };
    return n;
}

static int instructions(const struct view *v, const struct row *r, struct vertex *at)
{
    double n = 32 * counted(v, r, COLUMN_instructions) / size_of(r->size).product;

    *at = (struct vertex){ row_is_reference(r) ? INFINITY : n, NAN, 7, stage_label(v, r->stage) };
    return 1;
}

// Points of stages on logarithmic axes; a reference is a line.
static struct plot scatter(const struct view *v, points_of *of, const char *x_title)
{
    struct plot plot = { .of = of, .log_x = 10, .log_y = 10, .points_only = 1, .y_title = "" };

    plot.x_title = x_title, plot.y_unit = v->unit;
    add_stages(&plot, v, -1, 0);
    return plot;
}

// Draws the points and the roofs. A roof without a name ends the list.
static void draw_scatter(struct page *page, struct view *v, const struct plot *plot,
                         const struct roof *roof)
{
    struct panel *p = draw_plot(page, plot);
    const char *list = "";

    for (; roof->name; roof++)
        draw_roof(page, p, roof);
    for (int i = 0; i < v->stages; i++)
        if (!view_usable(v, view_row(v, v->stage[i], "")))
            list = text_of("%s%s%s", list, list[0] ? ", " : "", v->stage[i] + strlen("stage"));
    if (list[0])
        v->how = text_of("%s; not measured: %s", v->how, list);
}

const char *draw_roofline(struct page *page, struct view *v)
{
    double peak = roof_rate(v, "fma"), memory = roof_rate(v, "read"), cache = roof_rate(v, "l2");
    double tensor = roof_rate(v, NULL), top = fmax(peak, tensor);
    struct roof roof[] = {
        { "DRAM", "GB/s", memory, 1, BLACK, 0, top, 0.3 },
        { "L2", "GB/s", cache, 1, DARK, 1, top, 0.3 },
        { "fp32 FMA peak", v->unit, peak, 0, BLACK, 0, INFINITY, 0.74 },
        { "TF32 tensor-core peak", v->unit, tensor, 0, BLACK, 0, INFINITY, 0.7 },
        { .name = NULL },
    };
    struct plot plot;

    if (isnan(peak) || isnan(memory))
        return text_of("no row of mode roof for %s", isnan(peak) ? "fma" : "read");
    if (strcmp(v->unit, "GFLOP/s") != 0)
        return text_of("its rates are in %s, not in GFLOP/s", v->unit);
    plot = scatter(v, intensities,
                   "flops per byte: of DRAM (filled), of L2 (hollow), needed (triangle)");
    widen(&plot, peak / memory / 8, peak);
    widen(&plot, top / memory, top);
    pad_ranges(&plot, 2, 2, 1.9);
    draw_scatter(page, v, &plot, roof);
    return NULL;
}

// The thread instructions, in 10^9 per second, that the GPU can issue at its clock under the
// profiler.
static double issue_rate(const struct view *v)
{
    double most = NAN;

    for (size_t r = 0; r < v->t.n; r++) {
        const struct row *row = &v->t.row[r];

        if (strcmp(row->mode, "count") == 0 && strcmp(row->size, v->size) == 0)
            most = fmax(most, 32e-9 * row_number(row, COLUMN_issue_per_cycle) *
                                  row_number(row, COLUMN_cycles_per_second));
    }
    return most;
}

const char *draw_instructions(struct page *page, struct view *v)
{
    const char *name = "as fast as instructions are issued";
    struct roof roof[] = { { name, NULL, issue_rate(v), -1, BLACK, 0, INFINITY, 0.55 },
                           { .name = NULL } };
    struct plot plot;

    v->all = v->stages;   // of the references the copy alone
    v->stage[v->all++] = "ref_memcpy";
    plot = scatter(v, instructions, "instructions per thread and element");
    for (int i = 0; i < plot.curves; i++)
        if (plot.curve[i].color == BLACK)
            plot.curve[i].label =
                text_of("%s %s", plot.curve[i].label, readable(plot.curve[i].at[0].y, v->unit));
    pad_ranges(&plot, 1.3, 1.4, 1.6);
    draw_scatter(page, v, &plot, roof);
    return NULL;
}

// Figures of curves over the size of the problem or a stride, and of points under roofs: linear or
// logarithmic axes, and a label beside the end of each curve.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"

enum { MOST_CURVES = 80 };

struct vertex {
    double x, y;
};

struct curve {
    const char *label;
    int color, dashed, unlabeled;
    struct vertex *at;
    int n;
};

struct plot {
    struct curve curve[MOST_CURVES];
    int curves, log_x, log_y;
    const char *x_title, *y_title, *y_unit;
    double low_x, high_x, low_y, high_y;
    double x, w;   // on the page, labels included
    int points_only;
    double bottom_y;   // at most, where the axis begins; 0: by the data
};

static struct curve *add_curve(struct plot *p, const char *label, int color)
{
    struct curve *c = &p->curve[p->curves < MOST_CURVES - 1 ? p->curves++ : p->curves];

    *c = (struct curve){ .label = label, .color = color };
    return c;
}

// Points by x; those of one x, of several seeds, are their mean.
static void add_vertices(struct curve *c, const struct vertex *given, int n)
{
    struct vertex *v = malloc((n + 1) * sizeof *v);
    int *count = calloc(n + 1, sizeof *count);

    for (int i = 0; i < n; i++) {
        int at = 0;

        while (at < c->n && v[at].x < given[i].x)
            at++;
        if (at == c->n || v[at].x != given[i].x) {
            memmove(&v[at + 1], &v[at], (c->n - at) * sizeof *v);
            memmove(&count[at + 1], &count[at], (c->n - at) * sizeof *count);
            v[at] = (struct vertex){ given[i].x, 0 };
            count[at] = 0;
            c->n++;
        }
        v[at].y += given[i].y;
        count[at]++;
    }
    for (int i = 0; i < c->n; i++)
        v[i].y /= count[i];
    free(count);
    c->at = v;
}

static void set_ranges(struct plot *p)
{
    double low_y = INFINITY;

    p->low_x = INFINITY, p->high_x = -INFINITY, p->high_y = -INFINITY;
    for (int i = 0; i < p->curves; i++)
        for (int k = 0; k < p->curve[i].n; k++) {
            struct vertex v = p->curve[i].at[k];

            p->low_x = fmin(p->low_x, v.x), p->high_x = fmax(p->high_x, v.x);
            p->high_y = fmax(p->high_y, v.y);
            low_y = v.y > 0 || !p->log_y ? fmin(low_y, v.y) : low_y;
        }
    p->low_y = p->log_y ? low_y : 0;
    if (p->bottom_y)
        p->low_y = fmin(p->low_y, p->bottom_y);
}

// --- labels beside the curves' ends, apart from each other; of too many, neighbors share one

struct label {
    const char *text;
    double end_x, end_y, at;   // of the curve, in its units; on the page
    int color, merged;
};

static int by_height(const void *a, const void *b)
{
    const struct label *x = a, *y = b;

    return x->at < y->at ? -1 : x->at > y->at;
}

static int merge_labels(struct label *l, int n, int most)
{
    while (n > most) {
        int closest = -1;

        for (int i = 1; i < n; i++)
            if (l[i].color == GRAY && l[i - 1].color == GRAY &&
                (closest < 0 || l[i].at - l[i - 1].at < l[closest].at - l[closest - 1].at))
                closest = i;
        if (closest < 0)
            break;
        // numbers alone: names would be too long
        l[closest - 1].text = text_of(
            "%.*s, %.*s", (int)strcspn(l[closest - 1].text, l[closest - 1].merged ? "" : " "),
            l[closest - 1].text, (int)strcspn(l[closest].text, l[closest].merged ? "" : " "),
            l[closest].text);
        l[closest - 1].merged = 1;
        memmove(&l[closest], &l[closest + 1], (n - closest - 1) * sizeof *l);
        n--;
    }
    return n;
}

static void draw_labels(struct page *page, struct panel *p, struct label *l, int n)
{
    double at[MOST_CURVES], x = p->x + p->w;

    for (int i = 0; i < n; i++)
        l[i].at = page_y(p, l[i].end_y);
    qsort(l, n, sizeof *l, by_height);
    n = merge_labels(l, n, (int)((p->h + 1) / LINE));
    for (int i = 0; i < n; i++)
        at[i] = l[i].at;
    spread(at, n, LINE, p->y, p->y + p->h);
    for (int i = 0; i < n; i++) {
        int color = l[i].color == GRAY ? DARK : l[i].color;

        page_text(page, x + 1.5, at[i], LEFT, color, l[i].text);
        put_line(page->panel[0], page_x(p, l[i].end_x) + 0.2, l[i].at, x + 0.3, l[i].at,
                 paler(l[i].color), 1);
        put_line(page->panel[0], x + 0.3, l[i].at, x + 1.3, at[i], paler(l[i].color), 0);
    }
}

static double widest_label(const struct plot *plot)
{
    double w = 0;

    for (int i = 0; i < plot->curves; i++)
        if (!plot->curve[i].unlabeled)
            w = fmax(w, text_width(plot->curve[i].label));
    return w + 1.8;
}

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

// The panel with its axes and their titles; the page's first panel is for what is outside it.
static struct panel *draw_axes(struct page *page, struct plot *plot)
{
    double top = TOP - 1.4, bottom = BOTTOM + 3.1, labels = widest_label(plot), left;
    struct axis ax, ay;
    struct panel *p;

    if (!page->n) {
        p = page_panel(page, 0, 0, PAGE_W, PAGE_H);
        p->ax.high = PAGE_W, p->ay.high = PAGE_H;
    }
    ay = axis_of(plot->low_y, plot->high_y, plot->log_y ? 10 : 0, 7, plot->y_unit);
    left = widest_tic(ay.tics) + 0.8;
    p = page_panel(page, plot->x + left, bottom, plot->w - left - labels, top - bottom);
    ax = axis_of(plot->low_x, plot->high_x, plot->log_x, (int)(p->w / (plot->log_x ? 3 : 5)), "");
    p->ax = ax, p->ay = ay, p->bare = 0;
    page_text(page, plot->x, top + 1.0, LEFT, DARK,
              plot->log_y || !plot->y_unit[0]
                  ? plot->y_title
                  : text_of("%s%s%s", plot->y_title, plot->y_title[0] ? ", " : "",
                            axis_unit(plot->high_y, plot->y_unit)));
    page_text(page, p->x + p->w, BOTTOM + 0.6, RIGHT, DARK, plot->x_title);
    return p;
}

static void draw_curve(struct panel *p, const struct curve *c)
{
    put_gap(p, c->dashed, c->label);
    for (int k = 0; k < c->n; k++)
        if (p->ay.log == 0 || c->at[k].y > 0) {
            put_vertex(p, c->at[k].x, c->at[k].y, c->color, c->dashed);
            if (c->color != GRAY && !c->dashed)
                put_point(p, c->at[k].x, c->at[k].y, c->color, 7, c->label);
        }
}

static void draw_plot(struct page *page, struct plot *plot, struct panel **out)
{
    struct label label[MOST_CURVES];
    struct panel *p = draw_axes(page, plot);
    int n = 0;

    for (int pass = 0; pass < 2; pass++)   // what is gray is behind
        for (int i = 0; i < plot->curves; i++) {
            const struct curve *c = &plot->curve[i];

            if (!c->n || (c->color == GRAY) == pass)
                continue;
            if (!plot->points_only)
                draw_curve(p, c);
            if (!c->unlabeled)
                label[n++] = (struct label){ c->label, c->at[c->n - 1].x, c->at[c->n - 1].y,
                                             0,        c->color,          0 };
        }
    draw_labels(page, p, label, n);
    *out = p;
}

// --- curves over sizes

static double last_side(const struct row *r)
{
    struct size s = size_of(r->size);

    return s.side[s.sides - 1];
}

static double mean_side(const struct row *r) { return size_of(r->size).mean; }

// Sizes with unlike sides would put a kink into the curves.
static int shown(const struct view *v, const struct row *r, int by_last, int squares)
{
    return view_usable(v, r) && (by_last || squares < 2 || size_of(r->size).equal_sides);
}

static int squares_of(const struct view *v)
{
    int n = 0;

    for (int r = 0; r < v->n; r++)
        n += view_usable(v, v->row[r]) && size_of(v->row[r]->size).equal_sides;
    return n;
}

static int of_group(const struct row *r, int group)
{
    return group < 0 || (r->arithmetic[0] != '\0') == group;
}

// The curves of a view; group -1: of all precisions, 0: of the type's own, 1: of others.
static void add_curves(struct plot *p, const struct view *v, int group, int by_last, int is_beside)
{
    int squares = squares_of(v), references = 0;
    struct vertex *at = malloc((v->n + 1) * sizeof *at);

    for (int i = 0; i < v->all; i++) {
        const char *label = stage_label(v, v->stage[i]);
        int n = 0, color = stage_color(v, v->stage[i]);
        struct curve *c;

        for (int r = 0; r < v->n; r++)
            if (strcmp(v->row[r]->stage, v->stage[i]) == 0 && of_group(v->row[r], group) &&
                shown(v, v->row[r], by_last, squares))
                at[n++] = (struct vertex){ (by_last ? last_side : mean_side)(v->row[r]),
                                           view_value(v, v->row[r]) };
        if (!n)
            continue;
        c = add_curve(p, is_beside ? text_of("%s, %s", label, v->row[0]->device) : label,
                      is_beside ? paler(color) : color);
        c->unlabeled = is_beside;
        c->dashed = color == BLACK && references++ % 2;
        add_vertices(c, at, n);
    }
    free(at);
}

// Sizes that there are, of all curves together.
static int sizes_of(const struct plot *p)
{
    double x[2048];
    int n = 0;

    for (int i = 0; i < p->curves; i++)
        for (int k = 0; k < p->curve[i].n && n < 2048; k++) {
            int known = 0;

            for (int j = 0; j < n && !known; j++)
                known = x[j] == p->curve[i].at[k].x;
            if (!known)
                x[n++] = p->curve[i].at[k].x;
        }
    return n;
}

// Where the arrays are as large as the L2 cache: bytes grow with a power of the side.
static void draw_l2(struct page *page, const struct view *v, const struct panel *p)
{
    const struct row *small = NULL, *large = NULL;
    double l2 = NAN, x;

    for (int r = 0; r < v->n; r++) {
        const struct row *row = v->row[r];

        if (!view_usable(v, row) || !(row_number(row, COLUMN_bytes) > 0))
            continue;
        l2 = row_number(row, COLUMN_l2_bytes) > 0 ? row_number(row, COLUMN_l2_bytes) : l2;
        small = !small || mean_side(row) < mean_side(small) ? row : small;
        large = !large || mean_side(row) > mean_side(large) ? row : large;
    }
    if (!small || isnan(l2))
        return;
    x = mean_side(small) *
        pow(l2 / row_number(small, COLUMN_bytes),
            log(mean_side(large) / mean_side(small)) /
                log(row_number(large, COLUMN_bytes) / row_number(small, COLUMN_bytes)));
    if (!(x > p->ax.low && x < p->ax.high))
        return;
    x = page_x(p, x);
    put_line(page->panel[0], x, p->y, x, p->y + p->h, GRAY, 1);
    page_text(page, x, p->y + p->h + 0.8, CENTER, DARK, text_of("L2: %.3g MiB", ldexp(l2, -20)));
}

static const char *size_title(const struct view *v, int by_last)
{
    const struct row *r = NULL;
    int alike = 1;
    size_t n;

    for (int i = 0; i < v->n; i++)
        if (view_usable(v, v->row[i])) {
            r = r ? r : v->row[i];
            n = strrchr(r->size, 'x') ? strrchr(r->size, 'x') - r->size + 1 : 0;
            alike &= strncmp(r->size, v->row[i]->size, n) == 0;
        }
    n = strrchr(r->size, 'x') ? strrchr(r->size, 'x') - r->size + 1 : 0;
    if (by_last)
        return alike ? text_of("K, of %.*sK", (int)n, r->size) : "K";
    return size_of(r->size).sides == 1 ? "elements"
         : squares_of(v) < 2           ? "side (mean of the sides)"
         : size_of(r->size).sides == 2 ? "side n (n x n)"
                                       : "side n (n x n x n)";
}

static void pad_ranges(struct plot *p)
{
    double x = p->log_x ? 1.06 : 0.02 * (p->high_x - p->low_x);

    p->low_x = p->log_x ? p->low_x / x : p->low_x - x;
    p->high_x = p->log_x ? p->high_x * x : p->high_x + x;
    p->low_y = p->log_y ? p->low_y / 1.6 : p->low_y;
    p->high_y *= p->log_y ? 1.3 : 1.06;
}

struct look {
    const char *quantity, *how, *y_title, *unit;
    int by_last, least;   // sizes
    double bottom_y, top_y;
    double (*theory[2])(double);   // dashed
    const char *theory_text[2];
};

static void add_theory(struct plot *p, double (*of)(double), const char *text)
{
    struct vertex at[65];

    for (int i = 0; i <= 64; i++)
        at[i].x = p->low_x * pow(p->high_x / p->low_x, i / 64.0), at[i].y = of(at[i].x);
    add_vertices(add_curve(p, text, DARK), at, 65);
    p->curve[p->curves - 1].dashed = 1;
}

// One panel, or two if some stages compute with another precision.
static const char *draw_sizes(struct page *page, struct view *v, const struct look *look,
                              struct panel *panel[2])
{
    struct plot plot[2] = { { .curves = 0 }, { .curves = 0 } };
    int split = v->f->flags & SPLIT_ARITHMETIC, n = 1, sizes;

    panel[0] = panel[1] = NULL;
    for (int g = 0; g < (split ? 2 : 1); g++) {
        add_curves(&plot[g], v, split ? g : -1, look->by_last, 0);
        if (v->beside)
            add_curves(&plot[g], v->beside, split ? g : -1, look->by_last, 1);
    }
    n = plot[1].curves ? 2 : 1;
    sizes = sizes_of(&plot[0]);
    if (sizes < look->least)
        return text_of("only %d size%s: this figure needs at least %d", sizes,
                       sizes == 1 ? "" : "s", look->least);
    for (int g = 0; g < n; g++) {
        struct plot *p = &plot[g];

        p->log_x = v->f->flags & LINEAR_X ? 0 : 2;
        p->log_y = v->f->flags & LOG_AXES ? 1 : 0;
        p->x = g ? 0.59 * PAGE_W : MARGIN;
        p->w = n == 1 ? PAGE_W - 2 * MARGIN : g ? 0.41 * PAGE_W - MARGIN : 0.57 * PAGE_W - MARGIN;
        p->bottom_y = look->bottom_y;
        p->y_unit = look->unit;
        p->y_title = n == 1 ? look->y_title : g ? "TF32 tensor cores (own scale)" : "fp32";
        p->x_title = size_title(v, look->by_last);
        set_ranges(p);
        p->high_y = fmax(p->high_y, look->top_y);
        for (int k = 0; k < 2 && look->theory[k]; k++)
            add_theory(p, look->theory[k], look->theory_text[k]);
        pad_ranges(p);
        draw_plot(page, p, &panel[g]);
    }
    page_titles(page, v, look->quantity,
                v->beside ? text_of("pale: %s", v->beside->row[0]->device) : look->how);
    page->provenance = provenance_of(v, "");
    return NULL;
}

// Five sizes, or it is no sweep.
static const char *draw_rates(struct page *page, struct view *v, const char *how, int with_l2)
{
    struct look look = { "rate against size", how, "", v->unit, 0, 5, 0, 0, { 0 }, { 0 } };
    struct panel *p[2];
    const char *lacks = draw_sizes(page, v, &look, p);

    if (!lacks && with_l2)
        draw_l2(page, v, p[0]);
    return lacks;
}

const char *draw_shmoo(struct page *page, struct view *v)
{
    return draw_rates(page, v, "references are black", 1);
}

const char *draw_sawtooth(struct page *page, struct view *v)
{
    return draw_rates(page, v, "in small steps", 0);
}

const char *draw_time(struct page *page, struct view *v)
{
    struct look look = { "time per element against size",
                         "logarithmic",
                         "time per element",
                         "s",
                         0,
                         5,
                         0,
                         0,
                         { 0 },
                         { 0 } };
    struct panel *p[2];
    const char *lacks = draw_sizes(page, v, &look, p);

    if (!lacks)
        draw_l2(page, v, p[0]);
    return lacks;
}

const char *draw_count_shmoo(struct page *page, struct view *v)
{
    struct look look = { "32-byte sectors per element against size",
                         "",
                         "sectors per element",
                         "",
                         0,
                         5,
                         0,
                         0,
                         { 0 },
                         { 0 } };
    struct panel *p[2];

    return draw_sizes(page, v, &look, p);
}

// What rounding one float loses at most.
static double rounding(double k)
{
    (void)k;
    return ldexp(1, -24);
}

const char *draw_accuracy(struct page *page, struct view *v)
{
    struct look look = { "largest error",
                         "as a share of sum |a| |b|",
                         "max |error| / (K / 4)",
                         "",
                         1,
                         2,
                         1e-8,
                         1e-6,
                         { rounding },
                         { "2^-24" } };
    struct panel *p[2];

    return draw_sizes(page, v, &look, p);
}

// What all additions lose at most, were their errors random: the root of the number of additions
// on an element's way into the sum (N. J. Higham, T. Mary, SIAM J. Sci. Comput. 42(5), 2020).
static double one_after_the_other(double n) { return sqrt(n / 2); }
static double in_a_tree(double n) { return sqrt(log(n) / log(2)); }

const char *draw_summation_error(struct page *page, struct view *v)
{
    struct look look = { "error of float sums",
                         "mean of several seeds, against a sum in double",
                         "error / (2^-24 sqrt(n / 3))",
                         "",
                         0,
                         2,
                         0,
                         0,
                         { one_after_the_other, in_a_tree },
                         { "sqrt(n / 2)", "sqrt(log2 n)" } };
    struct panel *p[2];

    for (int r = 0; r < v->n; r++)
        if (view_usable(v, v->row[r]))
            look.top_y = fmax(look.top_y, one_after_the_other(mean_side(v->row[r])));
    return draw_sizes(page, v, &look, p);
}

// --- strides

static const char *const byte_column[] = { "moved, in sectors", "moved by DRAM", "used" };

const char *draw_access(struct page *page, struct view *v)
{
    static const enum column column[] = { COLUMN_moved_bytes, COLUMN_dram_bytes,
                                          COLUMN_used_bytes };
    static const int color[] = { 0xE69F00, 0x009E73, 0x0072B2 };
    struct plot plot = { .log_x = 2, .x = MARGIN, .w = PAGE_W - 2 * MARGIN };
    struct vertex *at = malloc((v->n + 1) * sizeof *at);
    const char *mode = NULL;
    struct panel *p;
    int timed;

    for (int r = 0; r < v->n; r++)
        if (row_is_ok(v->row[r]) && !isnan(v->f->value(v, v->row[r])))
            mode = mode && strcmp(mode, "cold") == 0 ? mode : v->row[r]->mode;
    if (!mode)
        return "no row is ok and has a stride";
    v->mode = mode;
    timed = strcmp(mode, "cold") == 0;
    for (int k = 0; k < 3; k++) {
        int n = 0;

        for (int r = 0; r < v->n; r++) {
            const struct row *row = v->row[r];
            double bytes = row_number(row, column[k]), used = row_number(row, COLUMN_used_bytes);

            if (row_is_ok(row) && strcmp(row->mode, mode) == 0 && !isnan(v->f->value(v, row)) &&
                bytes > 0)
                at[n++] =
                    (struct vertex){ v->f->value(v, row),
                                     (timed ? row_number(row, COLUMN_rate) : 4) * bytes / used };
        }
        if (n)
            add_vertices(add_curve(&plot, byte_column[k], color[k]), at, n);
    }
    if (!plot.curves || plot.curve[0].n < 2)
        return "only one stride: a curve needs at least two";
    plot.y_unit = timed ? "GB/s" : "";
    plot.y_title = timed ? "" : "bytes moved per word of 4 bytes";
    plot.x_title = "stride, in words of 4 bytes";
    set_ranges(&plot);
    pad_ranges(&plot);
    draw_plot(page, &plot, &p);
    put_line(p, 8, p->ay.low, 8, p->ay.high, GRAY, 1);
    page_text(page, page_x(p, 8), p->y + p->h + 0.8, CENTER, DARK, "one sector per word");
    page_titles(page, v, timed ? "bandwidth of strided loads" : "bytes moved by strided loads", "");
    page->provenance = provenance_of(v, "");
    return NULL;
}

// --- points under roofs

struct roof {
    const char *name, *unit;
    double rate;
    int slope;   // 1: rises with x, -1: falls, 0: flat
    int color, dashed;
};

static double at_roof(const struct roof *r, double x)
{
    return r->rate * (r->slope > 0 ? x : r->slope < 0 ? 1 / x : 1);
}

// A roof, as far as another one does not cut it, with its name along it.
static void draw_roof(struct page *page, struct panel *p, struct roof r, double limit, double at)
{
    double x0 = p->ax.low, x1 = p->ax.high, x, angle, high = fmin(limit, p->ay.high);
    const char *text = r.unit ? text_of("%s %s", r.name, readable(r.rate, r.unit)) : r.name;

    if (isnan(r.rate))
        return;
    if (r.slope > 0)
        x0 = fmax(x0, p->ay.low / r.rate), x1 = fmin(x1, high / r.rate);
    if (r.slope < 0)
        x0 = fmax(x0, r.rate / high), x1 = fmin(x1, r.rate / p->ay.low);
    put_line(p, x0, at_roof(&r, x0), x1, at_roof(&r, x1), r.color, r.dashed);
    x = x0 * pow(x1 / x0, at);
    angle = atan2(page_y(p, at_roof(&r, x1)) - page_y(p, at_roof(&r, x0)),
                  page_x(p, x1) - page_x(p, x0));
    page_rotated(page, page_x(p, x) - 0.8 * sin(angle),
                 page_y(p, at_roof(&r, x)) + 0.8 * cos(angle), angle * 45 / atan(1), r.color, text);
}

// The rate of a roof that was measured; NaN if there is none.
static double roof_rate(const struct view *v, const char *name, int tensor)
{
    double rate = NAN;

    for (size_t r = 0; r < v->t.n; r++) {
        const struct row *row = &v->t.row[r];

        if (strcmp(row->mode, "roof") == 0 && row_is_ok(row) &&
            (tensor ? row->arithmetic[0] != '\0' : strcmp(row->name, name) == 0))
            rate = isnan(rate) || tensor == 0 ? row_number(row, COLUMN_rate)
                                              : fmax(rate, row_number(row, COLUMN_rate));
    }
    return rate;
}

static double counted(const struct view *v, const struct row *r, enum column column)
{
    struct place p = { r->size, "count", NULL, "", "" };

    return value_beside(&v->t, NULL, r->stage, &p, column);
}

static void widen(struct plot *p, double x, double y)
{
    if (x > 0)
        p->low_x = fmin(p->low_x, x), p->high_x = fmax(p->high_x, x);
    if (y > 0)
        p->low_y = fmin(p->low_y, y), p->high_y = fmax(p->high_y, y);
}

// Where a stage's points are: flops per byte that DRAM moved, that L2 served, that it needs.
static void intensities(const struct view *v, const struct row *r, double x[3])
{
    double flops = row_number(r, COLUMN_flops);
    double dram = counted(v, r, COLUMN_dram_read_bytes) + counted(v, r, COLUMN_dram_write_bytes);
    double l2 = counted(v, r, COLUMN_l2_read_bytes);

    x[0] = dram > 0 ? flops / dram : NAN;
    x[1] = l2 > 0 ? flops / l2 : NAN;
    x[2] = dram > 0 || row_is_reference(r) ? NAN : flops / row_number(r, COLUMN_bytes);
}

static const char *lacking_text(const struct view *v)
{
    struct view all = *v;
    const char *list = "";

    all.stage = malloc(v->all * sizeof *v->stage);
    memcpy(all.stage, v->stage, v->all * sizeof *v->stage);
    view_add_stages(&all);
    for (int i = 0; i < all.stages; i++)
        if (!view_usable(&all, view_row(&all, all.stage[i], "")))
            list = text_of("%s%s%s", list, list[0] ? ", " : "", all.stage[i] + strlen("stage"));
    return list[0] ? text_of("; not measured: %s", list) : "";
}

// The points of all stages, and their labels at the height of their rates.
static void draw_intensities(struct page *page, struct plot *plot, const struct view *v)
{
    static const int shape[] = { 7, 6, 9 };
    struct panel *p;

    draw_plot(page, plot, &p);
    for (int i = 0; i < v->all; i++) {
        const struct row *r = view_row(v, v->stage[i], "");
        int color = stage_color(v, v->stage[i]);
        double x[3], y = view_value(v, r);

        if (isnan(y))
            continue;
        intensities(v, r, x);
        if (x[0] > 0 && x[1] > 0)
            put_line(p, x[1], y, x[0], y, color, 0);
        if (row_is_reference(r))
            put_line(p, p->ax.low, y, p->ax.high, y, BLACK, 1);
        for (int k = 0; k < 3; k++)
            if (x[k] > 0)
                put_point(p, x[k], y, color, shape[k],
                          text_of("%s|%s", v->stage[i],
                                  k == 0   ? "DRAM"
                                  : k == 1 ? "L2"
                                           : "needed"));
    }
}

// One curve of one point per stage: draw_plot() labels it.
static void add_stage_point(struct plot *plot, const struct view *v, const char *stage, double x,
                            double y)
{
    struct curve *c = add_curve(plot, stage_label(v, stage), stage_color(v, stage));

    add_vertices(c, &(struct vertex){ x, y }, 1);
}

// Of points, one per stage, on logarithmic axes.
static struct plot scatter(const struct view *v, const char *x_title)
{
    return (struct plot){ .log_x = 10,
                          .log_y = 1,
                          .x = MARGIN,
                          .w = PAGE_W - 2 * MARGIN,
                          .low_x = INFINITY,
                          .low_y = INFINITY,
                          .points_only = 1,
                          .y_title = "",
                          .y_unit = v->unit,
                          .x_title = x_title };
}

const char *draw_roofline(struct page *page, struct view *v)
{
    struct plot plot =
        scatter(v, "flops per byte: of DRAM (filled), of L2 (hollow), needed (triangle)");
    double peak = roof_rate(v, "fma", 0), memory = roof_rate(v, "read", 0);
    double cache = roof_rate(v, "l2", 0), tensor = roof_rate(v, "", 1), top;
    struct panel *p;

    if (isnan(peak) || isnan(memory))
        return text_of("no row of mode roof for %s", isnan(peak) ? "fma" : "read");
    if (strcmp(v->unit, "GFLOP/s") != 0)
        return text_of("its rates are in %s, not in GFLOP/s", v->unit);
    top = fmax(peak, isnan(tensor) ? 0 : tensor);
    widen(&plot, peak / memory / 8, peak);
    widen(&plot, top / memory, top);
    for (int i = 0; i < v->all; i++) {
        const struct row *r = view_row(v, v->stage[i], "");
        double x[3], y = view_value(v, r);

        if (isnan(y))
            continue;
        intensities(v, r, x);
        for (int k = 0; k < 3; k++)
            widen(&plot, x[k], y);
        widen(&plot, 0, y);
        add_stage_point(&plot, v, v->stage[i], x[0] > 0 ? x[0] : x[2] > 0 ? x[2] : 1e30, y);
    }
    plot.low_x /= 2, plot.high_x *= 2, plot.low_y /= 2, plot.high_y *= 1.9;
    for (int i = 0; i < plot.curves; i++)   // a reference is a line, from the left edge
        if (plot.curve[i].at[0].x > 1e29)
            plot.curve[i].at[0].x = plot.high_x;
    draw_intensities(page, &plot, v);
    p = page->panel[1];
    draw_roof(page, p, (struct roof){ "DRAM", "GB/s", memory, 1, BLACK, 0 }, top, 0.3);
    draw_roof(page, p, (struct roof){ "L2", "GB/s", cache, 1, DARK, 1 }, top, 0.3);
    draw_roof(page, p, (struct roof){ "fp32 FMA peak", v->unit, peak, 0, BLACK, 0 }, 0, 0.78);
    draw_roof(page, p, (struct roof){ "TF32 tensor-core peak", v->unit, tensor, 0, BLACK, 0 }, 0,
              0.76);
    page_titles(page, v, "roofline",
                text_of("rate against arithmetic intensity%s", lacking_text(v)));
    page->provenance = provenance_of(v, v->size);
    return NULL;
}

// Instructions of threads, in 10^9 per second, that the profiler's GPU can issue.
static double issue_rate(const struct view *v)
{
    double most = NAN;

    for (size_t r = 0; r < v->t.n; r++) {
        const struct row *row = &v->t.row[r];
        double issued = 32e-9 * row_number(row, COLUMN_issue_per_cycle) *
                        row_number(row, COLUMN_cycles_per_second);

        if (strcmp(row->mode, "count") == 0 && strcmp(row->size, v->size) == 0 && !isnan(issued))
            most = isnan(most) ? issued : fmax(most, issued);
    }
    return most;
}

const char *draw_instructions(struct page *page, struct view *v)
{
    struct plot plot = scatter(v, "instructions per thread and element");
    double copy = view_value(v, view_row(v, "ref_memcpy", "")), issue = issue_rate(v);
    struct panel *p;

    widen(&plot, 0, copy);
    for (int i = 0; i < v->stages; i++) {
        const struct row *r = view_row(v, v->stage[i], "");
        double y = view_value(v, r), x;

        if (isnan(y))
            continue;
        x = 32 * counted(v, r, COLUMN_instructions) / size_of(r->size).product;
        widen(&plot, x, y);
        add_stage_point(&plot, v, v->stage[i], x, y);
    }
    plot.low_x /= 1.3, plot.high_x *= 1.3, plot.low_y /= 1.4, plot.high_y *= 1.6;
    if (!isnan(copy))
        add_vertices(add_curve(&plot, text_of("memcpy %s", readable(copy, v->unit)), BLACK),
                     &(struct vertex){ plot.high_x, copy }, 1);
    draw_plot(page, &plot, &p);
    for (int i = 0; i < plot.curves; i++)
        if (plot.curve[i].color != BLACK)
            put_point(p, plot.curve[i].at[0].x, plot.curve[i].at[0].y, plot.curve[i].color, 7,
                      plot.curve[i].label);
    if (!isnan(copy))
        put_line(p, p->ax.low, copy, p->ax.high, copy, BLACK, 1);
    draw_roof(page, p,
              (struct roof){ "as fast as instructions are issued", NULL, issue, -1, BLACK, 0 },
              INFINITY, 0.55);
    page_titles(page, v, "rate against instructions per element",
                text_of("logarithmic%s", lacking_text(v)));
    page->provenance = provenance_of(v, v->size);
    return NULL;
}

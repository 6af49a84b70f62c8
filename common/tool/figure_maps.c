// The map of two knobs, and the occupancy calculator's charts.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"

// --- knobs

enum { MOST_VALUES = 32 };

struct values {
    const char *word[MOST_VALUES];
    int n;
};

// The value of a knob: of "TILE=16 ROWS=4", ROWS is "4".
static const char *knob_value(const char *knobs, const char *knob)
{
    size_t n = strlen(knob);

    for (const char *at = knobs; at && *at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
        if (strncmp(at, knob, n) == 0 && at[n] == '=')
            return text_of("%.*s", (int)strcspn(at + n + 1, " "), at + n + 1);
    return "";
}

// In the order of their numbers.
static int place_value(struct values *v, const char *word)
{
    int at = 0;

    for (int i = 0; i < v->n; i++)
        if (strcmp(v->word[i], word) == 0)
            return i;
    if (v->n == MOST_VALUES)
        return 0;
    while (at < v->n && strtod(v->word[at], NULL) <= strtod(word, NULL))
        at++;
    memmove(&v->word[at + 1], &v->word[at], (v->n - at) * sizeof *v->word);
    v->word[at] = word;
    v->n++;
    return at;
}

// viridis, by a few stops
static int map_color(double share)
{
    static const int stop[] = { 0x440154, 0x414487, 0x2A788E, 0x22A884, 0x7AD151, 0xFDE725 };
    double at = fmin(fmax(share, 0), 1) * 4.999;
    int i = (int)at, mixed = 0;

    for (int shift = 0; shift < 24; shift += 8)
        mixed |=
            (int)((stop[i] >> shift & 255) * (1 - at + i) + (stop[i + 1] >> shift & 255) * (at - i))
            << shift;
    return mixed;
}

// The stage with most such rows.
static const char *stage_with_most(const struct view *v)
{
    const char *stage = "";
    int most = 0;

    for (int i = 0; i < v->stages; i++) {
        int n = 0;

        for (int r = 0; r < v->n; r++)
            n += strcmp(v->row[r]->stage, v->stage[i]) == 0;
        if (n > most)
            most = n, stage = v->stage[i];
    }
    return stage;
}

struct map {
    const char *stage, *x, *y;
    struct values xs, ys;
    double largest, best;
    int counted;
};

static int is_cell(const struct map *m, const struct row *r)
{
    return strcmp(r->stage, m->stage) == 0 && knob_value(r->knobs, m->x)[0] &&
           (!m->y[0] || knob_value(r->knobs, m->y)[0]);
}

static void find_cells(struct map *m, const struct view *v)
{
    m->best = m->counted ? INFINITY : 0;
    for (int r = 0; r < v->n; r++)
        if (is_cell(m, v->row[r])) {
            double value = view_value(v, v->row[r]);

            place_value(&m->xs, knob_value(v->row[r]->knobs, m->x));
            place_value(&m->ys, m->y[0] ? knob_value(v->row[r]->knobs, m->y) : "");
            m->largest = fmax(m->largest, value);
            m->best = m->counted ? fmin(m->best, value) : fmax(m->best, value);
        }
}

static void draw_cell(struct page *page, struct panel *p, struct map *m, const struct view *v,
                      const struct row *r)
{
    int x = place_value(&m->xs, knob_value(r->knobs, m->x));
    int y = place_value(&m->ys, m->y[0] ? knob_value(r->knobs, m->y) : "");
    double value = view_value(v, r), share = value / m->largest;
    const char *text = isnan(value) ? fault_text(r)
                     : m->counted   ? short_number(value)
                                    : readable(value, v->unit);

    if (isnan(value))
        put_bar(p, x - 0.48, x + 0.48, y - 0.47, y + 0.47, PALE, text_of("%s|%s", r->knobs, text));
    else
        put_bar(p, x - 0.48, x + 0.48, y - 0.47, y + 0.47, map_color(share),
                text_of("%s|%.9g", r->knobs, value));
    page_text(page, page_x(p, x), page_y(p, y), CENTER, share < 0.6 ? 0xFFFFFF : BLACK, text);
    if (value == m->best) {
        double at[][2] = {
            { -0.48, -0.47 }, { 0.48, -0.47 }, { 0.48, 0.47 }, { -0.48, 0.47 }, { -0.48, -0.47 }
        };

        for (int i = 0; i < 4; i++)
            for (int twice = 0; twice < 3; twice++)
                put_line(p, x + at[i][0], y + at[i][1], x + at[i + 1][0], y + at[i + 1][1], ALARM,
                         0);
    }
}

const char *draw_knobs(struct page *page, struct view *v)
{
    struct map m = { .stage = stage_with_most(v), .counted = strcmp(v->mode, "count") == 0 };
    const struct row *first = NULL;
    const char *what;
    struct panel *p;

    for (int r = v->n; r-- > 0;)
        if (strcmp(v->row[r]->stage, m.stage) == 0 && view_usable(v, v->row[r]))
            first = v->row[r];
    if (!first)
        return text_of("%s: no row with knobs is ok", m.stage);
    m.x = text_of("%.*s", (int)strcspn(first->knobs, "="), first->knobs);
    what = strchr(first->knobs, ' ');
    m.y = what ? text_of("%.*s", (int)strcspn(what + 1, "="), what + 1) : "";
    find_cells(&m, v);
    p = page_panel(page, 9, BOTTOM + 3, PAGE_W - 10.5, TOP - BOTTOM - 3.5);
    p->ax = (struct axis){ -0.5, m.xs.n - 0.5, 0, "" };
    p->ay = (struct axis){ -0.5, m.ys.n - 0.5, 0, "" };
    for (int r = 0; r < v->n; r++)
        if (is_cell(&m, v->row[r]))
            draw_cell(page, p, &m, v, v->row[r]);
    for (int i = 0; i < m.xs.n; i++)
        page_text(page, page_x(p, i), p->y - 0.8, CENTER, BLACK, m.xs.word[i]);
    for (int i = 0; i < m.ys.n; i++)
        page_text(page, p->x - 0.5, page_y(p, i), RIGHT, BLACK, m.ys.word[i]);
    page_text(page, p->x + p->w / 2, p->y - 2.2, CENTER, DARK, m.x);
    page_text(page, MARGIN, p->y + p->h / 2, LEFT, DARK, m.y);
    what = m.counted ? column_name[v->column != N_COLUMNS ? v->column : COLUMN_shared_wavefronts]
                     : "rate";
    page_titles(page, v,
                text_of("%s of %s by %s%s%s", what, stage_label(v, m.stage), m.x,
                        m.y[0] ? " and " : "", m.y),
                "");
    page->provenance = provenance_of(v, v->size);
    return NULL;
}

// --- occupancy

static const enum column of_chart[] = { COLUMN_threads, COLUMN_regs, COLUMN_shared_bytes };
static const char *const chart_name[] = { "threads", "regs", "shared" };
static const char *const chart_title[] = { "threads per block", "registers per thread",
                                           "shared bytes per block" };

struct panel_of {
    const struct view *v;
    int slides, k;
    struct panel *p;
    double most;
};

static int is_there(const struct panel_of *o, const struct row *r, const char *chart)
{
    return row_is_ok(r) && strcmp(r->mode, "occupancy") == 0 && strcmp(r->chart, chart) == 0 &&
           (stage_number(r->stage) < 0) == o->slides;
}

// No shared memory at all is drawn at the edge of an axis that has no 0.
static double place(const struct panel_of *o, const struct row *r)
{
    double x = row_number(r, of_chart[o->k]);

    return o->k == 2 && !o->slides ? fmax(x, 512) : x;
}

// "1-3, 5": the stages whose numbers are set.
static const char *ranges(const char *is_set, int n)
{
    const char *list = "";

    for (int i = 0; i < n; i++) {
        int last = i;

        if (!is_set[i])
            continue;
        while (last + 1 < n && is_set[last + 1])
            last++;
        list = last == i ? text_of("%s%s%d", list, list[0] ? ", " : "", i)
                         : text_of("%s%s%d%s%d", list, list[0] ? ", " : "", i,
                                   last > i + 1 ? "-" : ", ", last);
        i = last;
    }
    return list;
}

// The stages' numbers to the right of all points with as many warps.
static void draw_point_labels(struct page *page, const struct panel_of *o)
{
    double warps[64], x[64], at[64];
    char is_set[64][128] = { { 0 } };
    int n = 0;

    for (int r = 0; r < o->v->n; r++) {
        const struct row *row = o->v->row[r];
        double w = row_number(row, COLUMN_warps);
        int i = 0;

        if (!is_there(o, row, "point") || stage_number(row->stage) < 0)
            continue;
        while (i < n && warps[i] != w)
            i++;
        if (i == n && n < 63)
            warps[n] = w, x[n] = 0, n++;
        x[i] = fmax(x[i], place(o, row));
        is_set[i][stage_number(row->stage) % 128] = 1;
    }
    for (int i = 0; i < n; i++)
        at[i] = page_y(o->p, warps[i]);
    spread(at, n, LINE, o->p->y, o->p->y + o->p->h);
    for (int i = 0; i < n && o->k == 2; i++)
        page_text(page, o->p->x + o->p->w + 0.5, at[i], LEFT, 0x0072B2, ranges(is_set[i], 128));
}

static void draw_chart(struct page *page, struct panel_of *o, double x, double y, double w,
                       double h)
{
    double high = 0, last = 0, before = NAN;

    for (int r = 0; r < o->v->n; r++)
        if (is_there(o, o->v->row[r], chart_name[o->k]) || is_there(o, o->v->row[r], "point"))
            high = fmax(high, place(o, o->v->row[r]));
    o->p = page_panel(page, x, y, w, h);
    o->p->bare = 0;
    o->p->ax = axis_of(o->k == 2 && !o->slides ? 512 : 0, high * 1.03,
                       o->k == 2 && !o->slides ? 2 : 0, 4, "");
    o->p->ay = (struct axis){ 0, o->most * 1.1, 0,
                              text_of("'0' 0, '%g' %g, '%g' %g", o->most / 2, o->most / 2, o->most,
                                      o->most) };
    put_gap(o->p, 0, chart_title[o->k]);
    for (int r = 0; r < o->v->n; r++) {
        const struct row *row = o->v->row[r];
        double warps = row_number(row, COLUMN_warps);

        if (is_there(o, row, "point"))
            put_point(o->p, place(o, row), warps, o->slides ? 0xD55E00 : 0x0072B2, 7,
                      text_of("%s|%s", row->stage, row->name));
        if (!is_there(o, row, chart_name[o->k]))
            continue;
        if (!isnan(before))   // it holds since the setting before
            put_vertex(o->p, last, warps, GRAY, 0);
        last = place(o, row), before = warps;
        put_vertex(o->p, last, warps, GRAY, 0);
    }
    if (!o->slides)
        draw_point_labels(page, o);
    page_text(page, x + w / 2, y - 2.35, CENTER, DARK, chart_title[o->k]);
}

const char *draw_occupancy(struct page *page, struct view *v)
{
    const struct row *point[2] = { NULL, NULL };   // of the slides, of a stage
    const char *curves = "";
    int rows;

    for (int r = v->n; r-- > 0;)
        if (row_is_ok(v->row[r]) && strcmp(v->row[r]->mode, "occupancy") == 0) {
            if (strcmp(v->row[r]->chart, "point") == 0)
                point[stage_number(v->row[r]->stage) >= 0] = v->row[r];
            else if (stage_number(v->row[r]->stage) >= 0)
                curves = v->row[r]->stage;
        }
    rows = (point[0] != NULL) + (point[1] != NULL);
    if (!rows)
        return "no row is a point of mode occupancy";
    for (int row = 0; row < rows; row++) {
        const struct row *of = point[row == 0 && point[0] ? 0 : 1];
        struct panel_of o = { .v = v,
                              .slides = of == point[0],
                              .most = row_number(of, COLUMN_most_warps) };
        double h = rows == 2 ? 7.0 : 18, y = rows == 2 && row == 0 ? 17.4 : 4.6;
        const char *text = o.slides ? text_of("%s, compute capability %s: %s of %s warps", of->name,
                                              of->capability, of->warps, of->most_warps)
                                    : text_of("stages on compute capability %s%s%s", of->capability,
                                              curves[0] ? ", curves of " : "", curves);

        page_text(page, MARGIN, y + h + 0.8, LEFT, o.slides ? 0xD55E00 : 0x0072B2, text);
        for (o.k = 0; o.k < 3; o.k++)
            draw_chart(page, &o, 2.8 + o.k * 15, y, 12, h);
    }
    v->mode = "occupancy";
    page_titles(page, v, "resident warps per SM", "by the occupancy calculator");
    page->provenance = provenance_of(v, "");
    return NULL;
}

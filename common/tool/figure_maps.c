// The map of two knobs, and the occupancy calculator's charts.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"

// --- knobs

enum { MOST_VALUES = 32 };

// The values of a knob, in the order of their numbers.
struct values {
    const char *knob;   // "": there is no such knob, and one value
    const char *word[MOST_VALUES];
    int n;
};

struct map {
    const char *stage;
    struct values x, y;
    double largest, best;
    int counted;   // less is better
};

// The value of a knob: of "TILE=16 ROWS=4", ROWS is "4".
static const char *knob_value(const char *knobs, const char *knob)
{
    size_t n = strlen(knob);

    for (const char *at = knobs; n && *at; at += strcspn(at, " "), at += *at == ' ')
        if (strncmp(at, knob, n) == 0 && at[n] == '=')
            return text_of("%.*s", (int)strcspn(at + n + 1, " "), at + n + 1);
    return "";
}

// The place of a row's value of the knob among all.
static int place_of(struct values *v, const struct row *r)
{
    const char *word = knob_value(r->knobs, v->knob);
    int at = 0;

    for (int i = 0; i < v->n; i++)
        if (strcmp(v->word[i], word) == 0)
            return i;
    if (v->n == MOST_VALUES)
        return 0;
    while (at < v->n && strtod(v->word[at], NULL) <= strtod(word, NULL))
        at++;
    memmove(&v->word[at + 1], &v->word[at], (v->n++ - at) * sizeof *v->word);
    v->word[at] = word;
    return at;
}

static int is_cell(const struct map *m, const struct row *r)
{
    return strcmp(r->stage, m->stage) == 0 && knob_value(r->knobs, m->x.knob)[0] &&
           (!m->y.knob[0] || knob_value(r->knobs, m->y.knob)[0]);
}

// viridis, by a few stops
static int map_color(double share)
{
    static const int stop[] = { 0x440154, 0x414487, 0x2A788E, 0x22A884, 0x7AD151, 0xFDE725 };
    double at = fmin(fmax(share, 0), 1) * 4.999;

    return mixed(stop[(int)at], stop[(int)at + 1], at - (int)at);
}

// The stage with most rows, and the knobs of its first row. Returns whether it has one.
static int choose_map(struct map *m, const struct view *v)
{
    const struct row *first = NULL;
    int most = 0;

    for (int i = 0; i < v->stages; i++) {
        const struct row *usable = NULL;
        int n = 0;

        for (int r = 0; r < v->n; r++)
            if (strcmp(v->row[r]->stage, v->stage[i]) == 0) {
                usable = usable || !view_usable(v, v->row[r]) ? usable : v->row[r];
                n++;
            }
        if (n > most)
            most = n, first = usable, m->stage = v->stage[i];
    }
    if (first) {
        const char *second = strchr(first->knobs, ' ') ? strchr(first->knobs, ' ') + 1 : "";

        m->x.knob = text_of("%.*s", (int)strcspn(first->knobs, "="), first->knobs);
        m->y.knob = text_of("%.*s", (int)strcspn(second, "="), second);
    }
    return first != NULL;
}

static void draw_cell(struct page *page, struct panel *p, struct map *m, const struct view *v,
                      const struct row *r)
{
    double x = place_of(&m->x, r), y = place_of(&m->y, r), value = view_value(v, r);
    double share = value / m->largest;
    const char *text = isnan(value) ? fault_text(r)
                     : m->counted   ? short_number(value)
                                    : readable(value, v->unit);

    if (value == m->best)   // a frame
        put_bar(p, x - 0.5, x + 0.5, y - 0.5, y + 0.5, ALARM, "best");
    put_bar(p, x - 0.48, x + 0.48, y - 0.47, y + 0.47, isnan(value) ? PALE : map_color(share),
            text_of("%s|%s", r->knobs, isnan(value) ? text : text_of("%.9g", value)));
    page_text(page, page_x(p, x), page_y(p, y), CENTER, share < 0.6 ? 0xFFFFFF : BLACK, text);
}

const char *draw_knobs(struct page *page, struct view *v)
{
    struct map m = { .stage = "", .counted = strcmp(v->mode, "count") == 0 };
    struct panel *p = page_panel(page, 9, BOTTOM + 3, PAGE_W - 10.5, TOP - BOTTOM - 3.5);

    if (!choose_map(&m, v))
        return text_of("%s: no row with knobs is ok", m.stage);
    m.best = m.counted ? INFINITY : 0;
    for (int r = 0; r < v->n; r++)
        if (is_cell(&m, v->row[r])) {
            double value = view_value(v, v->row[r]);

            place_of(&m.x, v->row[r]), place_of(&m.y, v->row[r]);
            m.largest = fmax(m.largest, value);
            m.best = m.counted ? fmin(m.best, value) : fmax(m.best, value);
        }
    p->ax = (struct axis){ -0.5, m.x.n - 0.5, 0, "" };
    p->ay = (struct axis){ -0.5, m.y.n - 0.5, 0, "" };
    for (int r = 0; r < v->n; r++)
        if (is_cell(&m, v->row[r]))
            draw_cell(page, p, &m, v, v->row[r]);
    for (int i = 0; i < m.x.n; i++)
        page_text(page, page_x(p, i), p->y - 0.8, CENTER, BLACK, m.x.word[i]);
    for (int i = 0; i < m.y.n; i++)
        page_text(page, p->x - 0.5, page_y(p, i), RIGHT, BLACK, m.y.word[i]);
    page_text(page, p->x + p->w / 2, p->y - 2.2, CENTER, DARK, m.x.knob);
    page_text(page, MARGIN, p->y + p->h / 2, LEFT, DARK, m.y.knob);
    v->title = text_of("%s of %s by %s%s%s", m.counted ? column_name[v->column] : "rate",
                       stage_label(v, m.stage), m.x.knob, m.y.knob[0] ? " and " : "", m.y.knob);
    return NULL;
}

// --- occupancy

enum { MOST_STAGES = 128 };

// One of three panels, of the slides' example or of the stages.
struct occupancy {
    const struct view *v;
    struct panel *panel;
    int slides;
    double most;   // warps
    enum column column;
    const char *chart;   // in the table
    double low;          // where the axis begins: a logarithmic one has no 0
};

static int is_there(const struct occupancy *o, const struct row *r, const char *chart)
{
    return row_is_ok(r) && strcmp(r->mode, "occupancy") == 0 && strcmp(r->chart, chart) == 0 &&
           (stage_number(r->stage) < 0) == o->slides;
}

static double x_of(const struct occupancy *o, const struct row *r)
{
    return fmax(row_number(r, o->column), o->low);
}

// "1-3, 5": the stages whose numbers are set.
static const char *ranges(const char is_set[MOST_STAGES])
{
    const char *list = "";

    for (int i = 0, last; i < MOST_STAGES; i = last + 1) {
        for (last = i; is_set[i] && last + 1 < MOST_STAGES && is_set[last + 1];)
            last++;
        if (is_set[i])
            list = text_of("%s%s%d", list, list[0] ? ", " : "", i);
        if (last > i)
            list = text_of("%s%s%d", list, last > i + 1 ? "-" : ", ", last);
    }
    return list;
}

// The stages' numbers to the right of all points with as many warps.
static void draw_point_labels(struct page *page, const struct occupancy *o)
{
    const char *text[MOST_STAGES];
    double at[MOST_STAGES];
    int n = 0;

    for (int warps = 0; warps <= o->most && n < MOST_STAGES; warps++) {
        char is_set[MOST_STAGES] = { 0 };

        for (int r = 0; r < o->v->n; r++)
            if (is_there(o, o->v->row[r], "point") &&
                row_number(o->v->row[r], COLUMN_warps) == warps)
                is_set[stage_number(o->v->row[r]->stage) % MOST_STAGES] = 1;
        text[n] = ranges(is_set), at[n] = page_y(o->panel, warps);
        n += text[n][0] != '\0';
    }
    spread(at, n, LINE, o->panel->y, o->panel->y + o->panel->h);
    for (int i = 0; i < n; i++)
        page_text(page, o->panel->x + o->panel->w + 0.5, at[i], LEFT, BLUE, text[i]);
}

static void draw_occupancies(const struct occupancy *o)
{
    struct panel *p = o->panel;
    double high = 0, last = 0, before = NAN;

    for (int r = 0; r < o->v->n; r++)
        if (is_there(o, o->v->row[r], o->chart) || is_there(o, o->v->row[r], "point"))
            high = fmax(high, x_of(o, o->v->row[r]));
    p->bare = 0;
    p->ax = axis_of(o->low, high * 1.03, o->low > 0 ? 2 : 0, 4, "");
    p->ay = (struct axis){ 0, o->most * 1.1, 0,
                           text_of("'0' 0, '%g' %g, '%g' %g", o->most / 2, o->most / 2, o->most,
                                   o->most) };
    for (int r = 0; r < o->v->n; r++) {
        const struct row *row = o->v->row[r];
        double warps = row_number(row, COLUMN_warps), x = x_of(o, row);

        if (is_there(o, row, "point"))
            put_point(p, x, warps, o->slides ? VERMILION : BLUE, 7,
                      text_of("%s|%s", row->stage, row->name));
        if (!is_there(o, row, o->chart))
            continue;
        if (!isnan(before))   // it holds since the setting before
            put_vertex(p, last, warps, GRAY, 0);
        last = x, before = warps;
        put_vertex(p, last, warps, GRAY, 0);
    }
}

static void draw_charts(struct page *page, struct occupancy o, double y, double h)
{
    static const char *const title[] = { "threads per block", "registers per thread",
                                         "shared bytes per block" };
    static const char *const chart[] = { "threads", "regs", "shared" };
    static const enum column column[] = { COLUMN_threads, COLUMN_regs, COLUMN_shared_bytes };

    for (int k = 0; k < 3; k++) {
        o.panel = page_panel(page, 2.8 + k * 15, y, 12, h);
        o.chart = chart[k], o.column = column[k];
        o.low = k == 2 && !o.slides ? 512 : 0;
        draw_occupancies(&o);
        page_text(page, o.panel->x + 6, y - 2.35, CENTER, DARK, title[k]);
    }
    if (!o.slides)
        draw_point_labels(page, &o);
}

const char *draw_occupancy(struct page *page, struct view *v)
{
    const struct row *slides = NULL, *stages = NULL;   // points of theirs
    const char *curves = "";

    v->mode = "occupancy";
    for (int r = v->n; r-- > 0;)
        if (row_is_ok(v->row[r]) && strcmp(v->row[r]->mode, v->mode) == 0) {
            int is_stage = stage_number(v->row[r]->stage) >= 0;

            if (strcmp(v->row[r]->chart, "point") == 0)
                *(is_stage ? &stages : &slides) = v->row[r];
            else if (is_stage)
                curves = text_of(", curves of %s", v->row[r]->stage);
        }
    if (!slides && !stages)
        return "no row is a point of mode occupancy";
    for (int is_stage = 0; is_stage < 2; is_stage++) {
        const struct row *of = is_stage ? stages : slides;
        double h = slides && stages ? 7 : 18, y = slides && stages && !is_stage ? 17.4 : 4.6;

        if (!of)
            continue;
        page_text(page, MARGIN, y + h + 0.8, LEFT, is_stage ? BLUE : VERMILION,
                  is_stage ? text_of("stages on compute capability %s%s", of->capability, curves)
                           : text_of("%s, compute capability %s: %s of %s warps", of->name,
                                     of->capability, of->warps, of->most_warps));
        draw_charts(page,
                    (struct occupancy){
                        .v = v, .slides = !is_stage, .most = row_number(of, COLUMN_most_warps) },
                    y, h);
    }
    return NULL;
}

// The map of two knobs, and the occupancy calculator's charts.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"

// --- knobs

enum { MOST_VALUES = 32 };

// The values of a knob, in ascending order.
struct values {
    const char *knob;   // "": no knob, a single value
    const char *word[MOST_VALUES];
    int n;
};

struct map {
    const char *stage;
    struct values x, y;
    double largest, best;
    int counted;   // 1: counts, less is better
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

// The index of a row's value among the knob's values; adds it if it is new.
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

// Chooses the stage with most rows, and the knobs of its first usable row. Returns whether there is
// one.
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

    if (value == m->best) {   // a frame
        double w = 0.48 + 0.12 * m->x.n / p->w, h = 0.47 + 0.12 * m->y.n / p->h;

        put_bar(p, x - w, x + w, y - h, y + h, ALARM, "best");
    }
    put_bar(p, x - 0.48, x + 0.48, y - 0.47, y + 0.47, isnan(value) ? PALE : map_color(share),
            text_of("%s|%s", r->knobs, isnan(value) ? text : text_of("%.9g", value)));
    page_text(page, page_x(p, x), page_y(p, y), CENTER, share < 0.6 ? 0xFFFFFF : BLACK, text);
}

const char *draw_knobs(struct page *page, struct view *v)
{
    struct map m = { .stage = "", .counted = strcmp(v->mode, "count") == 0 };
    struct panel *p;

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
    p = page_panel(page, 9, BOTTOM + 3, PAGE_W - 10.5, TOP - BOTTOM - 3.5,
                   (struct axis){ -0.5, m.x.n - 0.5, 0, "" },
                   (struct axis){ -0.5, m.y.n - 0.5, 0, "" });
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

// What varies in a chart.
static const struct {
    const char *name, *title;
    enum column column;
    double low;   // of the stages' axis, which is logarithmic and has no 0
} charts[] = { { "threads", "threads per block", COLUMN_threads, 0 },
               { "regs", "registers per thread", COLUMN_regs, 0 },
               { "shared", "shared bytes per block", COLUMN_shared_bytes, 512 } };

// Whether a row belongs to this chart ("point": the points), and to the slides' example or to the
// stages.
static int is_there(const struct row *r, const char *chart, int slides)
{
    return row_is_ok(r) && strcmp(r->mode, "occupancy") == 0 && strcmp(r->chart, chart) == 0 &&
           (stage_number(r->stage) < 0) == slides;
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

// To the right of the chart, at each number of warps, the numbers of the stages with as many warps.
static void draw_point_labels(struct page *page, const struct view *v, const struct panel *p)
{
    const char *text[MOST_STAGES];
    double at[MOST_STAGES];
    int n = 0;

    for (int warps = 0; warps <= p->ay.high && n < MOST_STAGES; warps++) {
        char is_set[MOST_STAGES] = { 0 };

        for (int r = 0; r < v->n; r++)
            if (is_there(v->row[r], "point", 0) && row_number(v->row[r], COLUMN_warps) == warps)
                is_set[stage_number(v->row[r]->stage) % MOST_STAGES] = 1;
        text[n] = ranges(is_set), at[n] = page_y(p, warps);
        n += text[n][0] != '\0';
    }
    spread(at, n, LINE, p->y, p->y + p->h);
    for (int i = 0; i < n; i++)
        page_text(page, p->x + p->w + 0.5, at[i], LEFT, BLUE, text[i]);
}

// Draws chart k at this y on the page, with this height.
static void draw_chart(struct page *page, const struct view *v, int k, double most, int slides,
                       double y, double h)
{
    double low = slides ? 0 : charts[k].low, high = 0, last = 0, before = NAN;
    struct axis ay = { 0, most * 1.1, 0,
                       text_of("'0' 0, '%g' %g, '%g' %g", most / 2, most / 2, most, most) };
    struct panel *p;

    for (int r = 0; r < v->n; r++)
        if (is_there(v->row[r], charts[k].name, slides) || is_there(v->row[r], "point", slides))
            high = fmax(high, row_number(v->row[r], charts[k].column));
    p = page_panel(page, 2.8 + k * 15, y, 12, h, axis_of(low, high * 1.03, low > 0 ? 2 : 0, 4, ""),
                   ay);
    for (int r = 0; r < v->n; r++) {
        const struct row *row = v->row[r];
        double warps = row_number(row, COLUMN_warps);
        double x = fmax(row_number(row, charts[k].column), low);

        if (is_there(row, "point", slides))
            put_point(p, x, warps, slides ? VERMILION : BLUE, 7,
                      text_of("%s|%s", row->stage, row->name));
        if (!is_there(row, charts[k].name, slides))
            continue;
        if (!isnan(before))   // the value changes right after the previous setting
            put_vertex(p, last, warps, GRAY, 0);
        last = x, before = warps;
        put_vertex(p, last, warps, GRAY, 0);
    }
    page_text(page, p->x + 6, y - 2.35, CENTER, DARK, charts[k].title);
    if (k == 2 && !slides)
        draw_point_labels(page, v, p);
}

const char *draw_occupancy(struct page *page, struct view *v)
{
    const struct row *point[2] = { NULL, NULL };   // of the stages, of the slides
    const char *curves = "";

    v->mode = "occupancy";
    for (int r = v->n; r-- > 0;)
        for (int slides = 0; slides < 2; slides++)
            if (is_there(v->row[r], "point", slides))
                point[slides] = v->row[r];
            else if (is_there(v->row[r], charts[0].name, 0))
                curves = text_of(", curves of %s", v->row[r]->stage);
    if (!point[0] && !point[1])
        return "no row is a point of mode occupancy";
    for (int slides = 1; slides >= 0; slides--) {
        const struct row *of = point[slides];
        double h = point[!slides] ? 7 : 18, y = point[!slides] && slides ? 17.4 : 4.6;

        if (!of)
            continue;
        page_text(page, MARGIN, y + h + 0.8, LEFT, slides ? VERMILION : BLUE,
                  slides ? text_of("%s, compute capability %s: %s of %s warps", of->name,
                                   of->capability, of->warps, of->most_warps)
                         : text_of("stages on compute capability %s%s", of->capability, curves));
        for (int k = 0; k < 3; k++)
            draw_chart(page, v, k, row_number(of, COLUMN_most_warps), slides, y, h);
    }
    return NULL;
}

// The figures that compare weeks.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "overview.h"
#include "tool.h"

static const int week_color[] = { BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, DARK, GRAY };

// A range of numbers that grows.
struct range {
    double low, high;
};

static void widen(struct range *r, double value)
{
    if (value > 0) {
        r->low = r->low > 0 ? fmin(r->low, value) : value;
        r->high = fmax(r->high, value);
    }
}

// "16.9x": with the precision of its size.
static const char *multiple_text(double multiple)
{
    return isnan(multiple)  ? ""
         : multiple >= 99.5 ? text_of("%.0fx", multiple)
         : multiple >= 9.95 ? text_of("%.1fx", multiple)
                            : text_of("%.2fx", multiple);
}

// Two weeks per row of panels.
struct grid {
    double x, y, w, h;   // of a week's place: left, bottom, width, height
};

static struct grid place_of(int i, int n, double top)
{
    int rows = (n + 1) / 2;
    double gap = 1.6, w = (PAGE_W - 2 * MARGIN - gap) / 2, h = (top - BOTTOM) / rows;

    return (struct grid){ MARGIN + i % 2 * (w + gap), top - h * (i / 2 + 1) + 0.4, w, h - 3 };
}

static void put_heading(struct page *page, const struct grid *g, const struct overview *o,
                        const char *more)
{
    page_text(page, g->x, g->y + g->h + 0.8, LEFT, BLACK,
              text_of("Week %d%s", week_number(o), more));
}

// --- first stage, last stage, library

static const char *bar_label(const struct overview *o, int k)
{
    return k == LIBRARY ? o->library : overview_label(o, o->stage[k]);
}

static void draw_week_ladder(struct page *page, const struct overview *o, struct grid g)
{
    static const int color[] = { GRAY, BLUE, BLACK };
    double names = 0, most = 0, room = 0;
    const char *text[BARS_PER_WEEK];
    struct panel *p;

    for (int k = 0; k < BARS_PER_WEEK; k++) {
        text[k] = k == FIRST ? readable(o->rate[k], o->unit)
                             : text_of("%s  %.1fx", readable(o->rate[k], o->unit),
                                       o->rate[k] / o->rate[FIRST]);
        names = fmax(names, text_width(bar_label(o, k)) + 0.8);
        room = fmax(room, text_width(text[k]) + 0.8);
        most = fmax(most, o->rate[k]);
    }
    put_heading(page, &g, o, text_of(": %s", o->topic));
    p = page_panel(page, g.x + names, g.y, g.w - names - room, g.h, (struct axis){ 0, most, 0, "" },
                   (struct axis){ BARS_PER_WEEK - 0.5, -0.5, 0, "" });
    for (int k = 0; k < BARS_PER_WEEK; k++) {
        put_bar(p, 0, o->rate[k], k - 0.36, k + 0.36, color[k],
                text_of("%s %s|%.9g", o->week, o->stage[k], o->rate[k]));
        page_text(page, g.x + names - 0.5, page_y(p, k), RIGHT, BLACK, bar_label(o, k));
        page_text(page, page_x(p, o->rate[k]) + 0.4, page_y(p, k), LEFT, BLACK, text[k]);
    }
}

static const char *draw_ladders(struct page *page, const struct weeks *weeks)
{
    int faster = 1;

    for (int i = 0; i < weeks->n; i++) {
        draw_week_ladder(page, &weeks->of[i], place_of(i, weeks->n, TOP + 1));
        faster &= rate_of_library(&weeks->of[i]) > 1;
    }
    page->title = faster ? "In every week, the last stage is faster than NVIDIA's library"
                         : "The first stage, the last stage and NVIDIA's library";
    page->subtitle = "rate, x of the first stage; gray: first stage, blue: last, black: library";
    return NULL;
}

// --- roofs

struct roofs {
    double bytes;          // peak bandwidth, GB/s
    double fp32, tensor;   // measured, 10^9 operations per second; NaN: not measured
};

// The roofs, from the rows of all weeks.
static struct roofs roofs_of(const struct weeks *weeks)
{
    struct roofs roofs = { NAN, NAN, NAN };

    for (int i = 0; i < weeks->n; i++) {
        struct table t = overview_part(weeks, &weeks->of[i], "roofline");

        roofs.bytes = fmax(roofs.bytes, row_number(weeks->of[i].row[LAST], COLUMN_peak_gbs));
        for (size_t r = 0; r < t.n; r++) {
            double rate = row_number(&t.row[r], COLUMN_rate);

            if (strcmp(t.row[r].mode, "roof") != 0 || !row_is_ok(&t.row[r]))
                continue;
            if (t.row[r].arithmetic[0])
                roofs.tensor = fmax(roofs.tensor, rate);
            else if (strcmp(t.row[r].name, "fma") == 0)
                roofs.fp32 = fmax(roofs.fp32, rate);
        }
    }
    return roofs;
}

// Operations per byte that the problem must move.
static double intensity_of(const struct overview *o)
{
    return o->operations * size_of(o->size).product / row_number(o->row[LAST], COLUMN_bytes);
}

// A bar's rate in 10^9 operations per second.
static double operations_of(const struct overview *o, int k)
{
    double us = shown_number(&o->t, o->row[k], COLUMN_median_us);

    return o->operations * size_of(o->size).product / us * 1e-3;
}

// The lowest roof above a week: memory's or, for flops, that of fp32. Roofs of other operations are
// not measured.
static double roof_above(const struct roofs *roofs, const struct overview *o)
{
    double memory = roofs->bytes * intensity_of(o);

    return strcmp(o->operation, "flops") == 0 ? fmin(memory, roofs->fp32) : memory;
}

static void draw_flat_roof(struct page *page, struct panel *p, const struct roofs *roofs,
                           double rate, const char *name)
{
    if (isnan(rate))
        return;
    put_line(p, rate / roofs->bytes, rate, p->ax.high, rate, BLACK, 0);
    page_text(page, page_x(p, p->ax.high) - 0.4, page_y(p, rate) + 0.8, RIGHT, BLACK,
              text_of("%s %s", name, readable(rate, "GOP/s")));
}

// The slope of the peak bandwidth, with its name along it.
static void draw_slope(struct page *page, struct panel *p, const struct roofs *roofs, double top)
{
    double x0 = fmax(p->ax.low, p->ay.low / roofs->bytes), x1 = top / roofs->bytes;
    double x = x0 * pow(x1 / x0, 0.62), y = roofs->bytes * x;
    double angle = atan2(page_y(p, roofs->bytes * x1) - page_y(p, roofs->bytes * x0),
                         page_x(p, x1) - page_x(p, x0));

    put_line(p, x0, roofs->bytes * x0, x1, roofs->bytes * x1, BLACK, 0);
    page_rotated(page, page_x(p, x) - 0.8 * sin(angle), page_y(p, y) + 0.8 * cos(angle),
                 angle * 45 / atan(1), BLACK,
                 text_of("peak bandwidth %s", readable(roofs->bytes, "GB/s")));
}

// Whether another week is close to the right of this one, so that its labels are to its left.
static int is_crowded(const struct weeks *weeks, const struct overview *o)
{
    for (int i = 0; i < weeks->n; i++) {
        double times = intensity_of(&weeks->of[i]) / intensity_of(o);

        if (times > 1 && times < 10)
            return 1;
    }
    return 0;
}

// Draws the name of a stage and its share of the roof, apart from its point and from the line of
// the fp32 roof.
static void draw_label(struct page *page, struct panel *p, const struct overview *o, int k,
                       const struct roofs *roofs, int left, int color)
{
    double x = intensity_of(o), y = page_y(p, operations_of(o, k)), line = page_y(p, roofs->fp32);
    const char *text = text_of("%s  %s", overview_label(o, o->stage[k]),
                               percent_text(operations_of(o, k) / roof_above(roofs, o)));

    y += k == LAST ? (left ? 0.6 : -0.7) : left ? -1.3 : 0;
    if (fabs(y - line) < 0.8 && x > roofs->fp32 / roofs->bytes)
        y = line + (y + 0.7 > line ? 0.8 : -0.8);
    page_text(page, page_x(p, x) + (left ? -0.7 : 0.7), y, left ? RIGHT : LEFT, color, text);
}

// A week: its first and its last stage, joined by a line, and the library.
static void draw_pair(struct page *page, struct panel *p, const struct weeks *weeks, int i,
                      const struct roofs *roofs)
{
    static const int shape[] = { 6, 7, 9 };
    const struct overview *o = &weeks->of[i];
    double x = intensity_of(o);
    int left = is_crowded(weeks, o), color = week_color[i];

    put_line(p, x, p->ay.low * pow(p->ay.high / p->ay.low, 2.9 / p->h), x, operations_of(o, FIRST),
             color, 1);   // above the names of the operations
    put_line(p, x, operations_of(o, FIRST), x, operations_of(o, LAST), color, 0);
    for (int k = LIBRARY; k >= FIRST; k--)
        put_point(p, x, operations_of(o, k), k == LIBRARY ? BLACK : color, shape[k],
                  text_of("%s %s|%.6g", o->week, o->stage[k], operations_of(o, k)));
    for (int k = FIRST; k <= LAST; k++)
        draw_label(page, p, o, k, roofs, left, color);
    page_text(page, page_x(p, x) + (left ? -0.4 : 0.4), p->y + 0.8 + 1.35 * (i % 2),
              left ? RIGHT : LEFT, color, text_of("week %d: %s", week_number(o), o->operation));
}

static const char *draw_rooflines(struct page *page, const struct weeks *weeks)
{
    struct roofs roofs = roofs_of(weeks);
    struct range x = { 0, 0 }, y = { 0, 0 }, share[2] = { { 0, 0 }, { 0, 0 } };
    double top = fmax(roofs.fp32, roofs.tensor);
    struct panel *p;

    if (isnan(roofs.bytes) || isnan(roofs.fp32))
        return "no row has the peak bandwidth, or no run of demo_roofs has the fp32 peak";
    for (int i = 0; i < weeks->n; i++) {
        const struct overview *o = &weeks->of[i];

        if (isnan(o->operations))
            return text_of("%s/messages: no line 'operations: NUMBER: WHAT'", o->week);
        widen(&x, intensity_of(o));
        for (int k = FIRST; k <= LAST; k++) {
            widen(&y, operations_of(o, k));
            widen(&share[k], operations_of(o, k) / roof_above(&roofs, o));
        }
    }
    p = page_panel(page, MARGIN + 6.2, BOTTOM + 2.7, PAGE_W - 2 * MARGIN - 7.2, TOP - BOTTOM - 2.9,
                   axis_of(x.low / 60, x.high * 40, 10, 8, ""),
                   axis_of(y.low / 10, top * 2, 10, 8, "GOP/s"));
    draw_slope(page, p, &roofs, top);
    draw_flat_roof(page, p, &roofs, roofs.fp32, "fp32 FMA");
    draw_flat_roof(page, p, &roofs, roofs.tensor, "TF32 tensor cores");
    for (int i = 0; i < weeks->n; i++)
        draw_pair(page, p, weeks, i, &roofs);
    page_text(page, p->x + p->w / 2, BOTTOM + 0.4, CENTER, DARK,
              "operations per byte that the problem must move");
    page->title =
        share[FIRST].high < share[LAST].low
            ? text_of("First stages: %.0f to %.0f %% of their roof; last stages: %.0f to %.0f %%",
                      100 * share[FIRST].low, 100 * share[FIRST].high, 100 * share[LAST].low,
                      100 * share[LAST].high)
            : "The first and the last stage of each week below their roofs";
    page->subtitle = "operations per second; hollow: first stage, filled: last, triangle: library";
    return NULL;
}

// --- gains

enum { MOST_STEPS = 64, COLUMNS_OF_GAINS = 3 };

struct step {
    const struct overview *o;
    const char *stage;
    double gain, beside;   // over the stage before it in the core ladder; NaN: not measured
};

static double gain_of(const struct table *t, const struct overview *o, const char *stage,
                      const char *before)
{
    const struct row *row = overview_row(t, o, stage, o->size),
                     *base = overview_row(t, o, before, o->size);

    return row && base ? row_number(row, COLUMN_rate) / row_number(base, COLUMN_rate) : NAN;
}

static int steps_of(const struct weeks *weeks, struct step *step)
{
    int n = 0;

    for (int i = 0; i < weeks->n; i++) {
        const struct overview *o = &weeks->of[i];
        const char *core = message_stages(text_of("%s/%s", root_folder(), o->week), "core"),
                   *before = next_word(&core), *stage;

        while (before && strcmp(before, o->stage[FIRST]) != 0)   // a copy is no idea
            before = next_word(&core);
        for (; before && n < MOST_STEPS && (stage = next_word(&core)); before = stage)
            step[n++] = (struct step){ o, stage, gain_of(&o->t, o, stage, before),
                                       o->beside.n ? gain_of(&o->beside, o, stage, before) : NAN };
    }
    return n;
}

// The column of each week, so that the columns have at most `limit` lines: a week's heading and its
// steps. Returns the number of columns.
static int columns_of(const struct step *step, int n, int limit, int *column)
{
    int used = 0, columns = 0;

    for (int i = 0, rows; i < n; i += rows) {
        for (rows = 0; i + rows < n && step[i + rows].o == step[i].o;)
            rows++;
        if (used + rows + 2 > limit || columns == 0)
            used = 0, columns++;
        used += rows + 2;
        for (int k = i; k < i + rows; k++)
            column[k] = columns - 1;
    }
    return columns;
}

static void draw_step(struct page *page, struct panel *p, const struct step *s, double y,
                      double names)
{
    int color = s->gain < 1 ? VERMILION : s->gain >= 1.5 ? BLUE : GRAY;
    double half = isnan(s->beside) ? 0.36 : 0.18, end = isnan(s->gain) ? 1 : s->gain;

    page_text(page, names, page_y(p, y), RIGHT, BLACK,
              text_width(overview_label(s->o, s->stage)) > 9.6
                  ? text_of("%s…", text_head(overview_label(s->o, s->stage), 14))
                  : overview_label(s->o, s->stage));
    if (!isnan(s->gain))
        put_bar(p, fmin(1, end), fmax(1, end), y - 0.36, y - 0.36 + 2 * half, color,
                text_of("%s %s|%.6g", s->o->week, s->stage, s->gain));
    if (!isnan(s->beside)) {
        put_bar(p, fmin(1, s->beside), fmax(1, s->beside), y, y + 0.36, paler(color),
                text_of("%s %s beside|%.6g", s->o->week, s->stage, s->beside));
        end = fmax(end, s->beside);
    }
    page_text(page, page_x(p, fmax(1, end)) + 0.3, page_y(p, y), LEFT,
              isnan(s->gain) ? DARK : BLACK,
              isnan(s->gain) ? "not measured" : multiple_text(s->gain));
}

// One column of weeks: steps first to last - 1.
static void draw_column(struct page *page, const struct step *step, int first, int last, double x,
                        double w, double pitch, const struct range *gains)
{
    const struct overview *o = NULL;
    double top = TOP + 0.6, names = x + 10.2;

    while (first < last) {
        int n = 0;
        struct panel *p;

        for (o = step[first].o; first + n < last && step[first + n].o == o;)
            n++;
        page_text(page, x, top - 0.6, LEFT, BLACK,
                  text_of("Week %d: %s", week_number(o), o->topic));
        top -= 1.4;
        p = page_panel(page, names + 0.4, top - pitch * n, w - 10.6 - 3.2, pitch * n,
                       (struct axis){ fmin(gains->low, 0.9), gains->high, 10, "" },
                       (struct axis){ n - 0.5, -0.5, 0, "" });
        put_line(p, 1, -0.5, 1, n - 0.5, GRAY, 0);
        for (int i = 0; i < n; i++)
            draw_step(page, p, &step[first + i], i, names);
        top -= pitch * n + 0.6;
        first += n;
    }
}

static const char *draw_gains(struct page *page, const struct weeks *weeks)
{
    struct step step[MOST_STEPS];
    int column[MOST_STEPS], n = steps_of(weeks, step), limit = 8, halves = 0, measured = 0;
    double w = (PAGE_W - 2 * MARGIN) / COLUMNS_OF_GAINS, pitch;
    const struct step *best = NULL;
    struct range gains = { 0, 0 };

    for (int i = 0; i < n; i++) {
        widen(&gains, step[i].gain);
        widen(&gains, step[i].beside);
        measured += !isnan(step[i].gain), halves += step[i].gain >= 1.5;
        best = !isnan(step[i].gain) && (!best || step[i].gain > best->gain) ? &step[i] : best;
    }
    if (!best)
        return "no week has a line 'core' with two measured stages";
    while (columns_of(step, n, limit, column) > COLUMNS_OF_GAINS)
        limit++;
    pitch = fmin((TOP + 0.6 - BOTTOM) / limit, 1.7);
    for (int c = 0, i = 0; c < COLUMNS_OF_GAINS; c++) {
        int first = i;

        while (i < n && column[i] == c)
            i++;
        draw_column(page, step, first, i, MARGIN + c * w, w, pitch, &gains);
    }
    page->title = text_of("%d of %d ideas gain at least 50 %%; the largest gain is %s", halves,
                          measured, multiple_text(best->gain));
    page->subtitle = "rate / rate of the stage before, core ladder, log axis; blue: 1.5x or more";
    return NULL;
}

// --- then and now

enum { PAIRS = 3 };

// A stage's rates: published in the slides, and today; NaN if unknown.
struct pair {
    const char *stage;
    int color;
    double then, now;
};

static struct table published_of(const char *week)
{
    const char *topic = strchr(week, '_') ? strchr(week, '_') + 1 : week;
    struct arguments files = published_files(topic);

    return files.n ? read_tables(&files) : (struct table){ 0 };
}

static double published_rate(const struct table *then, const char *stage)
{
    const struct row *row =
        latest_row(then, stage, &(struct place){ NULL, "published", NULL, "", "" });

    return row ? row_number(row, COLUMN_rate) : NAN;
}

// The first stage, the last stage with a published rate, and the last stage, at the size of the
// slides if that was measured.
static void pairs_of(const struct overview *o, const struct table *then, struct pair *pair,
                     const char **size)
{
    static const int color[PAIRS] = { GRAY, BLUE, GREEN };
    const char *stage[PAIRS] = { o->stage[FIRST], "", o->stage[LAST] };

    *size = then->n && then->row[0].size[0] ? then->row[0].size : o->size;
    for (size_t r = 0; r < then->n; r++)
        if (stage_number(then->row[r].stage) > stage_number(stage[stage[1][0] ? 1 : 0]))
            stage[1] = then->row[r].stage;
    if (!overview_row(&o->t, o, o->stage[FIRST], *size))
        *size = o->size;
    for (int i = 0; i < PAIRS; i++) {
        const struct row *now = stage[i][0] ? overview_row(&o->t, o, stage[i], *size) : NULL;

        pair[i] = (struct pair){ stage[i], color[i], published_rate(then, stage[i]),
                                 now ? row_number(now, COLUMN_rate) : NAN };
    }
}

static void draw_pair_bars(struct page *page, struct panel *p, const struct overview *o,
                           const struct pair *pair, double y, double names)
{
    const char *then = isnan(pair->then) ? "not published" : readable(pair->then, o->unit);
    const char *now = isnan(pair->now) ? "not measured" : readable(pair->now, o->unit);

    page_text(page, names, page_y(p, y), RIGHT, BLACK, overview_label(o, pair->stage));
    if (!isnan(pair->then))
        put_bar(p, p->ax.low, pair->then, y - 0.4, y, paler(pair->color),
                text_of("%s %s then|%.6g", o->week, pair->stage, pair->then));
    if (!isnan(pair->now))
        put_bar(p, p->ax.low, pair->now, y, y + 0.4, pair->color,
                text_of("%s %s now|%.6g", o->week, pair->stage, pair->now));
    page_text(page, page_x(p, isnan(pair->then) ? p->ax.low : pair->then) + 0.4,
              page_y(p, y - 0.22), LEFT, DARK, then);
    page_text(page, page_x(p, isnan(pair->now) ? p->ax.low : pair->now) + 0.4, page_y(p, y + 0.22),
              LEFT, BLACK,
              isnan(pair->then) ? now
                                : text_of("%s  %s", now, multiple_text(pair->now / pair->then)));
}

static void draw_week_then(struct page *page, const struct overview *o, struct grid g,
                           struct range *naive)
{
    struct table then = published_of(o->week);
    struct pair pair[PAIRS];
    struct range rates = { 0, 0 };
    const char *size, *device = table_note(&then, "device");
    double names = 0;
    struct panel *p;
    int n = 0;

    pairs_of(o, &then, pair, &size);
    for (int i = 0; i < PAIRS; i++) {
        if (!pair[i].stage[0])
            continue;
        pair[n++] = pair[i];
        widen(&rates, pair[i].then), widen(&rates, pair[i].now);
        names = fmax(names, text_width(overview_label(o, pair[i].stage)) + 0.8);
    }
    widen(naive, pair[0].now / pair[0].then);
    put_heading(page, &g, o,
                then.n ? text_of("; then: %.*s, %.4s", (int)strcspn(device, ","), device,
                                 table_note(&then, "date"))
                       : "");
    page->provenance = text_of("%s%s%s", page->provenance ? page->provenance : "",
                               page->provenance ? ", " : "", size);
    p = page_panel(page, g.x + names, g.y, g.w - names - 9.6, g.h,
                   (struct axis){ rates.low / 3, rates.high, 10, "" },
                   (struct axis){ n - 0.5, -0.5, 0, "" });
    for (int i = 0; i < n; i++)
        draw_pair_bars(page, p, o, &pair[i], i, g.x + names - 0.5);
}

static const char *draw_then_and_now_of_weeks(struct page *page, const struct weeks *weeks)
{
    struct range naive = { 0, 0 };

    for (int i = 0; i < weeks->n; i++)
        draw_week_then(page, &weeks->of[i], place_of(i, weeks->n, TOP + 1), &naive);
    if (naive.high == 0)
        return "no week has a table in plots/data/published/ with its first stage";
    page->title = naive.low > 1 ? text_of("First stages: %s to %s times the rate of the slides",
                                          text_of("%.0f", naive.low), text_of("%.0f", naive.high))
                                : "Rates then and now";
    page->subtitle = "rate, log axis; pale: then, of the slides; dark: now; x: now / then";
    return NULL;
}

const struct overview_figure overview_figures[] = {
    { "ladders", draw_ladders,
      "Each week's last stage beside its first stage and the vendor's library, at one size." },
    { "roofline", draw_rooflines,
      "A line goes from a week's first stage up to its last; the distance to the roof is what is "
      "left." },
    { "gains", draw_gains,
      "Each bar is what one idea gains over the stage before it: a few long bars make most of the "
      "rate." },
    { "then_and_now", draw_then_and_now_of_weeks,
      "The same kernels on the slides' GPU and on this one; the last stage uses what newer GPUs "
      "have." },
    { 0 },
};

// The figures that compare weeks: the same kinds as those of a week, with rows or points of each.
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int week_color[] = { BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, DARK, GRAY };

// "16.9x": with the precision of its size.
static const char *multiple_text(double multiple)
{
    return isnan(multiple)  ? ""
         : multiple >= 99.5 ? text_of("%.0fx", multiple)
         : multiple >= 9.95 ? text_of("%.1fx", multiple)
                            : text_of("%.2fx", multiple);
}

static const char *week_text(const struct overview *o, const char *what)
{
    return text_of("week %d: %s", week_number(o), what);
}

// --- first stage, last stage, library

static const char *draw_ladders(struct sheet *s, const struct weeks *weeks)
{
    static const int color[] = { GRAY, BLUE, BLACK };
    struct bars *b = must_calloc(1, sizeof *b);
    int faster = 1;

    b->columns = 1;
    b->column[0].heading = "";
    b->column[0].line[0] = 1, b->column[0].line_text[0] = "library";
    for (int i = 0; i < weeks->n; i++) {
        const struct overview *o = &weeks->of[i];

        for (int k = 0; k < BARS_PER_WEEK; k++) {
            const char *name = k == LIBRARY ? o->library : overview_label(o, o->stage[k]);
            struct bar_row *row = bars_row(b, week_text(o, name), color[k]);

            row->gap = k == 0 && i > 0;
            row->bar[0].value = k == LIBRARY ? 1 : o->rate[k] / o->rate[LIBRARY];
            row->bar[0].text = readable(o->rate[k], o->unit);
            if (k != FIRST)
                row->bar[0].text =
                    text_of("%s  %.1fx", row->bar[0].text, o->rate[k] / o->rate[FIRST]);
        }
        faster &= rate_of_library(o) > 1;
    }
    sheet_bars(s, b);
    s->title = faster ? "In every week, the last stage is faster than NVIDIA's library"
                      : "The first stage, the last stage and NVIDIA's library";
    s->subtitle = "rate / rate of the library; x: of the first stage";
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
        struct table t = overview_part(&weeks->of[i], "roofline", weeks->from);

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

static const char *draw_rooflines(struct sheet *s, const struct weeks *weeks)
{
    static const int shape[] = { 6, 7, 9 };
    struct roofs roofs = roofs_of(weeks);
    struct span_of_axis share[2] = { { INFINITY, 0, 1 }, { INFINITY, 0, 1 } };
    struct points p = { .x = { INFINITY, 0, 1 }, .y = { INFINITY, 0, 1 }, .unit = "OP/s" };
    double top = 1e9 * fmax(roofs.fp32, roofs.tensor);

    if (isnan(roofs.bytes) || isnan(roofs.fp32))
        return "no row has the peak bandwidth, or no run of demo_roofs has the fp32 peak";
    for (int i = 0; i < weeks->n; i++) {
        const struct overview *o = &weeks->of[i];

        if (isnan(o->operations))
            return text_of("%s/messages: no line 'operations: NUMBER: WHAT'", o->week);
        for (int k = FIRST; k <= LIBRARY; k++) {
            double rate = operations_of(o, k), of_roof = rate / roof_above(&roofs, o);

            if (k != LIBRARY)
                widen(&share[k], of_roof);
            add_point(&p, (struct point){
                              intensity_of(o), 1e9 * rate, shape[k],
                              k == LIBRARY ? BLACK : week_color[i], k == LAST,
                              k == LIBRARY
                                  ? NULL
                                  : week_text(o, text_of("%s  %s", overview_label(o, o->stage[k]),
                                                         percent_text(of_roof))),
                              text_of("%s %s", o->week, o->stage[k]) });
        }
    }
    p.roof[p.roofs++] =
        (struct roof){ 1e9 * roofs.bytes, 1, top, 0.5,
                       text_of("peak bandwidth %s", readable(roofs.bytes, "GB/s")) };
    p.roof[p.roofs++] = (struct roof){ 1e9 * roofs.fp32, 0, INFINITY, 0,
                                       text_of("fp32 FMA %s", readable(roofs.fp32, "GOP/s")) };
    if (!isnan(roofs.tensor))
        p.roof[p.roofs++] =
            (struct roof){ 1e9 * roofs.tensor, 0, INFINITY, 0,
                           text_of("TF32 tensor cores %s", readable(roofs.tensor, "GOP/s")) };
    p.y.low = p.y.high = top;
    p.x.low = p.x.high = 4 * top / (1e9 * roofs.bytes);
    p.xtitle = "operations per byte that the problem must move";
    sheet_points(s, &p);
    s->title =
        share[FIRST].high < share[LAST].low
            ? text_of("First stages: %.0f to %.0f %% of their roof; last stages: %.0f to %.0f %%",
                      100 * share[FIRST].low, 100 * share[FIRST].high, 100 * share[LAST].low,
                      100 * share[LAST].high)
            : "The first and the last stage of each week below their roofs";
    s->subtitle = "operations per second; hollow: first stage, filled: last, triangle: library";
    return NULL;
}

// --- gains

enum { MOST_STEPS = 64, MOST_GAINS = 18 };

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
        const char *core = message_stages(folder_of(o->week), "core"), *before = next_word(&core),
                   *stage;

        while (before && strcmp(before, o->stage[FIRST]) != 0)   // a copy is no idea
            before = next_word(&core);
        for (; before && n < MOST_STEPS && (stage = next_word(&core)); before = stage)
            step[n++] = (struct step){ o, stage, gain_of(&o->t, o, stage, before),
                                       o->beside.n ? gain_of(&o->beside, o, stage, before) : NAN };
    }
    return n;
}

static int by_gain(const void *a, const void *b)
{
    const struct step *s = a, *t = b;
    double left = isnan(s->gain) ? 0 : s->gain, right = isnan(t->gain) ? 0 : t->gain;

    return left < right ? 1 : left > right ? -1 : 0;
}

static const char *draw_gains(struct sheet *s, const struct weeks *weeks)
{
    struct bars *b = must_calloc(1, sizeof *b);
    struct step step[MOST_STEPS];
    int n = steps_of(weeks, step), halves = 0, measured = 0;

    for (int i = 0; i < n; i++)
        measured += !isnan(step[i].gain), halves += step[i].gain >= 1.5;
    if (!measured)
        return "no week has a line 'core' with two measured stages";
    qsort(step, n, sizeof *step, by_gain);
    b->columns = weeks->beside[0] ? 2 : 1;
    b->column[0] = (struct bar_column){ .heading = "", .log = 1 };
    b->column[1] = (struct bar_column){ .heading = weeks->beside, .log = 1, .like = 1 };
    for (int i = 0; i < n && i < MOST_GAINS; i++) {
        struct bar_row *row =
            bars_row(b, week_text(step[i].o, overview_label(step[i].o, step[i].stage)),
                     week_color[step[i].o - weeks->of]);

        row->bar[0].value = step[i].gain, row->bar[0].text = multiple_text(step[i].gain);
        row->bar[1].value = step[i].beside, row->bar[1].text = multiple_text(step[i].beside);
    }
    sheet_bars(s, b);
    s->title = text_of("%d of %d ideas gain at least 50 %%; the largest gain is %s", halves,
                       measured, multiple_text(step[0].gain));
    s->subtitle = text_of(
        "the %d largest gains: rate / rate of the stage before, core ladder; logarithmic", b->rows);
    return NULL;
}

// --- then and now

enum { PAIRS = 3 };

// A stage's rates: published in the slides, and today; NaN if unknown.
struct pair {
    const char *stage;
    double then, now;
};

static struct table published_of(const char *week)
{
    struct arguments files = published_files(week);

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
    const char *stage[PAIRS] = { o->stage[FIRST], "", o->stage[LAST] };

    *size = then->n && then->row[0].size[0] ? then->row[0].size : o->size;
    for (size_t r = 0; r < then->n; r++)
        if (stage_number(then->row[r].stage) > stage_number(stage[stage[1][0] ? 1 : 0]))
            stage[1] = then->row[r].stage;
    if (!overview_row(&o->t, o, o->stage[FIRST], *size))
        *size = o->size;
    for (int i = 0; i < PAIRS; i++) {
        const struct row *now = stage[i][0] ? overview_row(&o->t, o, stage[i], *size) : NULL;

        pair[i] = (struct pair){ stage[i], published_rate(then, stage[i]),
                                 now ? row_number(now, COLUMN_rate) : NAN };
    }
}

static const char *draw_then_and_now_of_weeks(struct sheet *s, const struct weeks *weeks)
{
    struct bars *b = must_calloc(1, sizeof *b);
    struct span_of_axis first = { INFINITY, 0, 1 };
    const char *sizes = "";

    b->columns = 1;
    b->column[0] = (struct bar_column){ .heading = "", .log = 1 };
    for (int i = 0; i < weeks->n; i++) {
        const struct overview *o = &weeks->of[i];
        struct table then = published_of(o->week);
        struct pair pair[PAIRS];
        const char *size;

        pairs_of(o, &then, pair, &size);
        sizes = joined(sizes, ", ", size);
        widen(&first, pair[0].now / pair[0].then);
        for (int k = 0; k < PAIRS; k++) {
            const struct pair *q = &pair[k];
            struct bar_row *row;

            if (!q->stage[0])
                continue;
            row = bars_row(b, week_text(o, overview_label(o, q->stage)), week_color[i]);
            row->gap = k == 0 && i > 0;
            row->bar[0].value = q->now, row->bar[0].inner = q->then;
            row->bar[0].text =
                isnan(q->then)
                    ? text_of("not published; %s", readable(q->now, o->unit))
                    : text_of("%s, %s: %s", readable(q->then, o->unit), readable(q->now, o->unit),
                              multiple_text(q->now / q->then));
        }
    }
    if (first.high == 0)
        return "no week has a table in plots/data/published/ with its first stage";
    sheet_bars(s, b);
    s->provenance = sizes;
    s->title = first.low > 1 ? text_of("First stages: %.0f to %.0f times the rate of the slides",
                                       first.low, first.high)
                             : "Rates then and now";
    s->subtitle =
        "10^9 per second, logarithmic; hollow: then, on the GPU of the slides; filled: now";
    return NULL;
}

const struct overview_figure overview_figures[] = {
    { "ladders", "bars", draw_ladders,
      "Each week's last stage beside its first stage and the vendor's library, at one size." },
    { "roofline", "points", draw_rooflines,
      "A line goes from a week's first stage up to its last; the distance to the roof is what "
      "is left." },
    { "gains", "bars", draw_gains,
      "Each bar is what one idea gains over the stage before it: a few long bars make most of "
      "the rate." },
    { "then_and_now", "bars", draw_then_and_now_of_weeks,
      "The same kernels on the slides' GPU and on this one; the last stage uses what newer GPUs "
      "have." },
    { 0 },
};

// Figures with horizontal bars: one row per stage, one or more columns side by side. Many rows are
// split into two blocks side by side, with the same scales.
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bound.h"
#include "differences.h"
#include "figure.h"
#include "stats.h"

enum { MOST_ROWS = 64, MOST_COLUMNS = 4, MOST_DOTS = 8, MOST_LINES = 6, FOLD = 16 };

struct cell {
    double value, low, high, inner;   // NaN: none; inner: the dark part
    const char *text;                 // beside the bar, or instead of it; NULL: no cell
    double dot[MOST_DOTS];
    int dots;
};

struct bar_row {
    const char *label;
    int color;
    struct cell cell[MOST_COLUMNS];
};

struct bar_column {
    const char *heading, *suffix, *inner;   // `inner`: what dark parts are
    double line[MOST_LINES];                // dotted lines; 0 ends the list
    const char *line_text[MOST_LINES];
    int log, pale, like;   // `like`: the number, from 1, of an earlier column with the same scale
    // the source of the cells
    const struct view *from;
    quantity *of;
    const char *base;    // shares are of this stage or reference
    double scale, cut;   // factor for times; longer bars are cut off, 0: none are
    double full;         // the scale reaches at least this value
    int multiples, whiskers, same_run;
    const struct table *recorded;   // counts and rates for bounds
    struct rates rates;
};

// Rows belong to two groups. Groups with headings are drawn one below the other, each with its own
// scale.
struct chart {
    struct bar_row row[MOST_ROWS];
    int rows, split;   // rows before `split` are of group 0
    struct bar_column column[MOST_COLUMNS];
    int columns;
    const char *group[2];
};

static const int dot_color[] = { VERMILION, ORANGE, GREEN, BLUE, PURPLE, SKY };
static const struct cell no_cell = { .value = NAN, .low = NAN, .high = NAN, .inner = NAN };

static struct bar_row *add_row(struct chart *c, const char *label, int color, int group)
{
    struct bar_row *row = &c->row[group ? c->rows : c->split];

    if (c->rows == MOST_ROWS)
        die(STATUS_ERROR, "a figure has too many rows");
    memmove(row + 1, row, (&c->row[c->rows] - row) * sizeof *row);
    c->rows++, c->split += !group;
    *row = (struct bar_row){ .label = label, .color = color };
    for (int k = 0; k < MOST_COLUMNS; k++)
        row->cell[k] = no_cell;
    return row;
}

typedef struct cell cell_of(struct bar_column *, const struct row *);

// Adds the cells of these stages in column k, and a row for each stage that has none yet.
static void add_cells(struct chart *c, int k, const struct view *v, const char *const *stage, int n,
                      cell_of *cell)
{
    for (int i = 0; i < n; i++) {
        const struct view *from = c->column[k].from;
        const struct row *r = view_row(from, stage[i], "");
        const char *label = stage_label(v, stage[i]);
        struct bar_row *row = NULL;

        for (int j = 0; j < c->rows && !row; j++)
            row = strcmp(c->row[j].label, label) == 0 ? &c->row[j] : NULL;
        if (!row)
            row = add_row(c, label, stage_color(v, stage[i]),
                          c->group[0] ? r && r->arithmetic[0] : k);
        if (view_usable(from, r))
            row->cell[k] = cell(&c->column[k], r);
        else   // a fault is shown once per device
            row->cell[k].text = k && from == c->column[0].from ? "" : fault_text(r);
    }
}

// --- layout

struct block {
    int first, last, group;   // rows
    int columns;
    double x, w, names;
};

struct scale {
    double low, high, room;   // room for texts, in ems
};

static void widen(struct scale *s, double value)
{
    s->low = value > 0 ? fmin(s->low, value) : s->low;
    s->high = fmax(s->high, value);
}

// The range of a group's bars in a column, and the width of their texts.
static struct scale scale_of(const struct chart *c, int k, int group)
{
    const struct bar_column *column = &c->column[k];
    struct scale s = { INFINITY, 0, 0 };
    int dots = 0;

    for (int i = 0; i < c->rows; i++) {
        const struct cell *cell = &c->row[i].cell[k];

        if (c->group[0] && group != (i >= c->split))
            continue;
        for (int d = 0; d < cell->dots; d++, dots++)
            widen(&s, cell->dot[d]);
        if (isnan(cell->value))
            continue;
        widen(&s, cell->value);
        s.high = fmax(s.high, cell->high);
        s.room = fmax(s.room, text_width(cell->text) + 0.9);
    }
    if (column->cut > 0)
        s.high = fmin(s.high, column->cut);
    for (int l = 0; l < MOST_LINES && column->line[l] && column->log && !dots; l++)
        s.high = fmax(s.high, column->line[l]);
    s.low = column->log ? s.low / 2 : 0;
    s.high = fmax(s.high, column->full);
    s.high = s.high > 0 ? s.high * (column->log ? 1.3 : 1) : 1;
    if (column->like) {
        struct scale like = scale_of(c, column->like - 1, group);

        s.high = fmax(s.high, like.high), s.room = fmax(s.room, like.room);
    }
    return s;
}

static int has_cells(const struct chart *c, int k, const struct block *b)
{
    for (int i = b->first; i < b->last; i++)
        if (c->row[i].cell[k].text)
            return 1;
    return 0;
}

// Divides rows into blocks: one per group, two for a group of many rows. Groups without headings
// are treated as one if they have many rows.
static int blocks_of(const struct chart *c, struct block *b)
{
    int n = 0, split = !c->group[0] && c->rows > FOLD ? c->rows : c->split;

    for (int g = 0; g < 2; g++) {
        int first = g ? split : 0, rows = (g ? c->rows : split) - first;
        int half = rows > FOLD ? (rows + 1) / 2 : rows;

        for (int at = 0; at < rows; at += half, n++) {
            int last = at + half < rows ? at + half : rows;

            b[n] = (struct block){ first + at, first + last, g, .names = 0.7 };
            for (int i = first + at; i < first + last; i++)
                b[n].names = fmax(b[n].names, text_width(c->row[i].label) + 0.7);
            for (int k = 0; k < c->columns; k++)
                b[n].columns += has_cells(c, k, &b[n]);
        }
    }
    return n;
}

static void draw_dots(struct panel *p, const struct cell *cell, double y, const char *what)
{
    struct scale s = { INFINITY, 0, 0 };

    for (int d = 0; d < cell->dots; d++)
        widen(&s, cell->dot[d]);
    if (s.low < s.high)
        put_line(p, s.low, y, s.high, y, PALE, 0);
    for (int d = 0; d < cell->dots; d++)
        if (cell->dot[d] > 0)
            put_point(p, cell->dot[d], y, dot_color[d % 6], 7,
                      text_of("%s|%d|%.9g", what, d, cell->dot[d]));
}

static void draw_cell(struct page *page, struct panel *p, const struct bar_row *row,
                      const struct bar_column *column, const struct cell *cell, double y)
{
    double end = column->cut > 0 ? fmin(cell->value, column->cut) : cell->value, half = 0.36;
    int color = column->pale ? paler(row->color) : row->color;
    const char *what = text_of("%s|%s", row->label, column->heading);
    const char *whole = text_of("%s|%.9g", what, cell->value);

    draw_dots(p, cell, y, what);
    if (isnan(cell->value)) {
        if (cell->text && cell->text[0])
            page_text(page, p->x + 0.4, page_y(p, y), LEFT, DARK, cell->text);
        return;
    }
    if (column->log) {
        put_bar(p, p->ax.low, end, y - 0.06, y + 0.06, color, whole);
        put_point(p, end, y, color, 7, row->label);
    } else
        put_bar(p, 0, end, y - half, y + half, isnan(cell->inner) ? color : paler(color), whole);
    if (!isnan(cell->inner))
        put_bar(p, 0, fmin(cell->inner, end), y - half, y + half, color,
                text_of("%s %s|%.9g", what, column->inner, cell->inner));
    if (cell->low < cell->high)
        put_line(p, cell->low, y, cell->high, y, row->color == BLACK ? GRAY : BLACK, 0);
    page_text(page, page_x(p, fmax(end, cell->high)) + 0.4, page_y(p, y), LEFT, BLACK, cell->text);
}

static void draw_lines(struct page *page, struct panel *p, const struct bar_column *column, int n)
{
    double used[2] = { INFINITY, -INFINITY };   // texts reach from the first to the second

    put_line(p, p->ax.low, -0.5, p->ax.low, n - 0.5, GRAY, 0);
    for (int l = 0; l < MOST_LINES && column->line[l]; l++)
        if (column->line[l] > p->ax.low && column->line[l] <= p->ax.high) {
            const char *text = column->line_text[l];
            double x = page_x(p, column->line[l]), half = text ? text_width(text) / 2 + 0.3 : 0;

            put_line(p, column->line[l], -0.5, column->line[l], n - 0.5, GRAY, 1);
            if (!text || (x + half > used[0] && x - half < used[1]))
                continue;
            page_text(page, x, p->y + p->h + 0.5, CENTER, DARK, text);
            used[0] = fmin(used[0], x - half), used[1] = fmax(used[1], x + half);
        }
}

static void draw_block(struct page *page, const struct chart *c, const struct block *b, double top,
                       double pitch, int headed)
{
    int n = b->last - b->first;
    double x = b->x + b->names, w = (b->w - b->names) / b->columns;

    for (int i = 0; i < n; i++)
        page_text(page, x - 0.5, top - pitch * (i + 0.5), RIGHT, BLACK, c->row[b->first + i].label);
    for (int k = 0; k < c->columns; k++) {
        const struct bar_column *column = &c->column[k];
        struct scale s = scale_of(c, k, b->group);
        struct panel *p;

        if (!has_cells(c, k, b))
            continue;
        p = page_panel(page, x, top - pitch * n, w - s.room - 0.6, pitch * n,
                       (struct axis){ s.low, s.high, column->log ? 10 : 0, "" },
                       (struct axis){ n - 0.5, -0.5, 0, "" });
        for (int i = 0; i < n; i++)
            draw_cell(page, p, &c->row[b->first + i], column, &c->row[b->first + i].cell[k], i);
        draw_lines(page, p, column, n);
        if (headed && column->heading[0] && x + text_width(column->heading) < PAGE_W)
            page_text(page, x, top + (column->line_text[0] ? 1.9 : 0.75), LEFT, DARK,
                      column->heading);
        x += w;
    }
    if (c->group[0] && c->split < c->rows && (b->first == 0 || b->first == c->split))
        page_text(page, b->x, top + (headed ? 2.1 : 0.75), LEFT, BLACK, c->group[b->group]);
}

// Blocks of few rows are narrower.
static double weight_of(const struct block *b)
{
    return b->columns * fmin(14 + b->last - b->first, 26);
}

// Draws groups one below the other, each with its heading and its own scale. If the first group has
// two blocks, the second group is below the second of them.
static void draw_stacked(struct page *page, const struct chart *c, struct block *block, int n,
                         double top, int headed)
{
    int folded = n > 1 && block[1].group == 0, most = 0;
    double gap = 1.2, names = 0, w = (PAGE_W - 2 * MARGIN - gap * folded) / (folded ? 2 : 1), pitch;

    for (int i = 0; i < n; i++) {
        most += i >= folded ? block[i].last - block[i].first : 0;
        names = fmax(names, block[i].names);
    }
    pitch = fmin((top - BOTTOM - 1.5 * (n - folded - 1)) / most, 4);
    for (int i = 0; i < n; i++) {
        struct block *b = &block[i];

        b->x = MARGIN + (folded && i ? w + gap : 0), b->w = w, b->names = names;
        draw_block(page, c, b, top, pitch, headed && i == 0);
        if (i >= folded)
            top -= pitch * (b->last - b->first) + 1.5;
    }
}

// Draws blocks side by side.
static void draw_beside(struct page *page, const struct chart *c, struct block *block, int n,
                        double top, int headed)
{
    double x = MARGIN, gap = 1.2, room = PAGE_W - 2 * MARGIN - gap * (n - 1), weights = 0, pitch;
    int most = 0;

    for (int i = 0; i < n; i++) {
        int rows = block[i].last - block[i].first;

        most = rows > most ? rows : most;
        room -= block[i].names;
        weights += weight_of(&block[i]);
    }
    pitch = fmin((top - BOTTOM) / most, 4);
    for (int i = 0; i < n; i++) {
        struct block *b = &block[i];

        b->x = x, b->w = b->names + room * weight_of(b) / weights;
        draw_block(page, c, b, top, pitch, headed);
        x += b->w + gap;
    }
}

static void draw_chart(struct page *page, const struct chart *c)
{
    struct block block[4];
    int n = blocks_of(c, block), headed = c->column[0].heading[0] != '\0';
    int stacked = c->group[0] && c->split < c->rows;
    double top = TOP - 1.3 * stacked - 1.3 * headed - 1.2 * (c->column[0].line_text[0] != NULL);

    (stacked ? draw_stacked : draw_beside)(page, c, block, n, top, headed);
}

// --- numbers of rows

static void shorten_names_to(struct chart *c, size_t longest)
{
    for (int i = 0; i < c->rows; i++)
        if (strlen(c->row[i].label) > longest)
            c->row[i].label = text_of("%s…", text_head(c->row[i].label, longest - 1));
}

// Shortens names ("12 sliding…") to leave room for bars, if there are many rows and several
// columns or long texts.
static void shorten_names(struct chart *c)
{
    int crowded = c->columns > 1 || c->group[0];

    shorten_names_to(c, c->rows <= FOLD      ? SIZE_MAX
                        : crowded            ? 11
                        : c->column[0].inner ? 18
                                             : SIZE_MAX);
}

static double ratio(const struct row *r, enum column a, enum column b)
{
    double of = row_number(r, b);

    return of > 0 ? row_number(r, a) / of : NAN;
}

QUANTITY(per_load, ratio(r, COLUMN_ld_sectors, COLUMN_ld_requests))
QUANTITY(per_store, ratio(r, COLUMN_st_sectors, COLUMN_st_requests))
QUANTITY(per_shared, ratio(r, COLUMN_shared_wavefronts, COLUMN_shared_requests))
QUANTITY(barriers, row_number(r, COLUMN_barriers))
QUANTITY(moved, moved_share(r))
QUANTITY(own_value, v->f->value(v, r))

// The columns of figures that show numbers as they are.
static const struct {
    const char *figure;
    int references;   // 1: references have rows, too
    struct bar_column column[MOST_COLUMNS];
} numbers[] = {
    { "column", 1, { { "", "", .of = own_value } } },
    { "counts",
      0,
      { { "loads", "", .line = { 4, 16 }, .of = per_load },
        { "stores", "", .line = { 4, 16 }, .of = per_store, .like = 1 },
        { "shared", "", .line = { 1, 4 }, .of = per_shared },
        { "moved", "x", .line = { 1 }, .of = moved } } },
    { "activity",
      0,
      { { "lanes per request", "", .line = { 32 }, .of = own_value },
        { "barriers", "", .of = barriers } } },
    // Lines: a T x T tile loads 8 T bytes per k, in 32-byte sectors, for 2 T^2 flops.
    { "sectors",
      0,
      { { "vertical lines: thread block tiles of T x T", "", .log = 1, .of = own_value,
          .line = { 125, 125.0 / 16, 125.0 / 32, 125.0 / 64, 125.0 / 128 },
          .line_text = { "T = 1", "16", "32", "64", "128" } } } },
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static struct cell number_cell(struct bar_column *c, const struct row *r)
{
    struct cell cell = no_cell;

    cell.value = c->of(c->from, r);   // NaN: the ratio has no denominator
    cell.text = isnan(cell.value) ? "" : text_of("%s%s", short_number(cell.value), c->suffix);
    return cell;
}

// Adds a column for the second device, if there is one.
static void add_beside(struct chart *c, const struct view *v)
{
    if (!v->beside)
        return;
    c->columns = 2;
    c->column[1] = c->column[0];
    c->column[0].heading = v->row[0]->device;
    c->column[1].heading = v->beside->row[0]->device;
    c->column[1].from = v->beside, c->column[1].pale = c->column[1].like = 1;
}

const char *draw_numbers(struct page *page, struct view *v)
{
    struct chart *c = must_calloc(1, sizeof *c);
    int i = 0;

    while (i < NUMBERS && strcmp(numbers[i].figure, v->f->name) != 0)
        i++;
    if (i == NUMBERS)
        fail("figure %s: numbers[] of figure_bars.c has no row for it", v->f->name);
    memcpy(c->column, numbers[i].column, sizeof c->column);
    while (c->columns < MOST_COLUMNS && c->column[c->columns].of)
        c->column[c->columns++].from = v;
    add_beside(c, v);
    for (int k = 0; k < c->columns; k++)
        add_cells(c, k, v, v->stage, numbers[i].references ? v->all : v->stages, number_cell);
    if (!v->title[0])
        v->title = column_name[v->column], v->how = column_says[v->column];
    shorten_names(c);
    draw_chart(page, c);
    return NULL;
}

// --- rates

// The copy or, without one, the first reference.
static const char *default_base(const struct view *v)
{
    const char *base = "";

    for (int i = v->stages; i < v->all; i++)
        if (!base[0] || strcmp(v->stage[i], "ref_memcpy") == 0 ||
            (view_row(v, base, "")->arithmetic[0] && !view_row(v, v->stage[i], "")->arithmetic[0]))
            base = v->stage[i];
    return base;
}

// The rate, and its share of the base's rate in the same run.
static struct cell rate_cell(struct bar_column *c, const struct row *r)
{
    double rate = view_value(c->from, r), time = row_number(r, COLUMN_median_us);
    struct cell cell = { .value = rate, .low = NAN, .high = NAN, .inner = NAN };
    int same_run = 0;
    double share = c->base[0] ? rate_share(&c->from->t, r, c->base, &same_run) : NAN;

    c->same_run |= same_run && !row_is_reference(r) && name_is_reference(c->base);
    cell.text = readable(rate, c->from->unit);
    if (!isnan(share))
        cell.text = text_of("%s  %s", cell.text,
                            c->multiples ? text_of("%.1fx", share) : percent_text(share));
    if (c->whiskers) {
        cell.low = rate * time / row_number(r, COLUMN_p90_us);
        cell.high = rate * time / row_number(r, COLUMN_p10_us);
    }
    return cell;
}

const char *draw_ladder(struct page *page, struct view *v)
{
    struct chart *c = must_calloc(1, sizeof *c);
    const char *base = v->base ? v->base : default_base(v);
    double peak = NAN;

    if (base[0] && !view_usable(v, view_row(v, base, "")))
        return text_of("no row of %s is ok", base);
    if (v->beside && v->all > FOLD)   // there is no room for shares
        base = "";
    c->group[0] = text_of("%s arithmetic", strcmp(v->type, "float") ? v->type : "fp32");
    c->group[1] = "TF32 tensor cores (own scale)";
    c->columns = 1;
    c->column[0] = (struct bar_column){ "", .from = v, .base = base, .whiskers = 1 };
    add_beside(c, v);
    add_cells(c, 0, v, v->stage, v->all, rate_cell);
    if (v->beside) {
        if (!view_usable(v->beside, view_row(v->beside, base, "")))
            c->column[1].base = "";
        add_cells(c, 1, v, v->beside->stage, v->beside->all, rate_cell);
    }
    for (int r = 0; r < v->n; r++)
        peak = fmax(peak, row_number(v->row[r], COLUMN_peak_gbs));
    if (strcmp(v->unit, "GB/s") == 0 && strcmp(v->mode, "cold") == 0 && peak > 0) {
        struct cell *cell = add_row(c, "peak bandwidth", DARK, 0)->cell;

        cell->value = peak, cell->text = readable(peak, v->unit);
    }
    if (c->split < c->rows)
        shorten_names(c);
    if (base[0])
        v->how = text_of("share of %s%s", stage_label(v, base),
                         c->column[0].same_run ? " in the same run" : "");
    draw_chart(page, c);
    return NULL;
}

// --- then and now

// The source of a published table: "then: 2048x2048, NVIDIA GTC slides, 2009"; "" without one.
static const char *source_of(const struct view *then)
{
    return then ? text_of("; then: %s, %s, %s", then->row[0]->device, then->row[0]->size,
                          table_note(&then->t, "title"))
                : "";
}

const char *draw_then_and_now(struct page *page, struct view *v)
{
    struct chart *c = must_calloc(1, sizeof *c);
    struct view *then = v->then;
    int multiples = 0;
    const char *base;

    if (!then)
        return text_of("no table in plots/data/published/ for %s", v->week);
    base = table_note(&then->t, "base");
    base = base[0] ? base : then->stage[0];
    if (!view_usable(v, view_row(v, base, "")))
        return text_of("no row of %s that is ok", base);
    c->columns = 2;
    for (int k = 0; k < 2; k++) {
        const struct view *from = k ? v : then;

        c->column[k] =
            (struct bar_column){ text_of("%s: %s", k ? "now" : "then", from->row[0]->device),
                                 .from = from, .base = base };
        for (int i = 0; i < then->stages; i++)
            multiples |= view_value(from, view_row(from, then->stage[i], "")) >
                         2.5 * view_value(from, view_row(from, base, ""));
    }
    for (int k = 0; k < 2; k++) {
        c->column[k].multiples = multiples;
        add_cells(c, k, v, then->stage, then->stages, rate_cell);
    }
    v->how = text_of("%s of %s%s", multiples ? "multiples" : "shares", stage_label(v, base),
                     source_of(then));
    draw_chart(page, c);
    return NULL;
}

// Where bars are cut off: just above the longest time that is at most four times the median.
static double cut_of(const struct view *v, const char *const *stage, int n)
{
    double value[MOST_ROWS], cut = 0, middle;
    int m = 0;

    for (int i = 0; i < n && m < MOST_ROWS; i++) {
        value[m] = view_value(v, view_row(v, stage[i], ""));
        m += !isnan(value[m]);
    }
    middle = median_of(value, m);   // sorts value[]
    for (int i = 0; i < m && value[i] <= 4 * middle; i++)
        cut = value[i];
    return cut * 1.04;
}

// A time, and the time of the same stage without its arithmetic.
static struct cell time_cell(struct bar_column *c, const struct row *r)
{
    const struct row *twin = view_row(c->from, r->stage, "memory-only");
    struct cell cell = no_cell;

    cell.value = view_value(c->from, r);
    cell.inner = fmin(view_value(c->from, twin), cell.value);
    cell.text =
        text_of("%s%s", cell.value > c->cut ? "» " : "", short_number(cell.value * c->scale));
    if (view_usable(c->from, twin))
        cell.text = text_of("%s / %s", cell.text, short_number(cell.inner * c->scale));
    else
        cell.inner = row_is_reference(r) ? NAN : 0;
    return cell;
}

static void add_times(struct chart *c, const char *heading, const struct view *from,
                      const struct view *v, const char *const *stage, int n)
{
    struct bar_column *column = &c->column[c->columns];

    *column = (struct bar_column){ .inner = "without arithmetic",
                                   .from = from,
                                   .cut = cut_of(from, stage, n) };
    column->scale = column->cut >= 1000 ? 1e-3 : 1;
    column->heading = text_of("%s, %s", heading, column->scale < 1 ? "ms" : "µs");
    add_cells(c, c->columns++, v, stage, n, time_cell);
}

// If there is a published table, its stages are shown beside this run.
const char *draw_memory_only(struct page *page, struct view *v)
{
    struct chart *c = must_calloc(1, sizeof *c);
    int twins = 0, n = v->stages;

    for (int r = 0; r < v->n; r++)
        twins += view_usable(v, v->row[r]) && words_same(v->row[r]->variant, "memory-only");
    if (!twins)
        return "no row of variant memory-only is ok";
    for (int i = n; i < v->all; i++)   // of the references, only the copy
        if (strcmp(v->stage[i], "ref_memcpy") == 0)
            v->stage[n++] = v->stage[i];
    if (v->then)
        add_times(c, "then", v->then, v, v->then->stage, v->then->stages);
    add_times(c, "now", v, v, v->stage, n);
    v->how = text_of("%s%s", v->how, source_of(v->then));
    shorten_names(c);
    draw_chart(page, c);
    return NULL;
}

// --- lower bounds

// The whole bar is the time, its dark part the bound. The text is the bound's share of the time,
// and what limits it.
static struct cell bound_cell(struct bar_column *c, const struct row *r)
{
    struct bound b = bound_of(c->recorded, &c->rates, r);
    double us = view_value(c->from, r), share = b.us / us;
    const char *of = c->from->stages > FOLD ? "" : text_of(" of %s:", readable(us * 1e-6, "s"));
    struct cell cell = no_cell;

    cell.value = 1, cell.inner = share;
    cell.text = text_of("%s%s %s", percent_text(share), of, bound_word[b.term]);
    return cell;
}

// The counts and rates include those of the table itself, because its GPU may not be among the
// recorded ones.
const char *draw_bound(struct page *page, struct view *v)
{
    struct chart *c = must_calloc(1, sizeof *c);
    struct table recorded = { 0 };

    recorded_read(&recorded, root_folder());
    for (size_t r = 0; r < v->t.n; r++)
        table_add(&recorded, &v->t.row[r]);
    c->columns = 1;
    c->column[0] = (struct bar_column){ "", .inner = "bound", .from = v, .recorded = &recorded,
                                        .rates = rates_of(&recorded, v->row[0]->device) };
    add_cells(c, 0, v, v->stage, v->stages, bound_cell);
    shorten_names(c);
    draw_chart(page, c);
    return NULL;
}

// --- counts of the CPU device against ncu

// The counter that differs most. The bar is the difference as a share of ncu's count.
static struct cell difference_cell(const struct table *counted, const struct row *measured)
{
    const struct row *other = measured ? counterpart(counted, measured) : NULL;
    struct cell cell = no_cell;

    cell.text = !measured ? "not measured" : !other ? "not counted" : "=";
    if (!other)
        return cell;
    cell.value = 0;
    for (int i = 0; i < COMPARED; i++) {
        double difference = counter_ratio(measured, other, i) - 1;

        if (fabs(difference) > cell.value) {
            cell.value = fmin(fabs(difference), 1e9);
            cell.text = cell.value < 0.0005
                          ? "<0.1 %"
                          : text_of("%s%s", difference < 0 ? "-" : "+", percent_text(cell.value));
        }
    }
    return cell;
}

static const struct row *measured_at(const struct view *v, const char *stage, const char *size)
{
    const struct row *row = NULL;

    for (size_t r = 0; r < v->t.n; r++)
        if (is_measured(&v->t.row[r]) && strcmp(v->t.row[r].stage, stage) == 0 &&
            strcmp(v->t.row[r].size, size) == 0)
            row = &v->t.row[r];
    return row;
}

// For three columns that are folded into two halves: shortens names, and prints words that replace
// a bar once, because they extend into the next column.
static void make_narrow(struct chart *c)
{
    shorten_names_to(c, 8);
    for (int i = 0; i < c->rows; i++)
        for (int k = c->columns - 1; k > 0; k--) {
            struct cell *cell = &c->row[i].cell[k];

            if (isnan(cell->value) && isnan(cell[-1].value) &&
                strcmp(cell->text, cell[-1].text) == 0)
                cell->text = "";
        }
}

// One column per size that ncu has measured, in the order of the table.
const char *draw_differences(struct page *page, struct view *v)
{
    struct chart *c = must_calloc(1, sizeof *c);
    struct table counted = has_counts(&v->t) ? v->t : recorded_counts(v->week);

    for (size_t r = 0; r < v->t.n && c->columns < MOST_COLUMNS; r++) {
        const char *size = v->t.row[r].size;
        int k = 0;

        while (k < c->columns && strcmp(c->column[k].heading, size) != 0)
            k++;
        if (k < c->columns || !is_measured(&v->t.row[r]))
            continue;
        c->column[c->columns++] =
            (struct bar_column){ size, .from = v, .cut = 1, .full = 1, .like = k > 0 };
        for (int i = 0; i < v->stages; i++) {
            struct bar_row *row =
                k ? &c->row[i]
                  : add_row(c, stage_label(v, v->stage[i]), stage_color(v, v->stage[i]), 0);

            row->cell[k] = difference_cell(&counted, measured_at(v, v->stage[i], size));
        }
    }
    if (!c->columns)
        return "no row of ncu's counts";
    if (c->rows > FOLD && c->columns > 2)
        make_narrow(c);
    shorten_names(c);
    draw_chart(page, c);
    return NULL;
}

// --- settings

// The time of a setting as a multiple of the time with the default setting. `twin`: both without
// arithmetic. NaN if it was not measured.
static double multiple(const struct view *v, const struct row *r, const char *pitch, int twin)
{
    const char *variant = twin ? "memory-only" : "";
    struct place p = { v ? v->size : "", v ? v->mode : "", v ? v->type : "", r->knobs,
                       with_word(pitch, variant) };
    struct place whole = { p.size, p.mode, p.type, "", variant };

    return v ? value_beside(&v->t, NULL, r->stage, &p, COLUMN_median_us) /
                   value_beside(&v->t, NULL, r->stage, &whole, COLUMN_median_us)
             : NAN;
}

// Whether a row has other knobs or another pitch, and no other option of the week.
static int is_setting(const struct row *r)
{
    const char *pitch = r->variant;

    return stage_number(r->stage) >= 0 && (r->knobs[0] || pitch[0]) &&
           (!pitch[0] || (strncmp(pitch, "pitch=", 6) == 0 && !strchr(pitch, ' ')));
}

const char *draw_sensitivity(struct page *page, struct view *v)
{
    static const char *const heading[] = { "then", "no arithmetic", "now", "no arithmetic" };
    struct chart *c = must_calloc(1, sizeof *c);
    const char *then_pitch = "pitch=unaligned";   // the slides have one
    int first = v->then ? 0 : 2;

    for (int k = first; k < 4; k++)
        c->column[c->columns++] = (struct bar_column){
            .heading = heading[k], .line = { 1 }, .like = k > first, .pale = k % 2
        };
    for (int i = 0; i < v->n; i++) {
        const struct row *r = v->row[i];
        const char *pitch = r->variant;
        struct bar_row *row;

        if (!is_setting(r) || isnan(multiple(v, r, pitch, 0)))
            continue;
        row = add_row(c,
                      text_of("%d %s%s%s", stage_number(r->stage), r->knobs,
                              r->knobs[0] && pitch[0] ? " " : "", pitch),
                      stage_color(v, r->stage), 0);
        for (int k = first; k < 4; k++) {
            double m = k < 2 ? multiple(v->then, r, pitch[0] ? then_pitch : "", k)
                             : multiple(v, r, pitch, k - 2);

            row->cell[k - first].value = m;
            row->cell[k - first].text = !isnan(m) ? text_of("%.2f", m)
                                      : k < 2     ? "not published"
                                                  : "not measured";
        }
        then_pitch = pitch[0] ? "none" : then_pitch;
    }
    if (!c->rows)
        return "no row with knobs or a pitch, and one without to compare it with";
    v->how = text_of("%s%s", v->how, source_of(v->then));
    draw_chart(page, c);
    return NULL;
}

// --- generations

static const char *rules_of(const struct row *r)
{
    return r->variant[0] ? r->variant + strlen("rules=") : "9.0";
}

// The compute capabilities in the rows, oldest first.
static int generations_of(const struct view *v, const char *rules[MOST_DOTS])
{
    int n = 0;

    for (int r = 0; r < v->n; r++) {
        const char *here = rules_of(v->row[r]);
        int at = 0;

        while (at < n && strtod(rules[at], NULL) < strtod(here, NULL))
            at++;
        if (!view_usable(v, v->row[r]) || n == MOST_DOTS || (at < n && !strcmp(rules[at], here)))
            continue;
        memmove(&rules[at + 1], &rules[at], (n++ - at) * sizeof *rules);
        rules[at] = here;
    }
    return n;
}

QUANTITY(transactions, 1000 *
                           (row_number(r, COLUMN_ld_sectors) + row_number(r, COLUMN_st_sectors)) /
                           size_of(r->size).product)
QUANTITY(moved_bytes, v->f->value(v, r) / row_number(r, COLUMN_bytes))

// A stage's cell: a dot for each of these generations, and a star if it uses textures.
static void add_generations(struct chart *c, const struct view *v, const char *stage,
                            const char *const *rules, int n)
{
    struct bar_row *row = add_row(c, stage_label(v, stage), stage_color(v, stage), 0);
    const struct row *r = NULL;
    double textures = 0;
    int usable = 0;

    for (int d = 0; d < n; d++) {
        r = view_row(v, stage, strcmp(rules[d], "9.0") ? text_of("rules=%s", rules[d]) : "");
        if (!view_usable(v, r))
            continue;
        usable = 1;
        textures = fmax(textures, row_number(r, COLUMN_tex_requests));
        for (int k = 0; k < c->columns; k++)
            row->cell[k].dots = n, row->cell[k].dot[d] = c->column[k].of(v, r);
    }
    row->cell[0].text = usable ? "" : fault_text(r);
    row->cell[1].text = "";
    row->label = text_of("%s%s", row->label, textures > 0 ? " *" : "");
}

const char *draw_generations(struct page *page, struct view *v)
{
    static const struct bar_column column[] = { { .heading = "transactions",
                                                  .of = transactions,
                                                  .log = 1,
                                                  .line = { 10, 100, 1000, 10000 },
                                                  .line_text = { "10", "100", "1k", "10k" } },
                                                { .heading = "moved",
                                                  .of = moved_bytes,
                                                  .log = 1,
                                                  .line = { 1, 10, 100 },
                                                  .line_text = { "1x", "10x", "100x" } } };
    struct chart *c = must_calloc(1, sizeof *c);
    const char *rules[MOST_DOTS];
    int n = generations_of(v, rules);
    double x = PAGE_W - MARGIN;

    if (n < 2)
        return text_of("only the rules of %s: generations are compared with --rules",
                       n ? rules[0] : "none");
    c->columns = 2;
    memcpy(c->column, column, sizeof column);
    for (int i = 0; i < v->stages; i++)
        add_generations(c, v, v->stage[i], rules, n);
    for (int d = n; d-- > 0; x -= 1.2) {   // the legend
        x -= text_width(rules[d]) + 0.6;
        page_text(page, x, PAGE_H - 2.85, LEFT, dot_color[d % 6], text_of("● %s", rules[d]));
    }
    page->legend = PAGE_W - MARGIN - x;
    draw_chart(page, c);
    return NULL;
}

// Figures of horizontal bars: one row per stage, one or more columns side by side. Many rows are
// folded into two blocks with the same scales; rows of different groups have scales of their own.
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"
#include "stats.h"

enum { MOST_ROWS = 64, MOST_COLUMNS = 6, FOLD = 16 };

struct cell {
    double value, low, high, inner;   // NaN: none; inner: the dark part
    const char *text;
};

struct bar_row {
    const char *label;
    int color, group;
    const char *fault[MOST_COLUMNS];
    struct cell cell[MOST_COLUMNS];
    int n_dots;
    double dot[MOST_COLUMNS][8];
};

struct bar_column {
    const char *heading, *suffix;
    double line[6];   // dotted, ended by 0
    const char *line_text[6];
    int log, pale, like;   // the scale of an earlier column, from 1
    int only;              // rows of this group alone, from 1
    int across;            // one scale for all groups
};

struct chart {
    struct bar_row row[MOST_ROWS];
    int rows;
    struct bar_column column[MOST_COLUMNS];
    int columns;
    const char *group[4];       // headings
    int groups, stacked;        // groups below each other
    double cut[MOST_COLUMNS];   // longer bars are cut off; 0: none
};

static struct bar_row *add_row(struct chart *c, const struct view *v, const char *stage)
{
    struct bar_row *row = &c->row[c->rows < MOST_ROWS - 1 ? c->rows++ : c->rows];

    *row = (struct bar_row){ .label = stage_label(v, stage), .color = stage_color(v, stage) };
    for (int k = 0; k < MOST_COLUMNS; k++)
        row->cell[k] = (struct cell){ NAN, NAN, NAN, NAN, "" };
    return row;
}

static struct bar_row *row_called(struct chart *c, const char *label)
{
    for (int i = 0; i < c->rows; i++)
        if (strcmp(c->row[i].label, label) == 0)
            return &c->row[i];
    return NULL;
}

static void set_cell(struct bar_row *row, int k, double value, const char *text)
{
    row->cell[k].value = value;
    row->cell[k].text = isnan(value) ? "" : text;
    if (isnan(value) && !row->fault[k])
        row->fault[k] = "not measured";
}

// --- layout

struct block {
    int first, last, group;   // rows
    double x, w, names;
};

struct scale {
    double low, high, room;   // room for texts, ems
};

static double widest_name(const struct chart *c, const struct block *b)
{
    double w = 0;

    for (int i = b->first; i < b->last; i++)
        w = fmax(w, text_width(c->row[i].label));
    return w + 0.7;
}

// What a column's bars of a group range over, and how wide their texts are.
static struct scale scale_of(const struct chart *c, int k, int group)
{
    struct scale s = { INFINITY, 0, 0 };

    for (int i = 0; i < c->rows; i++) {
        const struct cell *cell = &c->row[i].cell[k];

        if (c->row[i].group != group && !c->column[k].across)
            continue;
        for (int d = 0; d < c->row[i].n_dots; d++)
            if (c->row[i].dot[k][d] > 0) {
                s.low = fmin(s.low, c->row[i].dot[k][d]);
                s.high = fmax(s.high, c->row[i].dot[k][d]);
            }
        if (isnan(cell->value)) {
            continue;
        }
        s.high = fmax(s.high, fmax(cell->value, isnan(cell->high) ? 0 : cell->high));
        s.low = cell->value > 0 ? fmin(s.low, cell->value) : s.low;
        s.room = fmax(s.room, text_width(cell->text) + 0.9);
    }
    if (c->cut[k] > 0)
        s.high = fmin(s.high, c->cut[k]);
    for (int l = 0; l < 6 && c->column[k].line[l]; l++)
        if (c->column[k].log && !c->row[0].n_dots)
            s.high = fmax(s.high, c->column[k].line[l]);
    s.low = c->column[k].log ? s.low / 2 : 0;
    s.high = s.high > 0 ? s.high * (c->column[k].log ? 1.3 : 1) : 1;
    return s;
}

// Blocks of rows: one per group, two for a group of many rows.
static int blocks_of(const struct chart *c, struct block *b)
{
    int n = 0;

    for (int g = 0; g <= c->groups - (c->groups > 0); g++) {
        int first = 0, last;

        while (first < c->rows && c->row[first].group != g)
            first++;
        for (last = first; last < c->rows && c->row[last].group == g;)
            last++;
        if (first == last)
            continue;
        if (last - first > FOLD) {
            int half = (last - first + 1) / 2;

            b[n++] = (struct block){ first, first + half, g, 0, 0, 0 };
            first += half;
        }
        b[n++] = (struct block){ first, last, g, 0, 0, 0 };
    }
    return n;
}

static void draw_cell(struct page *page, struct panel *p, const struct bar_row *row,
                      const struct chart *c, int k, double y)
{
    const struct cell *cell = &row->cell[k];
    double end = c->cut[k] > 0 ? fmin(cell->value, c->cut[k]) : cell->value, half = 0.36;
    int color = c->column[k].pale ? paler(row->color) : row->color;
    const char *what = text_of("%s|%s|%.9g", row->label, c->column[k].heading, cell->value);

    if (isnan(cell->value)) {
        if (row->fault[k] && !row->n_dots)
            page_text(page, p->x + 0.4, page_y(p, y), LEFT, DARK, row->fault[k]);
        return;
    }
    if (c->column[k].log) {
        put_bar(p, p->ax.low, end, y - 0.06, y + 0.06, color, what);
        put_point(p, end, y, color, 7, row->label);
    } else
        put_bar(p, 0, end, y - half, y + half, isnan(cell->inner) ? color : paler(color), what);
    if (!isnan(cell->inner))
        put_bar(p, 0, fmin(cell->inner, end), y - half, y + half, color,
                text_of("%s|%s without arithmetic|%.9g", row->label, c->column[k].heading,
                        cell->inner));
    if (cell->low < cell->high)
        put_line(p, cell->low, y, cell->high, y, row->color == BLACK ? GRAY : BLACK, 0);
    page_text(page, page_x(p, fmax(end, isnan(cell->high) ? 0 : cell->high)) + 0.4, page_y(p, y),
              LEFT, BLACK, cell->text);
}

static void draw_dots(struct panel *p, const struct bar_row *row, const struct chart *c, int k,
                      double y)
{
    static const int color[] = { 0xD55E00, 0xE69F00, 0x009E73, 0x0072B2, 0xCC79A7, 0x56B4E9 };
    double low = INFINITY, high = 0;

    for (int d = 0; d < row->n_dots; d++)
        if (row->dot[k][d] > 0)
            low = fmin(low, row->dot[k][d]), high = fmax(high, row->dot[k][d]);
    if (low < high)
        put_line(p, low, y, high, y, PALE, 0);
    for (int d = 0; d < row->n_dots; d++)
        if (row->dot[k][d] > 0)
            put_point(
                p, row->dot[k][d], y, color[d % 6], 7,
                text_of("%s|%s|%d|%.9g", row->label, c->column[k].heading, d, row->dot[k][d]));
}

static void draw_lines(struct page *page, struct panel *p, const struct bar_column *column, int n)
{
    for (int l = 0; l < 6 && column->line[l]; l++)
        if (column->line[l] > p->ax.low && column->line[l] <= p->ax.high) {
            put_line(p, column->line[l], -0.5, column->line[l], n - 0.5, GRAY, 1);
            if (column->line_text[l])
                page_text(page, page_x(p, column->line[l]), p->y + p->h + 0.5, CENTER, DARK,
                          column->line_text[l]);
        }
}

static void draw_block(struct page *page, const struct chart *c, const struct block *b, double top,
                       double pitch, int headed)
{
    int n = b->last - b->first, columns = 0, at = 0;
    double w;

    for (int k = 0; k < c->columns; k++)
        columns += !c->column[k].only || c->column[k].only == b->group + 1;
    w = (b->w - b->names) / columns;
    for (int i = 0; i < n; i++)
        page_text(page, b->x + b->names - 0.5, top - pitch * (i + 0.5), RIGHT, BLACK,
                  c->row[b->first + i].label);
    for (int k = 0; k < c->columns; k++) {
        const struct bar_column *column = &c->column[k];
        struct scale s = scale_of(c, column->like ? column->like - 1 : k, b->group);
        struct scale own = scale_of(c, k, b->group);
        struct panel *p;

        if (column->only && column->only != b->group + 1)
            continue;
        if (column->like)
            s.high = fmax(s.high, own.high), s.room = fmax(s.room, own.room);
        p = page_panel(page, b->x + b->names + w * at, top - pitch * n, w - s.room - 0.6,
                       pitch * n);
        p->ax = (struct axis){ s.low, s.high, column->log ? 10 : 0, "" };
        p->ay = (struct axis){ n - 0.5, -0.5, 0, "" };
        for (int i = 0; i < n; i++) {
            draw_cell(page, p, &c->row[b->first + i], c, k, i);
            draw_dots(p, &c->row[b->first + i], c, k, i);
        }
        put_line(p, s.low, -0.5, s.low, n - 0.5, GRAY, 0);
        draw_lines(page, p, column, n);
        if (headed && column->heading[0])
            page_text(page, p->x, top + (column->line_text[0] ? 1.9 : 0.75), LEFT, DARK,
                      column->heading);
        at++;
    }
    if (c->groups > 1 && c->group[b->group])
        page_text(page, b->x, top + (headed ? 2.1 : 0.75), LEFT, BLACK, c->group[b->group]);
}

// Blocks of few rows are narrower.
static double weight_of(const struct chart *c, const struct block *b)
{
    double columns = 0;

    for (int k = 0; k < c->columns; k++)
        columns += !c->column[k].only || c->column[k].only == b->group + 1;
    return columns * fmin(14 + b->last - b->first, 26);
}

static void draw_chart(struct page *page, const struct chart *c)
{
    struct block block[2 * 4];
    int n = blocks_of(c, block), most = 0;
    int named = c->groups > 1 && c->group[0], headed = c->column[0].heading[0] != '\0';
    double top = TOP - 1.3 * named - 1.3 * headed - 1.2 * (c->column[0].line_text[0] != NULL);
    double x = MARGIN, gap = 1.2, room = PAGE_W - 2 * MARGIN - gap * (n - 1), weights = 0, pitch;

    for (int i = 0; i < n; i++) {
        int rows = block[i].last - block[i].first;

        most = c->stacked ? most + rows : rows > most ? rows : most;
        block[i].names =
            widest_name(c, c->stacked ? &(struct block){ .last = c->rows } : &block[i]);
        room -= block[i].names;
        weights += weight_of(c, &block[i]);
    }
    pitch = fmin((top - BOTTOM - (c->stacked ? 1.5 * (n - 1) : 0)) / most, 4);
    for (int i = 0; i < n; i++) {
        block[i].x = x;
        block[i].w = c->stacked ? PAGE_W - 2 * MARGIN
                                : block[i].names + room * weight_of(c, &block[i]) / weights;
        draw_block(page, c, &block[i], top, pitch, headed && (i == 0 || !c->stacked));
        if (c->stacked)
            top -= pitch * (block[i].last - block[i].first) + 1.5;
        else
            x += block[i].w + gap;
    }
}

// --- the figures

// Groups by precision: those of the type, and the tensor cores'.
static void set_group(struct chart *c, struct bar_row *row, const struct row *r)
{
    row->group = r && r->arithmetic[0] ? 1 : 0;
    if (row->group)
        c->groups = 2;
}

// Rows of group 0 before those of group 1, otherwise as they are.
static void sort_groups(struct chart *c)
{
    struct bar_row *sorted = malloc(sizeof c->row);
    int n = 0;

    for (int g = 0; g < 2; g++)
        for (int i = 0; i < c->rows; i++)
            if (c->row[i].group == g)
                sorted[n++] = c->row[i];
    memcpy(c->row, sorted, n * sizeof *sorted);
    free(sorted);
}

static void name_groups(struct chart *c, const struct view *v)
{
    c->group[0] = text_of("%s arithmetic", strcmp(v->type, "float") ? v->type : "fp32");
    c->group[1] = "TF32 tensor cores (own scale)";
}

static const char *default_base(const struct view *v)
{
    const char *base = "";

    for (int i = v->stages; i < v->all && strcmp(base, "ref_memcpy") != 0; i++)
        if (!base[0] || strcmp(v->stage[i], "ref_memcpy") == 0)
            base = v->stage[i];
    return base;
}

// The rate of each stage, with what it is of the base in its own run; column k.
static const char *add_rates(struct chart *c, const struct view *v, int k, const char *base,
                             int *same_runs)
{
    const struct row *of = base[0] ? view_row(v, base, "") : NULL;

    if (base[0] && !view_usable(v, of))
        return text_of("no row of %s is ok", base);
    for (int i = 0; i < v->all; i++) {
        const struct row *r = view_row(v, v->stage[i], "");
        double rate = view_value(v, r), share;
        const char *label = stage_label(v, v->stage[i]);
        struct bar_row *row = row_called(c, label);
        int same_run = 0;

        row = row ? row : add_row(c, v, v->stage[i]);
        if (k == 0)
            set_group(c, row, r);
        row->fault[k] = view_usable(v, r) ? NULL : fault_text(r);
        share = view_usable(v, r) && base[0] && (c->columns == 1 || v->all <= FOLD)
                  ? rate_share(&v->t, r, base, &same_run)
                  : NAN;
        *same_runs |= same_run && !row_is_reference(r) && strncmp(base, "ref_", 4) == 0;
        set_cell(row, k, rate,
                 text_of("%s%s%s", readable(rate, v->unit), isnan(share) ? "" : "  ",
                         isnan(share) ? "" : percent_text(share)));
        if (r && !isnan(rate)) {
            double time = row_number(r, COLUMN_median_us);

            row->cell[k].low = rate * time / row_number(r, COLUMN_p90_us);
            row->cell[k].high = rate * time / row_number(r, COLUMN_p10_us);
        }
    }
    return NULL;
}

const char *draw_ladder(struct page *page, struct view *v)
{
    struct chart *c = calloc(1, sizeof *c);
    const char *base = v->base ? v->base : default_base(v), *lacks;
    double peak = NAN;
    int same_run = 0;

    view_add_stages(v);
    c->columns = v->beside ? 2 : 1;
    c->column[0].heading = c->column[1].heading = "";
    for (int r = 0; r < v->n; r++)
        if (row_number(v->row[r], COLUMN_peak_gbs) > 0)
            peak = row_number(v->row[r], COLUMN_peak_gbs);
    lacks = add_rates(c, v, 0, base, &same_run);
    if (!lacks && v->beside) {
        lacks = add_rates(c, v->beside, 1, view_row(v->beside, base, "") ? base : "", &same_run);
        c->column[0].heading = v->row[0]->device;
        c->column[1] =
            (struct bar_column){ .heading = v->beside->row[0]->device, .pale = 1, .like = 1 };
    }
    if (lacks)
        return lacks;
    name_groups(c, v);
    sort_groups(c);
    c->stacked = c->groups > 1 && c->rows <= FOLD + 1;
    if (strcmp(v->unit, "GB/s") == 0 && strcmp(v->mode, "cold") == 0 && peak > 0) {
        struct bar_row *row = add_row(c, v, "ref_peak bandwidth");

        row->color = DARK;
        row->group = 0;
        set_cell(row, 0, peak, readable(peak, "GB/s"));
    }
    page_titles(
        page, v, "rate of each stage",
        base[0] && (c->columns == 1 || v->all <= FOLD)
            ? text_of("share of %s%s", stage_label(v, base), same_run ? " in the same run" : "")
            : "");
    page->provenance = provenance_of(v, v->size);
    draw_chart(page, c);
    return NULL;
}

// --- then and now

static const char *base_of(const struct view *then)
{
    const char *base = table_note(&then->t, "base");

    return base[0] ? base : then->stage[0];
}

// Where a published table is from: "then: 2048x2048, NVIDIA GTC slides, 2009"; "" without one.
static const char *source_of(const struct view *then)
{
    return then ? text_of("then: %s, %s, %s", then->row[0]->device, then->row[0]->size,
                          table_note(&then->t, "title"))
                : "";
}

const char *draw_then_and_now(struct page *page, struct view *v)
{
    struct chart *c = calloc(1, sizeof *c);
    struct view *then = v->then, now = *v;
    const char *base;
    double whole[2];
    int many = 0;

    if (!then)
        return text_of("no table in plots/data/published/ for %s", v->week);
    base = base_of(then);
    for (size_t r = 0; r < v->t.n; r++)   // the published size, if it was measured
        if (!v->size_given && strcmp(v->t.row[r].size, then->size) == 0 &&
            strcmp(v->t.row[r].stage, base) == 0 && row_is_ok(&v->t.row[r])) {
            now.size = then->size, now.stages = now.all = 0, now.stage = NULL;
            if (!view_choose(&now))
                *v = now;
            break;
        }
    if (!view_usable(v, view_row(v, base, "")))
        return text_of("no row of %s that is ok", base);
    whole[0] = view_value(then, view_row(then, base, ""));
    whole[1] = view_value(v, view_row(v, base, ""));
    c->columns = 2;
    c->column[0] = (struct bar_column){ .heading = text_of("then: %s", then->row[0]->device) };
    c->column[1] = (struct bar_column){ .heading = text_of("now: %s", v->row[0]->device) };
    for (int i = 0; i < then->stages; i++)
        for (int k = 0; k < 2; k++) {
            const struct view *of = k ? v : then;

            many |= view_value(of, view_row(of, then->stage[i], "")) / whole[k] > 2.5;
        }
    for (int i = 0; i < then->stages; i++) {
        struct bar_row *row = add_row(c, v, then->stage[i]);

        for (int k = 0; k < 2; k++) {
            const struct view *of = k ? v : then;
            const struct row *r = view_row(of, then->stage[i], "");
            double value = view_value(of, r), share = value / whole[k];

            row->fault[k] = view_usable(of, r) ? NULL : fault_text(r);
            set_cell(row, k, value,
                     text_of("%s  %s", readable(value, of->unit),
                             many ? text_of("%.1fx", share) : percent_text(share)));
        }
    }
    page_titles(page, v, "then and now",
                text_of("%s of %s; %s", many ? "multiples" : "shares", stage_label(v, base),
                        source_of(then)));
    page->provenance = provenance_of(v, v->size);
    draw_chart(page, c);
    return NULL;
}

// Cut above four times the median.
static double cut_of(const double *value, int n)
{
    double *sorted = malloc((n + 1) * sizeof *sorted), middle, cut = 0;
    int m = 0;

    for (int i = 0; i < n; i++)
        if (!isnan(value[i]))
            sorted[m++] = value[i];
    middle = median_of(sorted, m);
    for (int i = 0; i < m; i++)
        cut = sorted[i] <= 4 * middle ? sorted[i] : cut;
    free(sorted);
    return cut * 1.04;
}

// The times of a stage and of its twin without the arithmetic, in column k. Returns "ms" or "µs".
static const char *add_times(struct chart *c, const struct view *of, const struct view *names,
                             const char *const *stage, int n, int k)
{
    double value[MOST_ROWS], scale;

    for (int i = 0; i < n; i++)
        value[i] = view_value(of, view_row(of, stage[i], ""));
    c->cut[k] = cut_of(value, n);
    scale = c->cut[k] >= 1000 ? 1e-3 : 1;
    for (int i = 0; i < n; i++) {
        const struct row *r = view_row(of, stage[i], "");
        const struct row *twin = view_row(of, stage[i], "memory-only");
        double memory = view_usable(of, twin) ? fmin(view_value(of, twin), value[i]) : NAN;
        const char *label = stage_label(names, stage[i]);
        struct bar_row *row = row_called(c, label);

        row = row ? row : add_row(c, names, stage[i]);
        row->fault[k] = view_usable(of, r) ? NULL : fault_text(r);
        set_cell(row, k, value[i],
                 text_of("%s%s%s%s", value[i] > c->cut[k] ? "» " : "",
                         short_number(value[i] * scale), isnan(memory) ? "" : " / ",
                         isnan(memory) ? "" : short_number(memory * scale)));
        row->cell[k].inner = isnan(memory) && strncmp(stage[i], "ref_", 4) != 0 ? 0 : memory;
    }
    return scale < 1 ? "ms" : "µs";
}

// Without a published table there is only this run; else the stages that it has are beside it.
const char *draw_memory_only(struct page *page, struct view *v)
{
    struct chart *c = calloc(1, sizeof *c);
    const char **shown, *unit = "";
    int twins = 0, n = 0, now = v->then != NULL;

    for (int r = 0; r < v->n; r++)
        twins += view_usable(v, v->row[r]) && words_same(v->row[r]->variant, "memory-only");
    if (!twins)
        return "no row of variant memory-only is ok";
    view_add_stages(v);
    shown = malloc((v->all + 1) * sizeof *shown);
    for (int i = 0; i < v->all; i++)
        if (i < v->stages || strcmp(v->stage[i], "ref_memcpy") == 0)
            shown[n++] = v->stage[i];
    if (now)
        unit = add_times(c, v->then, v, v->then->stage, v->then->stages, 0);
    c->column[0] = (struct bar_column){ .heading = text_of("then, %s", unit), .only = 1 };
    twins = c->rows;
    unit = add_times(c, v, v, shown, n, now);
    c->column[now] = (struct bar_column){ .heading = text_of("now, %s", unit), .across = 1 };
    for (int i = twins; now && i < c->rows; i++)
        c->row[i].group = 1;
    c->columns = c->groups = now + 1;
    page_titles(page, v, "time / without the arithmetic (dark)",
                text_of("dark: without arithmetic%s%s", v->then ? "; " : "", source_of(v->then)));
    page->provenance = provenance_of(v, v->size);
    draw_chart(page, c);
    return NULL;
}

// --- numbers of rows

static double ratio(const struct row *r, enum column a, enum column b)
{
    double of = row_number(r, b);

    return of > 0 ? row_number(r, a) / of : NAN;
}

QUANTITY(per_load, ratio(r, COLUMN_ld_sectors, COLUMN_ld_requests))
QUANTITY(per_store, ratio(r, COLUMN_st_sectors, COLUMN_st_requests))
QUANTITY(per_shared, ratio(r, COLUMN_shared_wavefronts, COLUMN_shared_requests))
QUANTITY(barriers, row_number(r, COLUMN_barriers))
// Bytes moved, in sectors, of what the problem needs; of stages that load and store.
QUANTITY(moved, isnan(per_load(v, r) + per_store(v, r))
                    ? NAN
                    : 32 * (row_number(r, COLUMN_ld_sectors) + row_number(r, COLUMN_st_sectors)) /
                          row_number(r, COLUMN_bytes))

// A chart of these numbers of every stage, and of `references`; with a second device's beside.
static const char *draw_numbers(struct page *page, struct view *v, const struct bar_column *column,
                                quantity *const *of, int n, int references)
{
    struct chart *c = calloc(1, sizeof *c);

    view_add_stages(v);
    memcpy(c->column, column, n * sizeof *column);
    c->columns = v->beside ? 2 : n;
    if (v->beside) {
        c->column[0].heading = v->row[0]->device;
        c->column[1] =
            (struct bar_column){ .heading = v->beside->row[0]->device, .pale = 1, .like = 1 };
    }
    for (int i = 0; i < (references ? v->all : v->stages); i++) {
        struct bar_row *row = add_row(c, v, v->stage[i]);

        for (int k = 0; k < c->columns; k++) {
            const struct view *from = k && v->beside ? v->beside : v;
            const struct row *r = view_row(from, v->stage[i], "");
            double value = view_usable(from, r) ? of[v->beside ? 0 : k](from, r) : NAN;

            row->fault[k] = k && !v->beside ? "" : view_usable(from, r) ? NULL : fault_text(r);
            if (!row->fault[k] && n > 1)
                row->fault[k] = "";   // a ratio without what it is of
            set_cell(row, k, value, text_of("%s%s", short_number(value), c->column[k].suffix));
        }
    }
    page->provenance = provenance_of(v, v->size);
    draw_chart(page, c);
    return NULL;
}

const char *draw_column(struct page *page, struct view *v)
{
    page_titles(page, v, column_name[v->column], column_says[v->column]);
    return draw_numbers(page, v, &(struct bar_column){ "", .suffix = "" },
                        &(quantity *){ v->f->value }, 1, 1);
}

const char *draw_counts(struct page *page, struct view *v)
{
    static const struct bar_column column[] = { { "loads", .line = { 4, 16 }, .suffix = "" },
                                                { "stores", .line = { 4, 16 }, .like = 1,
                                                  .suffix = "" },
                                                { "shared", .line = { 1, 4 }, .suffix = "" },
                                                { "moved", .line = { 1 }, .suffix = "x" } };

    page_titles(page, v, "sectors and wavefronts per request, bytes moved / needed", "");
    return draw_numbers(page, v, column, (quantity *[]){ per_load, per_store, per_shared, moved },
                        4, 0);
}

const char *draw_activity(struct page *page, struct view *v)
{
    static const struct bar_column column[] = {
        { "lanes per request", .line = { 32 }, .suffix = "" }, { "barriers", .suffix = "" }
    };

    page_titles(page, v, "active lanes per memory request, and barriers", "");
    return draw_numbers(page, v, column, (quantity *[]){ v->f->value, barriers }, 2, 0);
}

// The lines: 8 T bytes per k, 32 bytes per sector, 2 T^2 flops.
const char *draw_sectors(struct page *page, struct view *v)
{
    static const struct bar_column column = {
        "vertical lines: thread block tiles of T x T", .log = 1, .suffix = "",
        .line = { 125, 125.0 / 16, 125.0 / 32, 125.0 / 64, 125.0 / 128 },
        .line_text = { "T = 1", "16", "32", "64", "128" }
    };

    page_titles(page, v, "32-byte sectors loaded per 1000 flops", "logarithmic");
    return draw_numbers(page, v, &column, &(quantity *){ v->f->value }, 1, 0);
}

// --- settings

static const char *pitch_of(const struct row *r)
{
    const char *at = strstr(r->variant, "pitch=");

    return at ? text_of("%.*s", (int)strcspn(at, " "), at) : "";
}

// What a setting costs, as a multiple of the file's setting.
static double multiple(const struct view *v, const char *stage, const char *knobs,
                       const char *pitch, int twin)
{
    double cost = NAN, whole = NAN;

    for (int i = 0; v && i < v->n; i++) {
        const struct row *r = v->row[i];

        if (!view_usable(v, r) || strcmp(r->stage, stage) != 0 ||
            has_word(r->variant, "memory-only") != twin || strstr(r->variant, "rules=") ||
            strstr(r->variant, "kernel=") || strstr(r->variant, "image="))
            continue;
        if (words_same(r->knobs, knobs) && strcmp(pitch_of(r), pitch) == 0)
            cost = v->f->value(v, r);
        if (!r->knobs[0] && !pitch_of(r)[0])
            whole = v->f->value(v, r);
    }
    return cost / whole;
}

// Whether the setting of a row is an earlier row's.
static int is_known(const struct view *v, int row)
{
    const struct row *r = v->row[row];

    for (int i = 0; i < row; i++)
        if (strcmp(v->row[i]->stage, r->stage) == 0 && words_same(v->row[i]->knobs, r->knobs) &&
            strcmp(pitch_of(v->row[i]), pitch_of(r)) == 0)
            return 1;
    return 0;
}

const char *draw_sensitivity(struct page *page, struct view *v)
{
    struct chart *c = calloc(1, sizeof *c);
    int then = v->then ? 2 : 0, pitches = 0;

    c->columns = then + 2;
    for (int k = 0; k < c->columns; k++)
        c->column[k] = (struct bar_column){ .heading = k % 2    ? "no arithmetic"
                                                     : k < then ? "then"
                                                                : "now",
                                            .line = { 1 },
                                            .like = k ? 1 : 0,
                                            .pale = k % 2 };
    for (int i = 0; i < v->n; i++) {
        const struct row *r = v->row[i];
        const char *pitch = pitch_of(r), *then_pitch;
        struct bar_row *row;

        if (!view_usable(v, r) || stage_number(r->stage) < 0 || (!r->knobs[0] && !pitch[0]) ||
            is_known(v, i) || isnan(multiple(v, r->stage, r->knobs, pitch, 0)))
            continue;
        row = add_row(c, v, r->stage);
        row->label = text_of("%d %s%s%s", stage_number(r->stage), r->knobs,
                             r->knobs[0] && pitch[0] ? " " : "", pitch);
        then_pitch = !pitch[0] ? "" : pitches++ ? "none" : "pitch=unaligned";
        for (int k = 0; k < c->columns; k++) {
            double m = multiple(k < then ? v->then : v, r->stage, r->knobs,
                                k < then ? then_pitch : pitch, k % 2);

            row->fault[k] = k < then ? "not published" : "not measured";
            set_cell(row, k, m, text_of("%.2f", m));
        }
    }
    if (!c->rows)
        return "no row with knobs or a pitch, and one without to compare it with";
    page_titles(
        page, v, "time with other blocks and pitches",
        text_of("multiples of the file's setting%s%s", then ? "; " : "", source_of(v->then)));
    page->provenance = provenance_of(v, v->size);
    draw_chart(page, c);
    return NULL;
}

// --- generations

static const char *rules_of(const struct row *r)
{
    return r->variant[0] ? r->variant + strlen("rules=") : "9.0";
}

// The capabilities that there are, oldest first.
static int generations_of(const struct view *v, const char *rules[8])
{
    static const char *const known[] = { "1.0", "1.1", "1.2", "1.3", "2.0", "2.1", "3.0",
                                         "3.5", "3.7", "5.0", "6.0", "7.0", "8.0", "9.0" };
    int n = 0;

    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        int found = 0;

        for (int r = 0; r < v->n; r++)
            found |= view_usable(v, v->row[r]) && strcmp(rules_of(v->row[r]), known[k]) == 0;
        if (found && n < 8)
            rules[n++] = known[k];
    }
    return n;
}

const char *draw_generations(struct page *page, struct view *v)
{
    static const int color[] = { 0xD55E00, 0xE69F00, 0x009E73, 0x0072B2, 0xCC79A7, 0x56B4E9 };
    struct chart *c = calloc(1, sizeof *c);
    const char *rules[8];
    int n = generations_of(v, rules);
    double x = PAGE_W - MARGIN;

    if (n < 2)
        return text_of("only the rules of %s: generations are compared with --rules",
                       n ? rules[0] : "none");
    view_add_stages(v);
    c->columns = 2;
    c->column[0] = (struct bar_column){ .heading = "transactions",
                                        .log = 1,
                                        .line = { 10, 100, 1000, 10000 },
                                        .line_text = { "10", "100", "1k", "10k" } };
    c->column[1] = (struct bar_column){
        .heading = "moved", .log = 1, .line = { 1, 10, 100 }, .line_text = { "1x", "10x", "100x" }
    };
    for (int i = 0; i < v->stages; i++) {
        struct bar_row *row = add_row(c, v, v->stage[i]);
        const struct row *r = NULL;
        double textures = 0;

        for (int d = 0; d < n; d++) {
            r = view_row(v, v->stage[i],
                         strcmp(rules[d], "9.0") ? text_of("rules=%s", rules[d]) : "");
            row->dot[0][d] = row->dot[1][d] = NAN;
            if (!view_usable(v, r))
                continue;
            row->n_dots = n;
            textures = fmax(textures, row_number(r, COLUMN_tex_requests));
            row->dot[0][d] = 1000 *
                             (row_number(r, COLUMN_ld_sectors) + row_number(r, COLUMN_st_sectors)) /
                             size_of(r->size).product;
            row->dot[1][d] = v->f->value(v, r) / row_number(r, COLUMN_bytes);
        }
        row->fault[0] = row->n_dots ? NULL : fault_text(r);
        row->label = text_of("%s%s", row->label, textures > 0 ? " *" : "");
        for (int k = 0; k < 2; k++)
            set_cell(row, k, NAN, "");
        row->fault[1] = row->n_dots ? NULL : "";
    }
    for (int d = n; d-- > 0;) {
        x -= text_width(rules[d]) + 0.6;
        page_text(page, x, PAGE_H - 2.85, LEFT, color[d % 6], text_of("● %s", rules[d]));
        x -= 1.2;
    }
    page->legend = PAGE_W - MARGIN - x;
    page_titles(page, v, "memory transactions by GPU generation",
                "per 1000 elements, bytes moved / needed; * no textures");
    page->provenance = provenance_of(v, v->size);
    draw_chart(page, c);
    return NULL;
}

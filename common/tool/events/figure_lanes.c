// `ladder figure lanes`: which lanes of a warp touch which sectors of global memory and which banks
// of shared memory, one panel per source line and kind of access.
#include "event_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, BANKS = 32, WORD = 4, SECTOR = 32, MOST_PANELS = 6, MOST_CELLS = LANES * 4 };

// The requests of one line and kind: the one that is drawn, and their number.
struct access {
    const struct event *e;
    int requests;
};

struct accesses {
    struct access of[256];
    int n;
};

static int is_same_access(const struct event *a, const struct event *b)
{
    return strcmp(a->line, b->line) == 0 && strcmp(a->kind, b->kind) == 0 &&
           strcmp(a->file, b->file) == 0;
}

static int by_line(const void *a, const void *b)
{
    const struct event *x = ((const struct access *)a)->e, *y = ((const struct access *)b)->e;
    int lines = atoi(x->line) - atoi(y->line);

    return lines ? lines : x < y ? -1 : x > y;
}

static int has_words(const char *list, const char *words)
{
    const char *word;

    while ((word = next_word(&words)))
        if (!has_word(list, word))
            return 0;
    return 1;
}

// The accesses that are asked for, in order of lines.
static struct accesses accesses_of(const struct events *all, struct lanes_query q)
{
    struct accesses a = { .n = 0 };
    int most = 0;

    for (size_t i = 0; i < all->n; i++) {
        const struct event *e = &all->row[i];

        most = fmax(most, atoi(e->nth));
        if (!event_is_request(kind_of(e)) || atoi(e->line) < q.line || !has_words(e->kind, q.kind))
            continue;
        if (!e->bytes[0])
            fail("this file is from --trace; expected the file that ./stageN --lanes FILE writes");
        if (atoi(e->nth) >= q.first && atoi(e->nth) <= q.last &&
            a.n < (int)(sizeof a.of / sizeof *a.of))
            a.of[a.n++].e = e;
        for (int k = 0; k < a.n; k++)
            if (is_same_access(a.of[k].e, e))
                a.of[k].requests = atoi(e->nth);
    }
    for (int k = 0; k < a.n && q.last > q.first;)   // in a range, the requests of a loop
        if (a.of[k].requests < q.last)
            a.of[k] = a.of[--a.n];
        else
            k++;
    if (!a.n && q.kind[0])
        fail("--kind '%s': this warp has no such access", q.kind);
    if (!a.n && q.line > 1)
        fail("--line '%d': the warp accesses no memory at this line or below it", q.line);
    if (!a.n && most)
        fail("--access '%d': no line is executed that often by this warp; expected 1 to %d",
             q.first, most);
    if (!a.n)
        fail("this warp accesses no memory; expected another block or warp");
    qsort(a.of, a.n, sizeof *a.of, by_line);
    return a;
}

// --- one access

// A 32-byte sector, or a word of shared memory, that a lane touches.
struct cell {
    int lane;
    long unit;
};

// The sectors or words that each active lane touches. Returns their number.
static int cells_of(const struct event *e, int unit_bytes, struct cell cell[MOST_CELLS])
{
    const char *list = e->bytes, *word;
    int size = atoi(e->size), n = 0;

    for (int lane = 0; lane < LANES && (word = next_word(&list)); lane++) {
        long first = atol(word);

        if (word[0] == '-')
            continue;
        for (long u = first / unit_bytes; u <= (first + size - 1) / unit_bytes && n < MOST_CELLS;
             u++)
            cell[n++] = (struct cell){ lane, u };
    }
    return n;
}

static int by_number(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;

    return (x > y) - (x < y);
}

// The distinct sectors, in ascending order. Returns their number.
static int sectors_of(const struct cell *cell, int n, long sector[MOST_CELLS])
{
    int distinct = 0;

    for (int i = 0; i < n; i++)
        sector[i] = cell[i].unit;
    qsort(sector, n, sizeof *sector, by_number);
    for (int i = 0; i < n; i++)
        if (i == 0 || sector[i] != sector[i - 1])
            sector[distinct++] = sector[i];
    return distinct;
}

static void put_lane(struct sheet *s, const struct cell *cell, double row, int color)
{
    fprintf(s->data, "%d %g %d # lane %d|%ld\n", cell->lane, row, color, cell->lane, cell->unit);
}

// A row per touched sector; space between rows that are not neighbors in memory.
static void put_sectors(struct sheet *s, const struct event *e, int panel)
{
    struct cell cell[MOST_CELLS];
    long sector[MOST_CELLS];
    double at[MOST_CELLS], top = 0;
    int n = cells_of(e, SECTOR, cell), rows = sectors_of(cell, n, sector);

    block_of(s, "rows", panel, "sectors: row, number");
    for (int i = 0; i < rows; i++) {
        top += i == 0 ? 0 : sector[i] == sector[i - 1] + 1 ? 1 : 1.4;
        at[i] = top;
        fprintf(s->data, "%g %ld\n", top, sector[i]);
    }
    block_of(s, "cells", panel, "lane, row, color");
    for (int i = 0; i < n; i++) {
        int row = 0;

        while (sector[row] != cell[i].unit)
            row++;
        put_lane(s, &cell[i], at[row], rgb(BLUE));
    }
}

// Sets rank[i] to the number of different words of its bank that come before cell i's word in lane
// order. Returns the largest.
static int ranks_of(const struct cell *cell, int n, int rank[MOST_CELLS])
{
    int words[BANKS] = { 0 }, most = 0;

    for (int i = 0; i < n; i++) {
        int k = 0;

        while (cell[k].unit != cell[i].unit)
            k++;
        rank[i] = k < i ? rank[k] : words[cell[i].unit % BANKS]++;
        most = rank[i] > most ? rank[i] : most;
    }
    return most;
}

// A row per bank. The words of one bank have different colors.
static void put_banks(struct sheet *s, const struct event *e, int panel)
{
    struct cell cell[MOST_CELLS];
    int rank[MOST_CELLS], n = cells_of(e, WORD, cell), most = ranks_of(cell, n, rank);

    block_of(s, "rows", panel, "no rows: banks");
    block_of(s, "cells", panel, "lane, bank, color");
    for (int i = 0; i < n; i++)
        put_lane(s, &cell[i], cell[i].unit % BANKS,
                 most ? map_color((double)rank[i] / most) : rgb(BLUE));
}

// "shared load 2 of 64".
static const char *which_text(const struct access *a)
{
    return a->requests > 1 ? text_of("%s %s of %d", a->e->kind, a->e->nth, a->requests)
                           : a->e->kind;
}

// "4 sectors (ideal 4)".
static const char *cost_text(const struct event *e)
{
    int units = atoi(e->units);

    if (event_is_box(kind_of(e)) && event_is_shared(kind_of(e)))
        return text_of("%s bytes, color: chunk", e->size);
    if (!units)
        return text_of("%s unknown", e->unit);
    return text_of("%d %.*s (ideal %s)", units, (int)strlen(e->unit) - (units == 1), e->unit,
                   e->ideal);
}

static int is_costly(const struct event *e)
{
    return atoi(e->units) > atoi(e->ideal) && atoi(e->ideal) > 0;
}

// "37  sdata[tid] = sum;", with the defaults of the knobs and without the comment.
static const char *source_text(const struct events *all, const struct event *e)
{
    const char *week = table_note(&all->notes, "week");
    const char *text = with_default_knobs(text_of("%s/%s", folder_of(week), e->file), e->text);
    const char *comment = strstr(text, "//");
    int n = comment ? (int)(comment - text) : (int)strlen(text);

    while (n && text[n - 1] == ' ')
        n--;
    return text_of("%s  %.*s", e->line, n, text);
}

// --- the page

// The title: the access with the largest excess over the least that its bytes need; if none has
// any, the access in a loop with the fewest lanes.
static const char *lanes_title(const struct accesses *a, int drawn)
{
    const struct event *worst = NULL, *few = NULL;
    double most = 1;
    int fewest = LANES;

    for (int i = 0; i < drawn; i++) {
        const struct event *e = a->of[i].e;

        if (atoi(e->nth) > 1 && atoi(e->lanes) < fewest)
            few = e, fewest = atoi(e->lanes);
        if (is_costly(e) && atof(e->units) / atof(e->ideal) > most)
            worst = e, most = atof(e->units) / atof(e->ideal);
    }
    if (!worst && fewest < LANES)
        return text_of("Request %s of line %s serves %d of its %d lanes", few->nth, few->line,
                       fewest, LANES);
    if (!worst)
        return drawn < a->n ? "None of these accesses takes more than its bytes need"
                            : "No access of this warp takes more than its bytes need";
    return text_of("Line %s: this %s takes %s %s, its bytes need %s", worst->line, worst->kind,
                   worst->units, worst->unit, worst->ideal);
}

// How to see the accesses that have no panel.
static const char *next_lines(const struct accesses *a, int drawn)
{
    return drawn == a->n
             ? ""
             : text_of("; %d of %d accesses, next: LINE=%s", drawn, a->n, a->of[drawn].e->line);
}

// Whether a panel shows several words of one bank, in different colors.
static int has_colors(const struct accesses *a, int drawn)
{
    struct cell cell[MOST_CELLS];
    int rank[MOST_CELLS], most = 0;

    for (int i = 0; i < drawn && !most; i++)
        if (event_is_shared(kind_of(a->of[i].e)) && !event_is_box(kind_of(a->of[i].e)))
            most = ranks_of(cell, cells_of(a->of[i].e, WORD, cell), rank);
    return most > 0;
}

static int has_boxes(const struct accesses *a, int drawn)
{
    int any = 0;

    for (int i = 0; i < drawn; i++)
        any |= event_is_box(kind_of(a->of[i].e));
    return any;
}

// The largest x of the panel of a box, or 0.
static int put_panel(struct sheet *s, const struct event *e, int panel)
{
    enum event_kind kind = kind_of(e);

    if (event_is_box(kind))
        return put_box(s, e, panel);
    (event_is_shared(kind) ? put_banks : put_sectors)(s, e, panel);
    return 0;
}

// The names of the vertical and the horizontal axis.
static const char *axes_of(enum event_kind kind)
{
    if (event_is_box(kind))
        return event_is_shared(kind) ? "\"128 bytes\" bank" : "row byte";
    return event_is_shared(kind) ? "bank lane" : "sector lane";
}

void draw_lanes(struct sheet *s, const struct events *all, struct lanes_query query)
{
    struct accesses a = accesses_of(all, query);
    static const char colors[] = "; colors: different words of a bank",
                      rows[] = "; of each box: the first 16 rows";
    enum { FITS = 98 };
    int drawn = a.n < MOST_PANELS ? a.n : MOST_PANELS, last[MOST_PANELS];

    for (int i = 0; i < drawn; i++)
        last[i] = put_panel(s, a.of[i].e, i);
    block_begin(s, "panels",
                "line of the source, access, cost, color, axes, the largest x of a box or 0");
    for (int i = 0; i < drawn; i++) {
        const struct event *e = a.of[i].e;

        fprintf(s->data, "%s %s %s %d %s %d\n", field(source_text(all, e)),
                field(which_text(&a.of[i])), field(cost_text(e)),
                is_costly(e) ? rgb(ALARM) : rgb(BLACK), axes_of(kind_of(e)), last[i]);
    }
    s->title = lanes_title(&a, drawn);
    s->subtitle = text_of("%s | block %s, warp %s%s", table_note(&all->notes, "stage"),
                          a.of[0].e->block, a.of[0].e->warp, next_lines(&a, drawn));
    if (has_colors(&a, drawn) && characters_of(s->subtitle) + strlen(colors) <= FITS)
        s->subtitle = text_of("%s%s", s->subtitle, colors);
    if (has_boxes(&a, drawn) && characters_of(s->subtitle) + strlen(rows) <= FITS)
        s->subtitle = text_of("%s%s", s->subtitle, rows);
}

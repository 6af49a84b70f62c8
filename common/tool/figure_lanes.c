// `ladder figure lanes`: which lanes of a warp touch which sectors of global memory and which banks
// of shared memory, one panel per source line and kind of access.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure_events.h"

enum { LANES = 32, BANKS = 32, WORD = 4, SECTOR = 32, MOST_PANELS = 6, MOST_CELLS = LANES * 4 };

#define GAP 1.4   // between columns of panels, in ems

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

// The accesses of lines from `line` on that have an nth request, in order of lines.
static struct accesses accesses_of(const struct events *all, int nth, int line)
{
    struct accesses a = { .n = 0 };
    int most = 0;

    for (size_t i = 0; i < all->n; i++) {
        const struct event *e = &all->row[i];

        most = fmax(most, atoi(e->nth));
        if (!event_is_request(event_kind_of(e->kind)) || atoi(e->line) < line)
            continue;
        if (!e->bytes[0])
            fail("this file is from --trace; expected the file that ./stageN --lanes FILE writes");
        if (atoi(e->nth) == nth && a.n < (int)(sizeof a.of / sizeof *a.of))
            a.of[a.n++].e = e;
        for (int k = 0; k < a.n; k++)
            if (is_same_access(a.of[k].e, e))
                a.of[k].requests = atoi(e->nth);
    }
    if (!a.n && line > 1)
        fail("--line '%d': the warp accesses no memory at this line or below it", line);
    if (!a.n && most)
        fail("--access '%d': no line is executed that often by this warp; expected 1 to %d", nth,
             most);
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

static const struct axis lane_axis = { -0.6, LANES - 0.4,
                                       "'0' 0, '8' 8, '16' 16, '24' 24, "
                                       "'31' 31" };

// Room for the label and the tics of the axis of banks, in ems.
#define LEFT_OF_BANKS 3.2

// A row per touched sector; space between rows that are not neighbors in memory.
static struct panel *draw_sectors(struct page *page, const struct event *e, double x, double y,
                                  double w, double h)
{
    struct cell cell[MOST_CELLS];
    long sector[MOST_CELLS];
    double at[MOST_CELLS], top = 0, left = LEFT_OF_BANKS;
    int n = cells_of(e, SECTOR, cell), rows = sectors_of(cell, n, sector);
    int every = (rows + 5) / 6;
    const char *tics = "";
    struct panel *p;

    for (int i = 0; i < rows; i++) {
        top += i == 0 ? 0 : sector[i] == sector[i - 1] + 1 ? 1 : 1.4;
        at[i] = top;
        if (i % every == 0)
            tics = text_of("%s%s'%ld' %g", tics, tics[0] ? ", " : "", sector[i], top);
    }
    left = fmax(left, 1.9 + text_width(text_of("%ld", sector[rows - 1])));
    p = page_panel(page, x + left, y, w - left, h, lane_axis,
                   (struct axis){ -0.6, top + 0.6, tics });
    for (int i = 0; i < rows; i++)
        put_bar(p, -0.5, LANES - 0.5, at[i] - 0.46, at[i] + 0.46, 0xE8E8E8,
                text_of("sector %ld", sector[i]));
    for (int i = 0; i < n; i++) {
        int row = 0;

        while (sector[row] != cell[i].unit)
            row++;
        put_bar(p, cell[i].lane - 0.42, cell[i].lane + 0.42, at[row] - 0.46, at[row] + 0.46, BLUE,
                text_of("lane %d|%ld", cell[i].lane, cell[i].unit));
    }
    return p;
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
static struct panel *draw_banks(struct page *page, const struct event *e, double x, double y,
                                double w, double h)
{
    struct axis bank_axis = { -0.6, BANKS - 0.4, "'0' 0, '8' 8, '16' 16, '24' 24, '31' 31" };
    struct cell cell[MOST_CELLS];
    int rank[MOST_CELLS], n = cells_of(e, WORD, cell), most = ranks_of(cell, n, rank);
    struct panel *p =
        page_panel(page, x + LEFT_OF_BANKS, y, w - LEFT_OF_BANKS, h, lane_axis, bank_axis);

    put_bar(p, -0.5, LANES - 0.5, -0.5, BANKS - 0.5, 0xE8E8E8, "banks");
    for (int i = 0; i < n; i++) {
        int bank = cell[i].unit % BANKS;

        put_bar(p, cell[i].lane - 0.42, cell[i].lane + 0.42, bank - 0.42, bank + 0.42,
                most ? map_color((double)rank[i] / most) : BLUE,
                text_of("lane %d|%d", cell[i].lane, bank));
    }
    return p;
}

// The text, shortened to this width.
static const char *shortened(const char *text, double width)
{
    size_t n = strlen(text);

    if (text_width(text) <= width)
        return text;
    while (n && text_width(text_head(text, n)) > width - 1.5)
        n--;
    return text_of("%s...", text_head(text, n));
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

    if (!units)
        return text_of("%s unknown", e->unit);
    return text_of("%d %.*s (ideal %s)", units, (int)strlen(e->unit) - (units == 1), e->unit,
                   e->ideal);
}

static int is_costly(const struct event *e)
{
    return atoi(e->units) > atoi(e->ideal) && atoi(e->ideal) > 0;
}

// A panel below the source line and the cost, which take two lines or, in a narrow panel, three.
static void draw_access(struct page *page, const struct access *a, double x, double y, double w,
                        double h, int narrow)
{
    int shared = event_is_shared(event_kind_of(a->e->kind));
    int color = is_costly(a->e) ? ALARM : BLACK;
    double below = 2.1, above = narrow ? 4.5 : 3.2;
    struct panel *p =
        (shared ? draw_banks : draw_sectors)(page, a->e, x, y + below, w, h - below - above);

    // text_width() is an upper bound for source code
    page_text(page, x, y + h - 0.6, LEFT, DARK,
              shortened(text_of("%s  %s", a->e->line, a->e->text), 1.06 * w));
    if (narrow) {
        page_text(page, x, y + h - 1.9, LEFT, color, which_text(a));
        page_text(page, x, y + h - 3.2, LEFT, color, cost_text(a->e));
    } else
        page_text(page, x, y + h - 1.9, LEFT, color,
                  text_of("%s: %s", which_text(a), cost_text(a->e)));
    page_rotated(page, x + 0.5, p->y + p->h / 2, 90, DARK, shared ? "bank" : "sector");
    page_text(page, p->x - 0.7, p->y - 1.4, RIGHT, DARK, "lane");
}

// --- the page

// The title: the access with the largest excess over the least that its bytes need.
static const char *message(const struct accesses *a, int drawn)
{
    const struct event *worst = NULL;
    double most = 1;

    for (int i = 0; i < drawn; i++) {
        const struct event *e = a->of[i].e;

        if (is_costly(e) && atof(e->units) / atof(e->ideal) > most)
            worst = e, most = atof(e->units) / atof(e->ideal);
    }
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
        if (event_is_shared(event_kind_of(a->of[i].e->kind)))
            most = ranks_of(cell, cells_of(a->of[i].e, WORD, cell), rank);
    return most > 0;
}

void draw_lanes(struct page *page, const struct events *all, int nth, int line)
{
    static const char colors[] = "; colors: different words of a bank";
    struct accesses a = accesses_of(all, nth, line);
    int drawn = a.n < MOST_PANELS ? a.n : MOST_PANELS;
    int columns = drawn > 4 ? 3 : drawn > 1 ? 2 : 1, rows = (drawn + columns - 1) / columns;
    double w = (PAGE_W - 2 * MARGIN + GAP) / columns, top = TOP + 0.6, h = (top - BOTTOM) / rows;

    for (int i = 0; i < drawn; i++)
        draw_access(page, &a.of[i], MARGIN + i % columns * w, top - h * (i / columns + 1), w - GAP,
                    h, columns > 2);
    page->title = message(&a, drawn);
    page->subtitle = text_of("%s | block %s, warp %s%s", table_note(&all->notes, "stage"),
                             a.of[0].e->block, a.of[0].e->warp, next_lines(&a, drawn));
    if (has_colors(&a, drawn) &&
        text_width(page->subtitle) + text_width(colors) < PAGE_W - 2 * MARGIN)
        page->subtitle = text_of("%s%s", page->subtitle, colors);
}

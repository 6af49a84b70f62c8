// Figures: what each shows of a result table, and which rows it selects.
#ifndef FIGURE_H
#define FIGURE_H

#include "figure_page.h"
#include "select.h"
#include "table.h"
#include "tool.h"

struct view;
typedef double quantity(const struct view *, const struct row *);

// Defines a quantity of row `r` of view `v`.
#define QUANTITY(name, ...)                                       \
    static double name(const struct view *v, const struct row *r) \
    {                                                             \
        (void)v;                                                  \
        return __VA_ARGS__;                                       \
    }

enum {
    ALL_SIZES = 1,           // otherwise one: the given one, or the largest of those with most rows
    ALL_KNOBS = 2,           // builds with knobs; otherwise those without
    ANY_KNOBS = 4,           // both
    ALL_VARIANTS = 8,        // with options of the week, too
    ALL_SEEDS = 16,          // rows with different seeds are separate
    ANY_ARITHMETIC = 32,     // references of another precision are on the same scale
    SPLIT_ARITHMETIC = 64,   // stages of another precision have their own panel
    CPU_FIRST = 128,         // the CPU device's results before those of a GPU
    ANY_ROW = 256,           // also rows without a stage or size, of demonstrations
    TAKES_BESIDE = 512,      // a second device can be shown
    PUBLISHED = 1024,        // with a table that the slides published, if there is one
    PUBLISHED_SIZE = 2048,   // at its size, if that was measured
    CPU_LAST = 4096,         // the recorded run before the CPU device's results
};

struct figure {
    const char *name, *part;   // part of the week's `runs`
    const char *modes;         // best first
    const char *needs;         // columns without which nothing can be drawn
    quantity *value;           // NaN: not known
    const char *drawn;         // the value in words
    const char *(*draw)(struct page *, struct view *);   // returns what is missing, or NULL
    int flags;
    const char *title, *how;   // the quantity; the figure may change them for what it shows
    const char *says;          // how to read it, one sentence
};

extern const struct figure figures[];

struct view {
    const struct figure *f;
    struct table t;
    const char *week, *table;   // folder of the week; path, for messages
    // as given, or NULL until view_choose() sets it
    const char *mode, *type, *size, *knobs, *base;
    const char *from, *beside_from, *published;   // recorded runs, a path
    int recorded;                                 // 1: ignore this machine's results
    enum column column;                           // of figure `column`
    const char *unit;
    const struct row **row;   // rows to show, in the order of the table
    int n;
    const char **stage;   // "stage0" ... in order, then the correct references
    int stages, all;      // the first `stages` of `all` are stages
    struct view *beside, *then;
    const char *highlight;     // the stages with colors
    const char *title, *how;   // the quantity, and how it is shown
    int brief;                 // for a slide: a shorter provenance
};

// Chooses the rows. Returns what is missing in the table, or NULL.
const char *view_choose(struct view *);
// Adds the stages of the week that are not in the table, and chooses colors.
void view_add_stages(struct view *);
int view_usable(const struct view *, const struct row *);
// The row of a stage or reference with these options of the week; NULL if there is none.
const struct row *view_row(const struct view *, const char *stage, const char *variant);
double view_value(const struct view *, const struct row *);   // a reference's is its median
double counted(const struct view *, const struct row *, enum column);   // by the profiler
const char *fault_text(const struct row *);                        // of a row that is not usable
const char *stage_label(const struct view *, const char *stage);   // "3 padding"
int stage_color(const struct view *, const char *stage);
const char *topic_of(const char *week);   // of 01_transpose: transpose
// Sets title, subtitle and provenance. The title is the week's message that holds, or the quantity.
void page_titles(struct page *, const struct view *);

typedef const char *draw_figure(struct page *, struct view *);
draw_figure draw_ladder, draw_bound, draw_differences, draw_then_and_now, draw_memory_only,
    draw_numbers, draw_sensitivity, draw_generations, draw_sweep, draw_access, draw_roofline,
    draw_instructions, draw_knobs, draw_occupancy;

#endif

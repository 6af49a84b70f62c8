// Figures: what each shows of a result table, and the rows that it takes from it.
#ifndef FIGURE_H
#define FIGURE_H

#include "figure_page.h"
#include "select.h"
#include "table.h"
#include "tool.h"

struct view;
typedef double quantity(const struct view *, const struct row *);

// Defines a quantity of row `r`, which may do without the view.
#define QUANTITY(name, ...)                                       \
    static double name(const struct view *v, const struct row *r) \
    {                                                             \
        (void)v;                                                  \
        return __VA_ARGS__;                                       \
    }

enum {
    ALL_SIZES = 1,           // or else one: the one asked for, or that with most rows, the largest
    ALL_KNOBS = 2,           // the builds with knobs; or else those without
    ANY_KNOBS = 4,           // both
    ALL_VARIANTS = 8,        // with options of the week, too
    ALL_SEEDS = 16,          // rows of each seed are rows of their own
    ANY_ARITHMETIC = 32,     // references of another precision are on the same scale
    SPLIT_ARITHMETIC = 64,   // what computes with another precision has a panel of its own
    CPU_FIRST = 128,         // the CPU device's results before those of a GPU
    ANY_ROW = 256,           // rows without a stage or a size: of a demonstration
    TAKES_BESIDE = 512,      // a second device fits
    PUBLISHED = 1024,        // with a table that the slides published, if there is one
    PUBLISHED_SIZE = 2048,   // at its size, if that was measured
};

struct figure {
    const char *name, *part;   // part of the week's `runs`
    const char *modes;         // best first
    const char *needs;         // columns without which nothing can be drawn
    quantity *value;           // NaN: not known
    const char *drawn;         // what that is, in words
    const char *(*draw)(struct page *, struct view *);   // what the table lacks, or NULL
    int flags;
    const char *title, *how;   // the quantity; the figure may change them for what it shows
    const char *says;          // how to read it, one sentence
};

extern const struct figure figures[];

struct view {
    const struct figure *f;
    struct table t;
    const char *week, *table;   // folder of the week; path, for messages
    // what was asked for, or else NULL and then what was chosen
    const char *mode, *type, *size, *knobs, *base;
    const char *from, *beside_from, *published;   // recorded runs, a path
    int recorded;                                 // not what this machine measured
    enum column column;                           // of figure `column`
    const char *unit;
    const struct row **row;   // those to show, in the order of the table
    int n;
    const char **stage;   // "stage0" ... in order, then the references that were found right
    int stages, all;      // the first are stages
    struct view *beside, *then;
    const char *highlight;     // the stages with colors
    const char *title, *how;   // the quantity, how it is shown
};

// Chooses the rows. Returns what the table lacks, or NULL.
const char *view_choose(struct view *);
// Adds the stages of the week that the table lacks, and chooses colors.
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
// Title, the week's message that holds, or what is shown; subtitle; provenance.
void page_titles(struct page *, const struct view *);

typedef const char *draw_figure(struct page *, struct view *);
draw_figure draw_ladder, draw_bound, draw_differences, draw_then_and_now, draw_memory_only,
    draw_numbers, draw_sensitivity, draw_generations, draw_sweep, draw_access, draw_roofline,
    draw_instructions, draw_knobs, draw_occupancy;

#endif

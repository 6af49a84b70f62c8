// Figures: the rows of a result table that a figure shows, their values, and the gnuplot script
// that draws them.
#ifndef FIGURE_H
#define FIGURE_H

#include "number_text.h"
#include "figure_spec.h"
#include "select.h"
#include "sheet.h"
#include "table.h"
#include "tool.h"

// Which rows are asked for. What is NULL is chosen by view_choose().
struct query {
    const char *mode, *type, *size, *knobs, *base;
    const char *from, *beside_from;   // recorded runs
    int recorded;                     // 1: ignore this machine's results
    const char *column;               // of figure `column`, and of a map of counts
};

// The rows that were found.
struct selection {
    const struct row **row;   // in the order of the table
    int n;
    const char **stage;   // "stage0" ... in order, then the correct references
    int stages, all;      // the first `stages` of `all` are stages
    const char *unit;
};

struct labels {
    const char *highlight, *core;   // the stages with colors; those of the core ladder
    const char *what, *how;         // the quantity, and how it is shown
};

struct view {
    const struct figure *f;
    struct table t;
    const char *week, *table;   // folder of the week; path, for messages
    struct query query;
    struct selection found;
    struct labels labels;
    struct view *beside, *then;
    const struct table *recorded_runs;   // of all devices, for lower bounds; NULL until needed
    const struct rates *rates;           // of the device of these runs
};

// Whether a line "over ..." of the figure has this word.
int view_over(const struct view *, const char *word);

// Chooses the rows. Returns what is missing in the table, or NULL.
const char *view_choose(struct view *);
// Adds the stages of the week that are not in the table, and chooses colors.
void view_add_stages(struct view *);
// Whether a row is correct and has at least one of the figure's values.
int view_usable(const struct view *, const struct row *);
// The row of a stage or reference with these options of the week; NULL if there is none.
const struct row *view_row(const struct view *, const char *stage, const char *variant);
// The value of an expression for a row. A column without a stage is of the row, of a reference its
// median; what the row lacks is of the count of the same stage. NaN: not known.
double view_value(const struct view *, const struct row *, const char *expression);
// The quantity of the figure's first line `value`, with --column in its place.
struct quantity view_quantity(const struct view *, int n);
// What limits the time of a row, in one word.
const char *limit_of(const struct view *, const struct row *);

const char *fault_text(const struct row *);                        // of a row that is not usable
const char *stage_label(const struct view *, const char *stage);   // "3 padding"
int stage_color(const struct view *, const char *stage);
// The core stages, the newest stage and those with colors; all, if there are few.
int is_core(const struct view *, const char *stage);
// Sets title, subtitle and provenance. The title is the first that holds, or the quantity.
void sheet_titles(struct sheet *, const struct view *);
// "then: 2048x2048, NVIDIA GTC slides, 2009": the source of a published table; "" without one.
const char *published_text(const struct view *then);

// Each returns what is missing, or NULL.
typedef const char *draw_figure(struct sheet *, struct view *);
draw_figure draw_bars, draw_curves, draw_points, draw_map;

#endif

// Figures: from the rows of result tables to gnuplot scripts. figure.c chooses the rows, a file per
// kind prints them, and sheet.c writes the script. overview.c compares the weeks.
#ifndef FIGURES_H
#define FIGURES_H

#include "text.h"

enum status command_figure(struct arguments);     // figure.c
enum status command_collect(struct arguments);    // collect.c
enum status command_overview(struct arguments);   // overview.c

// --- sheet.c ---

// What a figure prints: variables and data blocks for gnuplot, in the units of the figure, and
// behind them the script of its kind, plots/KIND.gp. The result needs no other file.

// Wong's palette (Nature Methods 8, 441, 2011), without its yellow; references are black.
enum { BLUE = 0x0072B2, VERMILION = 0xD55E00, GREEN = 0x009E73 };
enum { PURPLE = 0xCC79A7, ORANGE = 0xE69F00, SKY = 0x56B4E9 };
enum { BLACK = 0x000000, GRAY = 0x8A8A8A, DARK = 0x595959, PALE = 0xD8D8D8, ALARM = 0xB03A00 };

int paler(int color);   // mixed with white
// The viridis color map, interpolated between six stops: a share of 0 is dark, 1 is light.
int map_color(double share);

struct sheet {
    const char *kind;   // bars, curves, points, map, lanes or trace
    const char *title, *subtitle, *provenance;
    FILE *data;
    char *text;
    size_t size;
};

struct sheet *sheet_new(const char *kind);
// Variables.
void sheet_text(struct sheet *, const char *name, const char *text);
void sheet_number(struct sheet *, const char *name, double value);
// A data block: lines are printed to sheet->data between the two calls. `columns`: a comment that
// names them.
void block_begin(struct sheet *, const char *name, const char *columns);
// The block NAMEi of column or panel i, from 0.
void block_of(struct sheet *, const char *name, int i, const char *columns);
void block_end(struct sheet *);
// A text as one field of a data block.
const char *field(const char *text);
// "#0072b2"
const char *color_text(int color);
// Prints the script. `whence`: the source of the data.
void sheet_print(struct sheet *, const char *format, const char *whence);

// A range of values, which is {INFINITY, 0} before it is widened.
struct span_of_axis {
    double low, high;
    int log;
};

// Widens a range to a value; on a logarithmic axis only to a positive one.
void widen(struct span_of_axis *, double value);

// Labels beside the ends of curves, in a column to the right. They are moved apart where they would
// overlap, and a line leads from the end of each curve to its label.
struct label {
    double x, y;
    int color;
    const char *text;
};
// Prints the block $labels: x, y, y of the label, text, color.
void sheet_labels(struct sheet *, struct label *, int n, struct span_of_axis y);

// --- bars.c ---

// Horizontal bars: rows with names, and for each row one cell in each column of the figure.

enum { MOST_COLUMNS = 6, MOST_DOTS = 8 };

struct bar {
    double value, low, high, inner;   // NaN: none; inner: the dark part
    const char *text;                 // beside the bar, or instead of it
    double dot[MOST_DOTS];            // points beside the value
    int dots, pale;
};

struct bar_row {
    const char *name;
    int color, gap;   // gap: an empty row is before it
    struct bar bar[MOST_COLUMNS];
};

struct bar_column {
    const char *heading;
    int log, like;            // `like`: has the scale of the column before
    double full;              // the scale reaches at least this value
    double line[MOST_DOTS];   // vertical lines with texts; 0 ends the list
    const char *line_text[MOST_DOTS];
};

struct bars {
    struct bar_row *row;
    int rows, columns;
    struct bar_column column[MOST_COLUMNS];
    const char *legend;   // of the dots: words
};

extern const struct bar no_bar;
// The color of dot d.
int dot_color(int d);
// Adds a row without bars.
struct bar_row *bars_row(struct bars *, const char *name, int color);
void sheet_bars(struct sheet *, const struct bars *);

// --- figure_points.c ---

// Points below roofs, on logarithmic axes.

struct point {
    double x, y;   // x is infinite: a line across the plot
    int shape, color;
    int linked;          // by a line to the point before it
    const char *label;   // NULL: none
    const char *what;
};

struct roof {
    double rate;
    int slope;          // 1: rises with x, -1: falls, 0: flat
    double limit, at;   // where another roof cuts it; the place of its text along it, 0 to 1
    const char *text;
};

enum { MOST_ROOFS = 8 };

struct points {
    struct point *of;
    int n;
    struct roof roof[MOST_ROOFS];
    int roofs;
    double steepest;   // roof, where the flat ones begin
    struct span_of_axis x, y;
    const char *xtitle, *unit;
};

void add_point(struct points *, struct point);
// Prints the points. The axes reach beyond x and y as they are given, and beyond all points.
void sheet_points(struct sheet *, struct points *);

// --- figure_spec.c ---

// The text files `figures`: which figures there are, and what each shows. common/figures has those
// of all weeks, NN_week/figures those of one week and the titles of the others there.
// plots/README.md describes the lines.

struct figure {
    const char *name;
    struct figure_line {
        const char *word, *text;
        const char *where;   // "common/figures:12", for messages
    } * line;                // those of a week come first
    int lines;
};

struct figures {
    struct figure *of;
    int n;
};

// "EXPRESSION OPTION...: TEXT"
struct quantity {
    const char *expression, *options, *text;
};

// The figures of all weeks, and those of this folder of a week; "" is every week. Ends the program
// if a file has a wrong line.
struct figures figures_of(const char *week);

// What follows the first, or the nth from 0, line with this word; "" without one.
const char *figure_text(const struct figure *, const char *word);
const struct figure_line *figure_line(const struct figure *, const char *word, int n);
// Whether a line "WORD ..." has this option.
int figure_has(const struct figure *, const char *word, const char *option);

// The nth quantity of these lines. Its expression is NULL without one.
struct quantity figure_quantity(const struct figure *, const char *word, int n);
int quantity_has(const struct quantity *, const char *option);
// The value of an option "NAME=VALUE", or NULL.
const char *quantity_option(const struct quantity *, const char *name);

// --- figure.c and figure_view.c ---

// Figures: the rows of a result table that a figure shows, their values, and the gnuplot script
// that draws them.

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
    const struct rates *rates;   // of the device of the table, for lower bounds; NULL until needed
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

// --- overview.c ---

// The comparison of the weeks: of each its first stage, its last stage and the vendor's library, in
// the recorded run or in this machine's results. The week's messages name them:
//
//   overview: stage1 stage8 ref_cublas 16384x16384: cuBLAS
//   operations: 50: multiplications and additions
//
// `operations`: how many operations the problem has per element, the product of the sides of a
// size, and what they are; for the figure with the roofs.

enum { FIRST, LAST, LIBRARY, BARS_PER_WEEK, MOST_WEEKS = 8 };

struct overview {
    const char *week, *library, *unit, *type;
    const char *stage[BARS_PER_WEEK], *size;
    const struct row *row[BARS_PER_WEEK];
    double rate[BARS_PER_WEEK];
    double operations;   // per element; NaN: not given
    const char *operation;
    struct table t, beside;   // beside: of the second device, empty without one
};

struct weeks {
    struct overview of[MOST_WEEKS];
    int n;
    const char *from, *beside;   // names of recorded runs; from is "" for this machine's results
};

// The figures that compare weeks.
struct overview_figure {
    const char *name, *kind;
    // Returns what is missing, or NULL. May set the sheet's provenance to the sizes, if these are
    // not those of the overview.
    const char *(*draw)(struct sheet *, const struct weeks *);
    const char *says;   // how to read it, one sentence
};
extern const struct overview_figure overview_figures[];

int week_number(const struct overview *);

// The last stage's rate as a multiple of the library's, in the same run if there is one.
double rate_of_library(const struct overview *);

// The latest correct row of a stage at this size, cold and with default knobs; NULL if there is
// none.
const struct row *overview_row(const struct table *, const struct overview *, const char *stage,
                               const char *size);

// The rows of a part of `runs`, of a recorded run or, with "", of this machine's newest results.
// Without the part, n is 0.
struct table overview_part(const struct overview *, const char *part, const char *from);

// "8 raster_order", from the name of the stage's file.
const char *overview_label(const struct overview *, const char *stage);

#endif

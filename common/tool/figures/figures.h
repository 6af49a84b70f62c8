// Figures: from the rows of result tables to gnuplot scripts. figure.c chooses the rows, a file per
// kind prints them, and sheet.c writes the script. compare.c chooses the rows of several weeks.
#ifndef FIGURES_H
#define FIGURES_H

#include "text.h"

enum status command_figure(struct arguments);         // figure.c
enum status command_collect(struct arguments);        // collect.c
enum status command_model_figure(struct arguments);   // figure_model.c

// --- palette.c ---

// The colors of plots/palette.gp.
// clang-format off
#define COLORS(X) \
    X(BLUE) X(VERMILION) X(GREEN) X(PURPLE) X(ORANGE) X(SKY) X(WINE) \
    X(PALE_BLUE) X(PALE_ORANGE) X(PALE_GREEN) X(PALE_PURPLE) \
    X(BLACK) X(DARK) X(LINES) X(GRAY) X(GRID) X(ROWS) X(PALE) X(BACK) X(WHITE) X(ALARM) \
    X(MODEL1) X(MODEL2) X(MODEL3) X(MODEL4) X(MODEL5) X(MODEL6) \
    X(MAP1) X(MAP2) X(MAP3) X(MAP4) X(MAP5) X(MAP6)
// clang-format on
#define COLOR(NAME) NAME,
enum color { COLORS(COLOR) ALL_COLORS };

// The color 0xRRGGBB.
int rgb(enum color);
// For gnuplot: a line "BLUE = 0x0072B2" per color.
void print_palette(void);
enum status command_palette(struct arguments);

// --- sheet.c ---

// What a figure prints: variables and data blocks for gnuplot, in the units of the figure, and
// behind them the script of its kind, plots/KIND.gp. The result needs no other file.

int paler(int color);   // mixed with white
// Of six colors of the model, the darkest first.
int model_color(int i);
// The colors of maps, interpolated between six stops: a share of 0 is the first, 1 is the last.
int map_color(double share);

struct sheet {
    const char *kind;   // bars, curves, points, map, lanes, trace or model
    const char *title, *subtitle, *provenance;
    FILE *data;
    int in_block;
    char *text;
    size_t size;
};

struct sheet *sheet_new(const char *kind);
// Variables.
void sheet_text(struct sheet *, const char *name, const char *text);
void sheet_number(struct sheet *, const char *name, double value);
// A data block: its lines are printed to sheet->data, up to the next block or variable. `columns`:
// a comment that names them.
void block_begin(struct sheet *, const char *name, const char *columns);
// The block NAMEi of column or panel i, from 0.
void block_of(struct sheet *, const char *name, int i, const char *columns);
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

// --- figure_spec.c ---

// The text files `figures`: which figures there are, and what each shows. common/figures has those
// of all weeks, NN_week/figures those of one week and the titles of the others there.
// plots/README.md describes the lines.

// The kinds of figures: draw_bars() draws with plots/bars.gp.
#define FIGURE_KINDS(X) X(bars) X(curves) X(points) X(map)

struct figure {
    const char *name;
    struct keyword_line *line;   // those of a week come first
    int lines, own;              // own: of the file that is read
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
const struct keyword_line *figure_line(const struct figure *, const char *word, int n);
// Whether a line "WORD ..." has this option.
int figure_has(const struct figure *, const char *word, const char *option);

// The quantity in the text of a line. Ends the program if it is wrong.
struct quantity quantity_of(const struct keyword_line *);
// The nth quantity of these lines. Its expression is NULL without one.
struct quantity figure_quantity(const struct figure *, const char *word, int n);
int quantity_has(const struct quantity *, const char *option);
// The value of an option "NAME=VALUE", or NULL.
const char *quantity_option(const struct quantity *, const char *name);
// A value as its options say; `unit`: if they name none. NULL: the number alone.
const char *quantity_text(const struct quantity *, double value, const char *unit);

// --- figure.c and figure_view.c ---

// Figures: the rows of a result table that a figure shows, their values, and the gnuplot script
// that draws them.

// Which rows are asked for. What is NULL is chosen by view_choose().
struct query {
    const char *mode, *type, *size, *knobs, *base;
    const char *from, *beside_from;   // recorded runs
    const char *model;                // the GPU whose modeled times are shown; NULL: measured ones
    int recorded;                     // 1: ignore this machine's results
    const char *to;                   // the last stage that is shown; NULL: all
    int medians;                      // shares are of the bar that is drawn, as on slides
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

// The stages and the reference that a comparison of weeks is about; words of expressions.
enum role { FIRST, LAST, LIBRARY, ROLES };
extern const char *const role_word[];

// What is known about a row that no later one replaces, from the other rows of its table.
struct joined_row {
    const struct row *all;   // the row with all its columns; NULL: a later row replaces it
    int usable;              // it is correct and has at least one of the figure's values
};

struct view {
    const struct figure *f;
    struct table t;
    struct joined_row *joined;   // beside each row of t
    struct table roofs;          // of the part that the line `roofs` names
    const char *week, *table;    // folder of the week; path, for messages
    struct query query;
    struct selection found;
    struct labels labels;
    struct view *beside, *then;   // of a second device; of the published table
    // of a comparison: the next week; else NULL
    struct view *next;
    const char *role[ROLES], *library;
    const struct rates *rates;   // of the device of the table, for lower bounds; NULL until needed
};

// The days of the rows that were found.
struct days days_of_view(const struct view *);

// Whether a line "over ..." of the figure has this word.
int view_over(const struct view *, const char *word);

// Joins each row with the others, once per table.
void view_join(struct view *);
// Chooses the rows. Returns what is missing in the table, or NULL.
const char *view_choose(struct view *);
// Adds the stages of the week that are not in the table, and chooses colors.
void view_add_stages(struct view *);
// Whether there is a row, and it is usable.
int view_usable(const struct view *, const struct row *);
// The row of a stage or reference with these options of the week; NULL if there is none.
const struct row *view_row(const struct view *, const char *stage, const char *variant);
// The value of an expression for a row. A column without a stage is of the row, of a reference its
// median; what the row lacks is of the count of the same stage. NaN: not known.
double view_value(const struct view *, const struct row *, const char *expression);
// The highest value among the rows that were found.
double view_highest(const struct view *, const char *expression);
// The quantity of the figure's first line `value`, with --column in its place.
struct quantity view_quantity(const struct view *, int n);
// What limits the time of a row, in one word.
const char *limit_of(const struct view *, const struct row *);

const char *fault_text(const struct view *, const struct row *);   // of a row that is not usable
const char *stage_label(const struct view *, const char *stage);   // "3 padding"
int stage_color(const struct view *, const char *stage);
// Whether a modeled time is of estimated machine code.
int is_estimated(const struct view *, const char *stage);
// The core stages, the newest stage and those with colors; all, if there are few.
int is_core(const struct view *, const char *stage);
// The text of the first line "WORD CONDITION: TEXT" whose condition holds for a row or, if it is
// NULL, for the view and those of the next weeks. NULL if none holds.
const char *view_text(const struct view *, const char *word, const struct row *);
// Sets title, subtitle and provenance. The title is the first that holds, or the quantity.
void sheet_titles(struct sheet *, const struct view *);

// Each returns what is missing, or NULL.
typedef const char *draw_figure(struct sheet *, struct view *);
#define DRAW_FIGURE(name) draw_figure draw_##name;
FIGURE_KINDS(DRAW_FIGURE)

// --- compare.c ---

// Figures that compare weeks, with a line `compare`: of each its first stage, its last stage and
// the vendor's library, which a line of the week's messages names:
//
//   overview: stage1 stage8 ref_cublas 16384x16384: cuBLAS

int is_comparison(const struct figure *);
// The weeks whose messages have such a line.
const char *compared_weeks(void);
// Chooses the rows of one week. Returns what is missing, or NULL.
const char *compare_choose(struct view *);

// A row of the figure.
struct compared {
    const struct view *v;   // of its week
    const char *stage;
    const struct row *row;   // NULL: not measured
    // of a bar, as a multiple of its inner part if it has one; of a point: percent of its roof
    double value;
    const char *name;   // "week 1: 8 swizzle"
    int color;
};
struct comparison {
    struct compared *of;
    int n, drawn;
};
// Of this week and the next ones.
struct comparison comparison_of(const struct view *);
// The latest correct row of a stage; NULL if there is none.
const struct row *compared_row(const struct view *, const char *stage);
// The text of its bar.
const char *compared_text(const struct view *, const struct row *);
// A text with what its words in braces stand for: in that of a row, an expression with options.
char *filled(const char *text, const struct view *, const struct row *);
void compare_titles(struct sheet *, const struct view *);
// The rate of a row as a share of the lowest roof above it.
double share_of_roof(const struct view *, const struct row *);

#endif

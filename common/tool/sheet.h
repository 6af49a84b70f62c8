// What a figure prints: variables and data blocks for gnuplot, in the units of the figure, and
// behind them the script of its kind, plots/KIND.gp. The result needs no other file.
#ifndef SHEET_H
#define SHEET_H

#include <stdio.h>

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

#endif

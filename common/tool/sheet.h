// What a figure prints: variables and data blocks for gnuplot, in the units of the figure, and
// behind them the script of its kind, plots/KIND.gp. The result needs no other file.
#ifndef SHEET_H
#define SHEET_H

#include <stdio.h>

struct sheet {
    const char *kind;   // bars, curves, points or map
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
void block_end(struct sheet *);
// A text as one field of a data block.
const char *field(const char *text);
// "#0072b2"
const char *color_text(int color);
// Prints the script. `whence`: the source of the data.
void sheet_print(struct sheet *, const char *format, const char *whence);
// Prints plots/NAME.gp.
void print_script(const char *name);

// Labels beside the ends of curves, in a column to the right. They are moved apart where they would
// overlap, and a line leads from the end of each curve to its label.
struct label {
    double x, y;
    int color;
    const char *text;
};
struct span_of_axis {
    double low, high;
    int log;
};
// Prints the block $labels: x, y, y of the label, text, color.
void sheet_labels(struct sheet *, struct label *, int n, struct span_of_axis y);

#endif

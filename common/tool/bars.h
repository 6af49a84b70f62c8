// Horizontal bars: rows with names, and for each row one cell in each column of the figure.
#ifndef BARS_H
#define BARS_H

#include "sheet.h"

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

#endif

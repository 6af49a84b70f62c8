// Points below roofs, on logarithmic axes.
#ifndef POINTS_H
#define POINTS_H

#include "sheet.h"

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

#endif

// A page of panels and texts, and how it is printed for gnuplot. Positions and sizes on the page
// are in ems, the height of ordinary text. Data in a panel are in the units of its axes.
#ifndef FIGURE_PAGE_H
#define FIGURE_PAGE_H

#include <stddef.h>
#include <stdio.h>

// 16 by 9; a line of text is LINE high.
#define PAGE_W 54.4
#define PAGE_H 30.6
#define LINE 1.25
#define TOP 26.3     // below the title, the subtitle and a legend
#define BOTTOM 1.3   // above the provenance
#define MARGIN 0.8

// Wong's palette (Nature Methods 8, 441, 2011), without its yellow; references are black.
enum { BLUE = 0x0072B2, VERMILION = 0xD55E00, GREEN = 0x009E73 };
enum { PURPLE = 0xCC79A7, ORANGE = 0xE69F00, SKY = 0x56B4E9 };
enum { BLACK = 0x000000, GRAY = 0x8A8A8A, DARK = 0x595959, PALE = 0xD8D8D8, ALARM = 0xB03A00 };
enum align { LEFT, CENTER, RIGHT };

struct axis {
    double low, high;
    const char *tics;   // "'1k' 1000, '2k' 2000"; NULL: gnuplot's
};

// Lines of a data block.
struct stream {
    FILE *file;
    char *text;
    size_t size;
};

// The marks of a panel, from back to front.
enum mark { BARS, SOLID, DASHED, N_MARKS };

struct panel {
    double x, y, w, h;
    struct axis ax, ay;
    struct stream stream[N_MARKS];
};

struct page {
    const char *title, *subtitle, *provenance, *format;
    struct panel *panel[16];
    int n;
    struct stream text[3];   // by alignment
};

struct page *page_new(void);
struct panel *page_panel(struct page *, double x, double y, double w, double h, struct axis ax,
                         struct axis ay);
void page_text(struct page *, double x, double y, enum align, int color, const char *text);
void page_rotated(struct page *, double x, double y, double degrees, int color, const char *text);
// Prints the page for gnuplot, with the scripts that draw it. `whence`: the source of the data.
void page_print(struct page *, const char *whence);

// `what` names the data of a mark, as a comment in the output.
void put_bar(struct panel *, double x0, double x1, double y0, double y1, int color,
             const char *what);
void put_line(struct panel *, double x0, double y0, double x1, double y1, int color, int dashed);
void put_vertex(struct panel *, double x, double y, int color, int dashed);   // of one curve
void put_gap(struct panel *, int dashed, const char *what);                   // between curves

// The position of a value on the page.
double page_x(const struct panel *, double x);
double page_y(const struct panel *, double y);

double text_width(const char *text);
// A color between two; a share of 0 is `from`, 1 is `to`.
int mixed(int from, int to, double share);
int paler(int color);
// The viridis color map, interpolated between six stops: a share of 0 is dark, 1 is light.
int map_color(double share);

// A value with three significant digits: 4531.17 "GB/s" is "4.53 TB/s".
const char *readable(double value, const char *unit);
const char *short_number(double value);
// The factor by which a value is shown, a power of 1000. Sets the prefix of *unit: 4531 "GB/s" is
// 4.531 "TB/s".
double unit_scale(double value, const char **unit);
// In gnuplot's single quotes.
const char *in_quotes(const char *text);
const char *percent_text(double share);

// Moves the positions of labels, in ascending order, at least `gap` apart, between low and high.
void spread(double *at, int n, double gap, double low, double high);

#endif

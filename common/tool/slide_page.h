// A deck of slides, which gnuplot draws into one PDF. Lengths are in points; a slide is 960 x 540,
// 13.33 x 7.5 inches. What does not fit on a slide is continued on the next, under the same
// heading.
#ifndef SLIDE_PAGE_H
#define SLIDE_PAGE_H

#include <stddef.h>

// Sizes of text. The smallest is 18 points, also for code, tables and footers.
enum { SMALL = 18, NORMAL = 22, LARGE = 28, TITLE = 44 };

struct deck {
    const char *title;   // in the footer
    int slides;
    const char *heading;   // of the slide that is being filled; NULL: there is none
    int part;              // 2: the slide continues the one before
    double y;              // where the next line begins, from the top
};

// Prints the settings. `drawings`: the folder with the scripts of the drawings.
void deck_begin(struct deck *, const char *drawings);

// Begins a slide, and ends the one before. A heading of "" leaves its place empty.
void slide_begin(struct deck *, const char *heading);
void slide_end(struct deck *);

// A paragraph of text with styles (notes.h), `indent` from the left margin. A bullet is a text to
// the left of the paragraph, or "".
void slide_text(struct deck *, const char *styled, int size, int color, double indent,
                const char *bullet);

// The height that this text takes, and the height that is left on the slide.
double slide_text_height(const char *styled, int size, double indent);
double slide_room(const struct deck *);

// Continues on a new slide if this height is not left, unless the slide is empty.
void slide_keep(struct deck *, double height);

// A line of code, of at most code_width() characters, after its sign ("+", "-", " ").
void slide_code(struct deck *, const char *line, const char *sign, int color);
size_t code_width(void);

// The height of a line of code, and the number of lines that fit on a slide.
double code_line_height(void);
int code_lines_of_slide(void);

void slide_gap(struct deck *, double height);

// A table in Markdown. Rows that do not fit are on the next slide, below the same header.
void slide_table(struct deck *, const char *markdown);

// A drawing that fills a slide, with a footer.
void slide_drawing(struct deck *, const char *name, const char *footer);

// A figure, of which `ladder figure --format slide` printed the script.
void slide_figure(struct deck *, const char *script);

#endif

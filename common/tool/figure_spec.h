// The text files `figures`: which figures there are, and what each shows. common/figures has those
// of all weeks, NN_week/figures those of one week and the titles of the others there.
// plots/README.md describes the lines.
#ifndef FIGURE_SPEC_H
#define FIGURE_SPEC_H

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

#endif

#define _GNU_SOURCE   // fopencookie
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "arguments.h"
#include "program.h"

enum { LEAST = 80, MOST = 10000 };

struct screen {
    FILE *to;
    size_t width;
};

// The width in columns; 0: lines of any length.
static size_t width_of_output(void)
{
    const char *given = getenv("COLUMNS");
    long long columns = given && given[0] ? argument_number("COLUMNS", given, 0, MOST) : 0;
    struct winsize is;

    if (columns)
        return columns < LEAST ? LEAST : columns;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &is) < 0 || is.ws_col == 0)
        return 0;
    return is.ws_col < LEAST ? LEAST : is.ws_col;
}

// The column at which a broken line continues: that of its last cell, which begins after two blanks
// in the left half; without cells, a little to the right of the line.
static size_t indent_of(const char *line, size_t n, size_t width)
{
    size_t margin = strspn(line, " "), at = 0;

    for (size_t i = margin + 2; i < n && i < width / 2; i++)
        if (line[i - 1] == ' ' && line[i - 2] == ' ' && line[i] != ' ')
            at = i;
    return at ? at : (margin < width / 2 ? margin : 0) + 2;
}

// Prints a line in pieces. The last blank of a piece is not printed; a word may be too long.
static void put_line(const struct screen *s, const char *line, size_t n)
{
    size_t indent = indent_of(line, n, s->width), column = 0, last = 0;

    for (size_t i = 0, from = 0; i < n; i++) {
        column += !goes_on(line[i]);
        if (line[i] == ' ' && i > from && line[i - 1] != ' ' && column > indent)
            last = i;
        if (column > s->width && last > from) {
            fprintf(s->to, "%.*s\n%*s", (int)(last - from), line + from, (int)indent, "");
            from = last + strspn(line + last, " ");
            i = from - 1, column = indent;
        }
        if (i + 1 == n)
            fwrite(line + from, 1, n - from, s->to);
    }
}

// What is written without a line end, as text of a prompt, is printed as it is.
static ssize_t put_text(void *screen, const char *text, size_t bytes)
{
    const struct screen *s = screen;
    size_t left = bytes;
    const char *end;

    for (; (end = memchr(text, '\n', left)); left -= end + 1 - text, text = end + 1) {
        char *line = text_of("%.*s", (int)(end - text), text);

        put_line(s, line, strlen(line));
        putc('\n', s->to);
        free(line);
    }
    fwrite(text, 1, left, s->to);
    return fflush(s->to) == 0 ? (ssize_t)bytes : 0;
}

void fit_terminal(void)
{
    size_t width = width_of_output();
    struct screen *s;
    FILE *stream;

    if (!width)
        return;
    s = must_malloc(sizeof *s);
    *s = (struct screen){ stdout, width };
    stream = fopencookie(s, "w", (cookie_io_functions_t){ .write = put_text });
    if (!stream)
        return;
    setvbuf(stream, NULL, _IOLBF, 0);
    stdout = stream;
}

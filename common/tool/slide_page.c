#define _GNU_SOURCE   // strsep
#include "slide_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure_page.h"
#include "notes.h"
#include "tool.h"

#define WIDTH 960.0
#define HEIGHT 540.0
#define LEFT_EDGE 40.0
#define TEXT_WIDTH (WIDTH - 2 * LEFT_EDGE)
#define HEADING_Y 46.0
#define BODY 82.0   // below the heading
#define END 504.0   // above the footer
#define FOOTER_Y 522.0

#define LEADING 1.35   // height of a line, as a share of its size
#define CODE_LEADING 1.2
#define CODE_ADVANCE 0.605   // width of a character of code: DejaVu Sans Mono has 0.602
#define BOLD_WIDTH 1.1       // of bold text, compared with text_width()
#define POINT 0.75           // pdfcairo draws a font of size 1 with 96 / 72 points

// --- text

// What gnuplot's enhanced mode would interpret is escaped.
static void put_quoted(const char *text, int enhanced)
{
    for (; *text; text++) {
        if (enhanced && strchr("{}&^_@~\\", *text))
            putchar('\\');
        fputs(*text == '\'' ? "''" : (char[]){ *text, '\0' }, stdout);
    }
}

static void put_label(const char *text, double x, double y, const char *align, const char *font,
                      double size, int color, int enhanced)
{
    fputs("set label '", stdout);
    if (enhanced)
        fputs(text, stdout);
    else
        put_quoted(text, 0);
    printf("' at screen %.5f,%.5f %s font '%s,%.4g' textcolor rgb '#%06X'%s\n", x / WIDTH,
           1 - y / HEIGHT, align, font, size * POINT, color, enhanced ? "" : " noenhanced");
}

static const char *font_of(int styles)
{
    const char *face = styles >> TYPEWRITER & 1 ? "Monospace" : "";
    const char *weight = styles >> BOLD & 1 ? ":Bold" : "",
               *slant = styles >> ITALIC & 1 ? ":Italic" : "";

    return text_of("/%s%s%s", face, weight, slant);
}

// The width of n bytes in ems. `styles` are those at their beginning, and at their end.
static double styled_width(const char *text, size_t n, int *styles)
{
    double width = 0;

    for (size_t i = 0; i < n; i++) {
        char one[2] = { text[i], '\0' };

        if (text[i] > 0 && text[i] <= LAST_STYLE)
            *styles ^= 1 << text[i];
        else if (*styles >> TYPEWRITER & 1)
            width += (text[i] & 0xC0) == 0x80 ? 0 : CODE_ADVANCE;
        else
            width += text_width(one) * (*styles >> BOLD & 1 ? BOLD_WIDTH : 1);
    }
    return width;
}

// A line for gnuplot's enhanced mode.
static char *enhanced_of(const char *text, size_t n, int styles)
{
    char *line;
    size_t length;
    FILE *out = open_memstream(&line, &length);

    if (styles)
        fprintf(out, "{%s ", font_of(styles));
    for (size_t i = 0; i < n; i++) {
        int before = styles;

        if (text[i] > 0 && text[i] <= LAST_STYLE) {
            styles ^= 1 << text[i];
            fputs(before ? "}" : "", out);
            if (styles)
                fprintf(out, "{%s ", font_of(styles));
            continue;
        }
        if (strchr("{}&^_@~\\", text[i]))
            fputc('\\', out);
        fputs(text[i] == '\'' ? "''" : (char[]){ text[i], '\0' }, out);
    }
    fputs(styles ? "}" : "", out);
    fclose(out);
    return line;
}

struct lines {
    char **line;   // for gnuplot's enhanced mode
    int n;
    double longest;   // in ems
};

static void add_line(struct lines *l, const char *text, size_t n, int styles)
{
    int after = styles;

    l->line = grown(l->line, l->n, sizeof *l->line);
    l->line[l->n++] = enhanced_of(text, n, styles);
    l->longest = fmax(l->longest, styled_width(text, n, &after));
}

// Breaks a text at blanks into lines of at most `width` ems. A word that is longer has a line.
static struct lines lines_of(const char *text, double width)
{
    struct lines l = { 0 };
    int styles = 0;   // at the beginning of the line

    while (*text) {
        size_t n = 0;   // of the line

        for (size_t end; text[n]; n = end) {
            int after = styles;

            end = n + strspn(text + n, " ");
            end += strcspn(text + end, " ");
            if (n && styled_width(text, end, &after) > width)
                break;
        }
        add_line(&l, text, n, styles);
        styled_width(text, n, &styles);
        text += n;
        text += strspn(text, " ");
    }
    return l;
}

// --- slides

void deck_begin(struct deck *d, const char *drawings)
{
    *d = (struct deck){ .title = d->title };
    puts("# Made by `ladder slides`.");
    puts("set encoding utf8");
    printf("set terminal pdfcairo size 13.3334in,7.5in enhanced font 'sans,%g' fontscale 1 "
           "background 'white' linewidth 1.5\n",
           SMALL * POINT);
    fputs("cd '", stdout);
    put_quoted(drawings, 0);
    puts("'");
}

// The state of gnuplot that a slide begins with.
static void put_reset(struct deck *d, int enhanced, const char *footer)
{
    d->slides++;
    printf("\n# --- slide %d\nreset\nset termoption %s\nFORMAT = 'slide'\nSLIDE = '", d->slides,
           enhanced ? "enhanced" : "noenhanced");
    put_quoted(text_of("%d%s%s", d->slides, footer[0] ? "    " : "", footer), 0);
    puts("'");
}

static void open_slide(struct deck *d)
{
    const char *more = d->part > 1 ? text_of(" (%d)", d->part) : "";
    char *text = text_of("%c%s%s%c", BOLD, d->heading, more, BOLD);
    int styles = 0, size = 28;

    if (!d->heading[0])
        text = "";
    while (size > SMALL && styled_width(text, strlen(text), &styles) * size > TEXT_WIDTH)
        size--, styles = 0;
    put_reset(d, 1, d->title);
    puts("set lmargin at screen 0; set rmargin at screen 1; set bmargin at screen 0; "
         "set tmargin at screen 1\nunset key; unset tics; unset border");
    if (text[0])
        put_label(enhanced_of(text, strlen(text), 0), LEFT_EDGE, HEADING_Y, "left", "", size, BLACK,
                  1);
    puts("set label SLIDE at screen 0.0147,0.0333 left noenhanced textcolor rgb '#777777'");
    d->y = BODY;
}

static void close_slide(void) { puts("plot [0:1][0:1] 0 with dots linecolor rgb '#FFFFFF'"); }

void slide_end(struct deck *d)
{
    if (d->heading)
        close_slide();
    d->heading = NULL;
}

void slide_begin(struct deck *d, const char *heading)
{
    slide_end(d);
    d->heading = styled_of(heading);
    d->part = 1;
    open_slide(d);
}

void slide_keep(struct deck *d, double height)
{
    if (d->y + height <= END || d->y <= BODY)
        return;
    close_slide();
    d->part++;
    open_slide(d);
}

void slide_gap(struct deck *d, double height) { d->y = d->y > BODY ? d->y + height : d->y; }

void slide_text(struct deck *d, const char *styled, int size, int color, double indent,
                const char *bullet)
{
    struct lines l = lines_of(styled, (TEXT_WIDTH - indent) / size);

    if (l.longest * size > TEXT_WIDTH - indent)
        fail("slides: '%s': a word is wider than a slide", styled);
    slide_keep(d, fmin(l.n * LEADING * size, END - BODY));
    for (int i = 0; i < l.n; i++) {
        slide_keep(d, LEADING * size);
        d->y += LEADING * size / 2;
        if (!i && bullet[0])
            put_label(bullet, LEFT_EDGE + indent - size, d->y, "left", "", size, color, 1);
        put_label(l.line[i], LEFT_EDGE + indent, d->y, "left", "", size, color, 1);
        d->y += LEADING * size / 2;
    }
}

double slide_text_height(const char *styled, int size, double indent)
{
    return lines_of(styled, (TEXT_WIDTH - indent) / size).n * LEADING * size;
}

double slide_room(const struct deck *d) { return END - d->y; }

double code_line_height(void) { return CODE_LEADING * SMALL; }

int code_lines_of_slide(void) { return (int)((END - BODY) / code_line_height()); }

size_t code_width(void) { return (size_t)(TEXT_WIDTH / (CODE_ADVANCE * SMALL)) - 2; }

void slide_code(struct deck *d, const char *line, const char *sign, int color)
{
    slide_keep(d, code_line_height());
    put_label(text_of("%s %s", sign, line), LEFT_EDGE, d->y + code_line_height() / 2, "left",
              "Monospace", SMALL, color, 0);
    d->y += code_line_height();
}

// --- tables

enum { MOST_COLUMNS = 12, MOST_ROWS = 64 };
static const double COLUMN_GAP = 22, ROW_GAP = 8;

struct grid {
    char *cell[MOST_ROWS][MOST_COLUMNS];   // with styles; the first row is the header
    int rows, columns, is_right[MOST_COLUMNS];
    double width[MOST_COLUMNS];   // in points
};

// The next cell of a row in Markdown; NULL at its end. Moves *row past it.
static char *next_cell(char **row)
{
    char *start = *row, *end;

    if (!start[strspn(start, " ")])
        return NULL;
    for (end = start; *end && (*end != '|' || end[-1] == '\\'); end++)
        ;
    *row = *end ? end + 1 : end;
    start += strspn(start, " ");
    while (end > start && end[-1] == ' ')
        end--;
    return text_of("%.*s", (int)(end - start), start);
}

static struct grid grid_of(const char *markdown)
{
    struct grid g = { .rows = 0 };
    char *text = text_of("%s", markdown), *line, *cell;

    for (int n = 0; (line = strsep(&text, "\n")) && g.rows < MOST_ROWS; n++) {
        int c = 0;

        for (line += *line == '|'; c < MOST_COLUMNS && (cell = next_cell(&line)); c++)
            if (n == 1)   // |---|--:|
                g.is_right[c] = cell[strlen(cell) - 1] == ':';
            else
                g.cell[g.rows][c] =
                    n ? styled_of(cell) : text_of("%c%s%c", BOLD, styled_of(cell), BOLD);
        g.columns = n ? g.columns : c;
        g.rows += n != 1 && c;
    }
    for (int r = 0; r < g.rows; r++)
        for (int c = 0; c < g.columns; c++)
            g.cell[r][c] = g.cell[r][c] ? g.cell[r][c] : "";
    return g;
}

// Sets the width of those columns that have none and want at most, or with `sign` -1 at least, an
// equal share of the room that is left. Returns the room that is left after that.
static double settle(struct grid *g, const double want[], double room, int sign)
{
    for (int again = 1; again;) {
        int open = 0;

        again = 0;
        for (int c = 0; c < g->columns; c++)
            open += !g->width[c];
        for (int c = 0; c < g->columns && !again; c++)
            if (!g->width[c] && sign * want[c] <= sign * room / open) {
                g->width[c] = want[c];
                room -= want[c];
                again = 1;
            }
    }
    return room;
}

// Narrow columns have their natural width, no column is narrower than its longest word, and the
// others share what is left, by the length of their text.
static void choose_widths(struct grid *g)
{
    double natural[MOST_COLUMNS] = { 0 }, least[MOST_COLUMNS] = { 0 }, text[MOST_COLUMNS] = { 0 };
    double room = TEXT_WIDTH - COLUMN_GAP * (g->columns - 1), all = 0;

    for (int c = 0; c < g->columns; c++)
        for (int r = 0; r < g->rows; r++) {
            double width = 1 + SMALL * lines_of(g->cell[r][c], 1e9).longest;

            natural[c] = fmax(natural[c], width);
            least[c] = fmax(least[c], 1 + SMALL * lines_of(g->cell[r][c], 0).longest);
            text[c] += width;
        }
    room = settle(g, natural, room, 1);
    room = settle(g, least, room, -1);
    if (room < -1)
        fail("slides: the table that begins with '%s' is wider than a slide", g->cell[1][0]);
    for (int c = 0; c < g->columns; c++)
        all += g->width[c] ? 0 : text[c], room -= g->width[c] ? 0 : least[c];
    for (int c = 0; c < g->columns; c++)
        g->width[c] = g->width[c] ? g->width[c] : least[c] + room * text[c] / all;
}

static struct lines cell_lines(const struct grid *g, int row, int column)
{
    return lines_of(g->cell[row][column], g->width[column] / SMALL);
}

static double row_height(const struct grid *g, int row)
{
    int most = 1;

    for (int c = 0; c < g->columns; c++) {
        int n = cell_lines(g, row, c).n;

        most = n > most ? n : most;
    }
    return most * LEADING * SMALL + ROW_GAP;
}

static void put_row(struct deck *d, const struct grid *g, int row)
{
    double x = LEFT_EDGE, rule;

    for (int c = 0; c < g->columns; x += g->width[c++] + COLUMN_GAP) {
        struct lines l = cell_lines(g, row, c);

        for (int i = 0; i < l.n; i++)
            put_label(l.line[i], g->is_right[c] ? x + g->width[c] : x,
                      d->y + (i + 0.5) * LEADING * SMALL, g->is_right[c] ? "right" : "left", "",
                      SMALL, BLACK, 1);
    }
    d->y += row_height(g, row);
    rule = 1 - (d->y - ROW_GAP / 2) / HEIGHT;
    printf("set arrow from screen %.5f,%.5f to screen %.5f,%.5f nohead linewidth %g linecolor rgb "
           "'#%06X'\n",
           LEFT_EDGE / WIDTH, rule, 1 - LEFT_EDGE / WIDTH, rule, row ? 0.5 : 1.0,
           row ? PALE : DARK);
}

void slide_table(struct deck *d, const char *markdown)
{
    struct grid g = grid_of(markdown);
    int part = 0;   // the part of the slide that has the header

    choose_widths(&g);
    for (int r = 1; r < g.rows; r++) {
        slide_keep(d, row_height(&g, r) + (r == 1 ? row_height(&g, 0) : 0));
        if (part != d->part)
            put_row(d, &g, 0);
        part = d->part;
        put_row(d, &g, r);
    }
}

// --- pictures

void slide_drawing(struct deck *d, const char *name, const char *footer)
{
    slide_end(d);
    put_reset(d, 0, footer);
    puts("set multiplot");
    printf("load '%s.gp'\n", name);
    puts("unset multiplot");
}

void slide_figure(struct deck *d, const char *script)
{
    slide_end(d);
    put_reset(d, 0, "");
    fputs(script, stdout);
}

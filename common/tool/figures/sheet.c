#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A color between two; a share of 0 is `from`, 1 is `to`.
static int mixed(int from, int to, double share)
{
    int color = 0;

    for (int shift = 0; shift < 24; shift += 8)
        color |= (int)((from >> shift & 255) * (1 - share) + (to >> shift & 255) * share) << shift;
    return color;
}

int map_color(double share)
{
    double at = fmin(fmax(share, 0), 1) * 4.999;
    int stop = MAP1 + (int)at;

    return mixed(rgb(stop), rgb(stop + 1), at - (int)at);
}

int model_color(int i) { return rgb(MODEL1 + i % 6); }

int paler(int color) { return mixed(rgb(WHITE), color, 0.42); }

struct sheet *sheet_new(const char *kind)
{
    struct sheet *s = must_calloc(1, sizeof *s);

    s->kind = kind;
    s->data = open_memstream(&s->text, &s->size);
    return s;
}

// In gnuplot's single quotes.
static const char *in_quotes(const char *text)
{
    char *copy = must_malloc(2 * strlen(text) + 3), *to = copy;

    for (*to++ = '\''; *text; *to++ = *text++)
        if (*text == '\'')
            *to++ = '\'';
    strcpy(to, "'");
    return copy;
}

static void end_block(struct sheet *s)
{
    if (s->in_block)
        fputs("EOD\n", s->data);
    s->in_block = 0;
}

void sheet_text(struct sheet *s, const char *name, const char *text)
{
    end_block(s);
    fprintf(s->data, "%s = %s\n", name, in_quotes(text));
}

void sheet_number(struct sheet *s, const char *name, double value)
{
    end_block(s);
    fprintf(s->data, isnan(value) ? "%s = NaN\n" : "%s = %.6g\n", name, value);
}

void block_begin(struct sheet *s, const char *name, const char *columns)
{
    end_block(s);
    s->in_block = 1;
    fprintf(s->data, "$%s << EOD\n# %s\n", name, columns);
}

void block_of(struct sheet *s, const char *name, int i, const char *columns)
{
    block_begin(s, text_of("%s%d", name, i + 1), columns);
}

// gnuplot has no escape for double quotes in a data block.
const char *field(const char *text)
{
    char *copy = text_of("\"%s\"", text);

    for (char *at = copy + 1; at[1]; at++)
        *at = *at == '"' ? '\'' : *at == '\\' ? '/' : *at;
    return copy;
}

const char *color_text(int color) { return text_of("#%06x", color); }

// Prints plots/NAME.gp.
static void print_script(const char *name)
{
    printf("\n%s", read_text(text_of("%s/plots/%s.gp", root_folder(), name)));
}

// What make FONT= and SCALE= change.
static void print_font(void)
{
    const char *font = setting("LADDER_FONT"), *scale = setting("LADDER_SCALE");
    char *end = NULL;
    double size = strtod(scale, &end);

    if (strpbrk(font, "'\"\n,"))
        fail("FONT='%s': expected the name of a font, for example 'Liberation Sans'", font);
    if (scale[0] && (*end || !(size >= 0.7 && size <= 1.4)))
        fail("SCALE='%s': expected a number from 0.7 to 1.4", scale);
    if (font[0])
        printf("FONT = '%s'\n", font);
    if (scale[0])
        printf("SCALE = %g\n", size);
}

void sheet_print(struct sheet *s, const char *format, const char *whence)
{
    end_block(s);
    fclose(s->data);
    printf("# from %s\n# Copy it and change anything; make plots writes it again. gnuplot COPY.gp "
           ">COPY.%s\n",
           whence, format);
    printf("FORMAT = '%s'\nTITLE = %s\nSUBTITLE = %s\n", format, in_quotes(s->title),
           in_quotes(s->subtitle));
    print_font();
    printf("PROVENANCE = %s\n%s", in_quotes(s->provenance), s->text);
    putchar('\n');
    print_palette();
    print_script("style");
    print_script(s->kind);
}

void widen(struct span_of_axis *a, double value)
{
    if (isfinite(value) && (value > 0 || (value == 0 && !a->log)))
        a->low = fmin(a->low, value), a->high = fmax(a->high, value);
}

// --- labels

enum { LABEL_LINES = 15 };   // lines of text in the height of a plot

static int by_height(const void *a, const void *b)
{
    const struct label *l = a, *m = b;

    return l->y < m->y ? -1 : l->y > m->y;
}

static double part_of(struct span_of_axis a, double v)
{
    return a.log ? log(v / a.low) / log(a.high / a.low) : (v - a.low) / (a.high - a.low);
}

static double value_at(struct span_of_axis a, double part)
{
    return a.log ? a.low * pow(a.high / a.low, part) : a.low + part * (a.high - a.low);
}

// Moves the positions of labels, in ascending order, at least `gap` apart, between low and high.
static void spread(double *at, int n, double gap, double low, double high)
{
    for (int pass = 0; pass < 2000; pass++)
        for (int i = 0; i < n; i++) {
            double lack = i ? gap - (at[i] - at[i - 1]) : 0;

            if (lack > 0)
                at[i - 1] -= lack / 2, at[i] += lack / 2;
            at[i] = fmin(fmax(at[i], low), high);
        }
    for (int i = 1; i < n; i++)   // remaining overlaps
        at[i] = fmax(at[i], at[i - 1] + gap);
}

void sheet_labels(struct sheet *s, struct label *label, int n, struct span_of_axis y)
{
    double *line = must_calloc(n + 1, sizeof *line);

    qsort(label, n, sizeof *label, by_height);
    for (int i = 0; i < n; i++)
        line[i] = LABEL_LINES * part_of(y, label[i].y);
    spread(line, n, 1, 0.2, LABEL_LINES);
    block_begin(s, "labels", "x y, at the end of the curve; y of the label, text, color");
    for (int i = 0; i < n; i++)
        fprintf(s->data, "%.6g %.6g %.6g %s %d\n", label[i].x, label[i].y,
                value_at(y, line[i] / LABEL_LINES), field(label[i].text), label[i].color);
}

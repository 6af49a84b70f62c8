#include "figure_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "sheet.h"

static void stream_open(struct stream *s) { s->file = open_memstream(&s->text, &s->size); }

struct page *page_new(void)
{
    struct page *p = must_calloc(1, sizeof *p);

    for (int i = 0; i < 3; i++)
        stream_open(&p->text[i]);
    return p;
}

struct panel *page_panel(struct page *page, double x, double y, double w, double h, struct axis ax,
                         struct axis ay)
{
    struct panel *p = must_calloc(1, sizeof *p);

    if (page->n == (int)(sizeof page->panel / sizeof *page->panel))
        die(STATUS_ERROR, "a figure has too many panels");
    p->x = x, p->y = y, p->w = w, p->h = h, p->ax = ax, p->ay = ay;
    for (int i = 0; i < N_MARKS; i++)
        stream_open(&p->stream[i]);
    return page->panel[page->n++] = p;
}

// gnuplot has no escape for double quotes in a data block.
static void put_text(struct page *p, double x, double y, enum align align, double degrees,
                     int color, const char *text)
{
    char *copy = text_of("%s", text);

    for (char *at = copy; *at; at++)
        *at = *at == '"' ? '\'' : *at == '\\' ? '/' : *at;
    fprintf(p->text[align].file, "%.3f %.3f \"%s\" %.1f %d\n", x, y, copy, degrees, color);
}

void page_rotated(struct page *p, double x, double y, double degrees, int color, const char *text)
{
    put_text(p, x, y, CENTER, degrees, color, text);
}

void page_text(struct page *p, double x, double y, enum align align, int color, const char *text)
{
    put_text(p, x, y, align, 0, color, text);
}

void put_bar(struct panel *p, double x0, double x1, double y0, double y1, int color,
             const char *what)
{
    fprintf(p->stream[BARS].file, "%.6g %.6g %g %g %d # %s\n", x0, x1, y0, y1, color, what);
}

void put_vertex(struct panel *p, double x, double y, int color, int dashed)
{
    fprintf(p->stream[dashed ? DASHED : SOLID].file, "%.6g %.6g %d\n", x, y, color);
}

void put_gap(struct panel *p, int dashed, const char *what)
{
    fprintf(p->stream[dashed ? DASHED : SOLID].file, "\n# %s\n", what);
}

void put_line(struct panel *p, double x0, double y0, double x1, double y1, int color, int dashed)
{
    put_gap(p, dashed, "line");
    put_vertex(p, x0, y0, color, dashed);
    put_vertex(p, x1, y1, color, dashed);
}

static double part_of(const struct axis *a, double v) { return (v - a->low) / (a->high - a->low); }

double page_x(const struct panel *p, double x) { return p->x + p->w * part_of(&p->ax, x); }
double page_y(const struct panel *p, double y) { return p->y + p->h * part_of(&p->ay, y); }

// --- numbers

const char *short_number(double v)
{
    double a = fabs(v);

    if (v == floor(v) && a < 1e4)
        return text_of("%.0f", v);
    if (a >= 1e9 && a < 1e12)
        return text_of("%.3gG", v / 1e9);
    if (a >= 1e4 && a < 1e9)
        return a >= 1e6 ? text_of("%.3gM", v / 1e6) : text_of("%.3gk", v / 1e3);
    return a >= 99.95 ? text_of("%.0f", v) : a >= 0.001 ? text_of("%.3g", v) : text_of("%.1e", v);
}

const char *percent_text(double share)
{
    return text_of(share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
}

// The factor by which a value is shown, a power of 1000. Sets the prefix of *unit: 4531 "GB/s" is
// 4.53 "TB/s".
double unit_scale(double value, const char **unit)
{
    static const char *const prefix[] = { "p", "n", "µ", "m", "", "k", "M", "G", "T", "P" };
    double scale = 1;
    int at = 4;

    if (!(*unit)[0])
        return 1;
    if ((*unit)[0] == 'G')
        (*unit)++, at = 7;
    while (fabs(value) * scale >= 999.5 && at < 9)
        scale /= 1000, at++;
    while (value != 0 && fabs(value) * scale < 0.9995 && at > 0)
        scale *= 1000, at--;
    *unit = text_of("%s%s", prefix[at], *unit);
    return scale;
}

const char *readable(double value, const char *unit)
{
    double v = value * unit_scale(value, &unit);

    if (isnan(value))
        return "";
    if (!unit[0])
        return short_number(value);
    return text_of("%.*f %s", v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2, v, unit);
}

double text_width(const char *text)
{
    double n = 0;

    for (; *text; text++)
        n += ((unsigned char)*text & 0xC0) == 0x80 ? 0
           : strchr("ilj.,:;|'()[] ", *text)       ? 0.38
           : strchr("mwMWG%", *text)               ? 0.92
                                                   : 0.63;
    return n;
}

int mixed(int from, int to, double share)
{
    int color = 0;

    for (int shift = 0; shift < 24; shift += 8)
        color |= (int)((from >> shift & 255) * (1 - share) + (to >> shift & 255) * share) << shift;
    return color;
}

int map_color(double share)
{
    static const int stop[] = { 0x440154, 0x414487, 0x2A788E, 0x22A884, 0x7AD151, 0xFDE725 };
    double at = fmin(fmax(share, 0), 1) * 4.999;

    return mixed(stop[(int)at], stop[(int)at + 1], at - (int)at);
}

int paler(int color) { return mixed(0xFFFFFF, color, 0.42); }

void spread(double *at, int n, double gap, double low, double high)
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

// --- printing

static void print_stream(const char *name, struct stream *s)
{
    fclose(s->file);
    printf("$%s << EOD\n%sEOD\n", name, s->text);
}

const char *in_quotes(const char *text)
{
    char *copy = must_malloc(2 * strlen(text) + 3), *to = copy;

    for (*to++ = '\''; *text; *to++ = *text++)
        if (*text == '\'')
            *to++ = '\'';
    strcpy(to, "'");
    return copy;
}

static void print_panel(struct panel *p)
{
    static const char *const name[N_MARKS] = { "bars", "solid", "dashed" };

    printf("set lmargin at screen %.5f\nset rmargin at screen %.5f\n", p->x / PAGE_W,
           (p->x + p->w) / PAGE_W);
    printf("set bmargin at screen %.5f\nset tmargin at screen %.5f\n", p->y / PAGE_H,
           (p->y + p->h) / PAGE_H);
    printf("set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", p->ax.low, p->ax.high, p->ay.low,
           p->ay.high);
    printf("set xtics %s\nset ytics (%s)\n", p->ax.tics ? text_of("(%s)", p->ax.tics) : "autofreq",
           p->ay.tics);
    for (int i = 0; i < N_MARKS; i++)
        print_stream(name[i], &p->stream[i]);
    print_script("panel");
}

void page_print(struct page *p, const char *whence)
{
    static const char *const name[] = { "left", "center", "right" };

    printf("# from %s\nFORMAT = '%s'\n", whence, p->format);
    printf("TITLE = %s\nSUBTITLE = %s\nPROVENANCE = %s\n", in_quotes(p->title),
           in_quotes(p->subtitle), in_quotes(p->provenance));
    print_script("style");
    printf("unset label\nset multiplot\nPAGE_W = %g; PAGE_H = %g\n", PAGE_W, PAGE_H);
    for (int i = 0; i < p->n; i++)
        print_panel(p->panel[i]);
    for (int i = 0; i < 3; i++)
        print_stream(name[i], &p->text[i]);
    print_script("texts");
}

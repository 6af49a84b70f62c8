#include "figure_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

struct page *page_new(void)
{
    struct page *p = calloc(1, sizeof *p);

    p->title = p->subtitle = p->provenance = "";
    for (int i = 0; i < 3; i++)
        p->text[i] = open_memstream(&p->text_text[i], &p->size[i]);
    return p;
}

struct panel *page_panel(struct page *page, double x, double y, double w, double h)
{
    struct panel *p = calloc(1, sizeof *p);

    if (page->n == (int)(sizeof page->panel / sizeof *page->panel))
        die(STATUS_ERROR, "a figure of too many panels");
    *p = (struct panel){ x, y, w, h, { 0, 1, 0, "" }, { 0, 1, 0, "" }, .bare = 1 };
    p->bars = open_memstream(&p->bars_text, &p->size[0]);
    p->solid = open_memstream(&p->solid_text, &p->size[1]);
    p->dashed = open_memstream(&p->dashed_text, &p->size[2]);
    p->points = open_memstream(&p->points_text, &p->size[3]);
    return page->panel[page->n++] = p;
}

// A word in double quotes: gnuplot has no escape for them in a data block.
static const char *quoted(const char *text)
{
    char *copy = text_of("\"%s\"", text);

    for (size_t i = 1; i + 2 < strlen(copy); i++)
        if (copy[i] == '"' || copy[i] == '\\' || copy[i] == '\n')
            copy[i] = copy[i] == '"' ? '\'' : copy[i] == '\n' ? ' ' : '/';
    return copy;
}

void page_rotated(struct page *p, double x, double y, double degrees, int color, const char *text)
{
    fprintf(p->text[CENTER], "%.3f %.3f %s %.1f %d\n", x, y, quoted(text), degrees, color);
}

void page_text(struct page *p, double x, double y, enum align align, int color, const char *text)
{
    fprintf(p->text[align], "%.3f %.3f %s 0 %d\n", x, y, quoted(text), color);
}

void put_bar(struct panel *p, double x0, double x1, double y0, double y1, int color,
             const char *what)
{
    fprintf(p->bars, "%.6g %.6g %g %g %d # %s\n", x0, x1, y0, y1, color, what);
}

void put_vertex(struct panel *p, double x, double y, int color, int dashed)
{
    fprintf(dashed ? p->dashed : p->solid, "%.6g %.6g %d\n", x, y, color);
}

void put_gap(struct panel *p, int dashed, const char *what)
{
    fprintf(dashed ? p->dashed : p->solid, "\n# %s\n", what);
}

void put_line(struct panel *p, double x0, double y0, double x1, double y1, int color, int dashed)
{
    fputs("\n", dashed ? p->dashed : p->solid);
    put_vertex(p, x0, y0, color, dashed);
    put_vertex(p, x1, y1, color, dashed);
    fputs("\n", dashed ? p->dashed : p->solid);
}

void put_point(struct panel *p, double x, double y, int color, int shape, const char *what)
{
    fprintf(p->points, "%.6g %.6g %d %d # %s\n", x, y, shape, color, what);
}

static double part_of(const struct axis *a, double v)
{
    return a->log ? log(v / a->low) / log(a->high / a->low) : (v - a->low) / (a->high - a->low);
}

double page_x(const struct panel *p, double x) { return p->x + p->w * part_of(&p->ax, x); }
double page_y(const struct panel *p, double y) { return p->y + p->h * part_of(&p->ay, y); }

// --- numbers

const char *short_number(double v)
{
    double a = fabs(v);

    if (v == floor(v) && a < 1e4)
        return text_of("%.0f", v);
    if (a >= 1e4 && a < 1e12) {
        double scale = a >= 1e9 ? 1e9 : a >= 1e6 ? 1e6 : 1e3;

        return text_of("%.3g%s", v / scale, a >= 1e9 ? "G" : a >= 1e6 ? "M" : "k");
    }
    return a >= 99.95 ? text_of("%.0f", v) : a >= 0.001 ? text_of("%.3g", v) : text_of("%.1e", v);
}

const char *percent_text(double share)
{
    return text_of(share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
}

// The power of 1000 that a value is shown in, and the unit with its prefix: 4531 of "GB/s" is 4.53
// of "TB/s".
static double scale_of(double value, const char **unit)
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
    double scale = scale_of(value, &unit), v = value * scale;

    if (isnan(value))
        return "";
    if (!unit[0])
        return short_number(value);
    return text_of("%.*f %s", v >= 99.95 ? 0 : v >= 9.995 ? 1 : 2, v, unit);
}

const char *axis_unit(double high, const char *unit)
{
    scale_of(high, &unit);
    return unit;
}

static const char *binary_text(double v)
{
    static const char *const prefix[] = { "", "ki", "Mi", "Gi" };
    int at = 0;

    for (; v >= 1024 && at < 3; at++)
        v /= 1024;
    return text_of("%g%s", v, prefix[at]);
}

static char *with_tic(const char *tics, const char *text, double at)
{
    return text_of("%s%s'%s' %.6g", tics, tics[0] ? ", " : "", text, at);
}

// Powers of the base; of 10 also 2 and 5 times those, if there are few.
static char *log_tics(double low, double high, int base, int most, const char *unit)
{
    static const double steps[] = { 1, 2, 5 };
    int first = (int)floor(log(low) / log(base)), last = (int)ceil(log(high) / log(base));
    int every = (last - first) / most + 1, fine = base == 10 && 3 * (last - first) <= most + 2;
    char *tics = "";

    for (int i = first; i <= last; i++)
        for (int k = 0; k < (fine ? 3 : 1); k++) {
            double v = pow(base, i) * steps[k];

            if (i % every == 0 && v >= low * (1 - 1e-9) && v <= high * (1 + 1e-9))
                tics =
                    with_tic(tics,
                             base == 2  ? binary_text(v)
                             : unit[0]  ? text_of("%g %s", v * scale_of(v, &(const char *){ unit }),
                                                  axis_unit(v, unit))
                             : v < 1e-3 ? text_of("%.0e", v)
                                        : text_of("%g", v),
                             v);
        }
    return tics;
}

// Linear tics have no unit: they are in that of axis_unit(high).
struct axis axis_of(double low, double high, int log, int most, const char *unit)
{
    double scale = scale_of(high, &(const char *){ unit }), step;
    char *tics = "";

    if (log)
        return (struct axis){ low, high, log, log_tics(low, high, log, most, unit) };
    step = pow(10, floor(log10((high - low) / most)));
    if ((high - low) / step > most)
        step *= (high - low) / (2 * step) <= most ? 2 : (high - low) / (5 * step) <= most ? 5 : 10;
    for (int i = (int)ceil(low / step - 1e-9); i * step <= high * (1 + 1e-9); i++)
        tics = with_tic(tics, text_of("%g", i * step * scale), i * step);
    return (struct axis){ low, high, 0, tics };
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

int paler(int color)
{
    int mixed = 0;

    for (int shift = 0; shift < 24; shift += 8)
        mixed |= (int)(0.42 * (color >> shift & 255) + 0.58 * 255) << shift;
    return mixed;
}

void spread(double *at, int n, double gap, double low, double high)
{
    int *order = malloc((n + 1) * sizeof *order);

    for (int i = 0; i < n; i++) {
        int j = i;

        for (; j > 0 && at[order[j - 1]] > at[i]; j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
    for (int pass = 0; pass < 2000; pass++)
        for (int j = 0; j < n; j++) {
            double *below = j ? &at[order[j - 1]] : NULL, *here = &at[order[j]];
            double lack = below ? gap - (*here - *below) : 0;

            if (lack > 0)
                *below -= lack / 2, *here += lack / 2;
            *here = fmin(fmax(*here, low), high);
        }
    for (int j = 1; j < n; j++)   // what is left of it
        at[order[j]] = fmax(at[order[j]], at[order[j - 1]] + gap);
    free(order);
}

// --- printing

static void print_block(const char *name, FILE *file, char **text)
{
    fclose(file);
    printf("$%s << EOD\n%sEOD\n", name, *text);
}

static const char *in_quotes(const char *text)   // of gnuplot
{
    char *copy = must_malloc(2 * strlen(text) + 3), *to = copy;

    for (*to++ = '\''; *text; text++) {
        if (*text == '\'')
            *to++ = '\'';
        *to++ = *text == '\n' ? ' ' : *text;
    }
    strcpy(to, "'");
    return copy;
}

static void print_panel(struct panel *p)
{
    printf("set lmargin at screen %.5f\nset rmargin at screen %.5f\n", p->x / PAGE_W,
           (p->x + p->w) / PAGE_W);
    printf("set bmargin at screen %.5f\nset tmargin at screen %.5f\n", p->y / PAGE_H,
           (p->y + p->h) / PAGE_H);
    printf("set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", p->ax.low, p->ax.high, p->ay.low,
           p->ay.high);
    printf("LOG_X = %d; LOG_Y = %d; BARE = %d\n", p->ax.log, p->ay.log, p->bare);
    printf("set xtics (%s)\nset ytics (%s)\n", p->ax.tics, p->ay.tics);
    print_block("bars", p->bars, &p->bars_text);
    print_block("solid", p->solid, &p->solid_text);
    print_block("dashed", p->dashed, &p->dashed_text);
    print_block("points", p->points, &p->points_text);
    puts("load HERE.'panel.gp'\n");
}

void page_print(struct page *p, const char *scripts, const char *whence)
{
    static const char *const name[] = { "left", "center", "right" };

    printf("# from %s\nHERE = %s\nFORMAT = '%s'\n", whence, in_quotes(text_of("%s/", scripts)),
           p->format);
    printf("TITLE = %s\nSUBTITLE = %s\nPROVENANCE = %s\n", in_quotes(p->title),
           in_quotes(p->subtitle), in_quotes(p->provenance));
    printf("PAGE_W = %g; PAGE_H = %g\nload HERE.'style.gp'\n\n", PAGE_W, PAGE_H);
    for (int i = 0; i < p->n; i++)
        print_panel(p->panel[i]);
    for (int i = 0; i < 3; i++)
        print_block(name[i], p->text[i], &p->text_text[i]);
    puts("load HERE.'texts.gp'");
}

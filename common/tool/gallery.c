// `ladder gallery`: makes one page, plots/out/index.html, with everything that was drawn in
// plots/out: the figures in the lists that common/make/plots.sh writes, the pictures of `make
// lanes` and `make trace`, and the drawings.
#define _GNU_SOURCE   // open_memstream, strsep
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figure.h"
#include "overview.h"
#include "tool.h"

struct picture {
    const char *section, *name;            // of the list of contents
    const char *file;                      // in plots/out
    const char *says, *command, *source;   // command: in the top folder
};

struct gallery {
    struct picture *picture;
    int n;
};

static void add(struct gallery *g, struct picture p)
{
    const char *path = text_of("%s/plots/out/%s", root_folder(), p.file), *end = strrchr(path, '.');

    // A browser shows no PDF as a picture.
    if (!end || !has_word(".svg .png", end) || access(path, R_OK) != 0)
        return;
    g->picture = grown(g->picture, g->n, sizeof *g->picture);
    g->picture[g->n++] = p;
}

// "01_transpose_lanes_stage2@TILE=16.svg", "01_transpose_lanes_": "stage2@TILE=16"
static const char *between(const char *file, const char *start)
{
    const char *rest = file + strlen(start);

    return text_of("%.*s", (int)(strrchr(rest, '.') - rest), rest);
}

static const char *file_name(const char *path) { return strrchr(path, '/') + 1; }

static int is_png(const char *file) { return strcmp(strrchr(file, '.'), ".png") == 0; }

// The names of the pictures in plots/out that begin with `start`; of two formats, the SVG.
static struct arguments pictures_like(const char *start)
{
    const char *out = text_of("%s/plots/out", root_folder());
    struct arguments files = files_like(out, "%s*.@(svg|png)", start);
    int kept = 0;

    for (int i = 0; i < files.n; i++) {
        const char *file = file_name(files.word[i]);

        if (!is_png(file) ||
            access(text_of("%s/%s%s.svg", out, start, between(file, start)), R_OK) != 0)
            files.word[kept++] = text_of("%s", file);
    }
    files.n = kept;
    return files;
}

// --- figures

static const char *figure_says(const char *section, const char *name)
{
    struct figures of_week;

    for (const struct overview_figure *f = overview_figures; f->name; f++)
        if (strcmp(section, "overview") == 0 && strcmp(f->name, name) == 0)
            return f->says;
    of_week = figures_of(strcmp(section, "overview") == 0 ? "" : section);
    for (int i = 0; i < of_week.n; i++)
        if (strcmp(of_week.of[i].name, name) == 0)
            return figure_text(&of_week.of[i], "read");
    return "";
}

// Widens the dates first to last of the form 2026-01-02.
static void include_date(const char *date, const char **first, const char **last)
{
    if (!date[0])
        return;
    *first = !**first || strcmp(date, *first) < 0 ? date : *first;
    *last = strcmp(date, *last) > 0 ? date : *last;
}

// Where and when the data were measured, from the notes of the tables that the source names: its
// last word is a table or a folder of tables.
static const char *measured(const char *source)
{
    const char *path = strrchr(source, ' '), *first = "", *last = "", *text = "";
    struct arguments files = { 1, NULL };

    path = text_of("%s/%s", root_folder(), path ? path + 1 : source);
    if (strlen(path) > 4 && strcmp(path + strlen(path) - 4, ".tsv") == 0)
        files.word = (char **)&path;
    else
        files = files_like(path, "@(stage*|*.ladder).tsv");
    for (int i = 0; i < files.n; i++) {
        struct table t = { 0 };

        if (table_read(&t, files.word[i]) != 0)
            continue;
        include_date(table_note(&t, "date"), &first, &last);
        text = text[0] ? text : device_words(&t, ", ");
    }
    return text_of("Data: %s%s%s%s%s%s%s", source, text[0] ? "; " : "", text, first[0] ? ", " : "",
                   first, strcmp(first, last) ? " to " : "", strcmp(first, last) ? last : "");
}

// Adds the figures of a list: its lines have a figure's name, file, source and command.
static void add_figures(struct gallery *g, const char *list)
{
    const char *section =
        text_of("%.*s", (int)(strlen(file_name(list)) - strlen("_figures.tsv")), file_name(list));
    char *text = read_text(list), *line;

    strsep(&text, "\n");   // the header
    while ((line = strsep(&text, "\n"))) {
        const char *name = strsep(&line, "\t"), *file = strsep(&line, "\t"),
                   *source = strsep(&line, "\t");

        if (source && line)
            add(g, (struct picture){ section, name, file, figure_says(section, name),
                                     text_of("%s | gnuplot >%s", line, file), measured(source) });
    }
}

// --- other pictures

// Adds what `make lanes` or `make trace` drew of a week's stages.
static void add_accesses(struct gallery *g, const char *week, const char *figure, const char *says)
{
    const char *start = text_of("%s_%s_", week, figure);
    struct arguments files = pictures_like(start);

    for (int i = 0; i < files.n; i++) {
        const char *file = files.word[i], *build = between(file, start);
        const char *format = is_png(file) ? " FORMAT=png" : "";
        char *knobs = strchr(build, '@');

        for (char *at = knobs; at && *at; at++)   // stage2@TILE=16,ROWS=4
            *at = *at == '@' || *at == ',' ? ' ' : *at;
        add(g, (struct picture){ week, text_of("%s of %s", figure, build), file, says,
                                 text_of("make -C %s %s STAGE=%s%s", week, figure, build, format),
                                 "Data: recorded on the CPU device" });
    }
}

static void add_drawings(struct gallery *g)
{
    struct arguments files = pictures_like("drawing_");

    for (int i = 0; i < files.n; i++) {
        const char *file = files.word[i], *name = between(file, "drawing_");
        const char *script = text_of("%s/plots/drawings/%s.gp", root_folder(), name);

        if (access(script, R_OK) != 0)
            continue;
        // The first line of a script is a comment that says what it draws.
        add(g, (struct picture){ "drawings", name, file,
                                 text_of("%.*s", (int)strcspn(read_text(script) + 2, "\n"),
                                         read_text(script) + 2),
                                 text_of("(cd plots/drawings && gnuplot %s%s.gp) >%s",
                                         is_png(file) ? "-e \"FORMAT = 'png'\" " : "", name, file),
                                 "" });
    }
}

// --- the page

static const char style[] =
    ":root { color-scheme: light dark }\n"
    "body { font: 18px/1.45 sans-serif; max-width: 60em; margin: auto; padding: 0 1em 3em }\n"
    "nav p { margin: 0.4em 0 }\n"
    "nav a { white-space: nowrap; margin-right: 0.7em }\n"
    "figure { margin: 2.5em 0 }\n"
    "figure > a { display: block; overflow-x: auto }\n"
    "img { width: 100%; background: white }\n"
    "code { overflow-wrap: anywhere }\n"
    "@media (max-width: 45em) { img { width: 44em; max-width: none } }\n";

// Prints text for HTML.
static void put(FILE *page, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': fputs("&amp;", page); break;
        case '<': fputs("&lt;", page); break;
        case '>': fputs("&gt;", page); break;
        case '"': fputs("&quot;", page); break;
        default: putc(*text, page);
        }
}

static const char *title_of(const char *section)
{
    return strcmp(section, "overview") == 0 ? "All weeks"
         : strcmp(section, "drawings") == 0 ? "Drawings"
                                            : section;
}

static int begins_section(const struct gallery *g, int i)
{
    return i == 0 || strcmp(g->picture[i].section, g->picture[i - 1].section) != 0;
}

static void put_contents(FILE *page, const struct gallery *g)
{
    fputs("<nav>\n", page);
    for (int i = 0; i < g->n; i++) {
        if (begins_section(g, i))
            fprintf(page, "%s<p><b>%s:</b>\n", i ? "</p>\n" : "", title_of(g->picture[i].section));
        fprintf(page, "<a href=\"#%s\">", stem_of(g->picture[i].file));
        put(page, g->picture[i].name);
        fputs("</a>\n", page);
    }
    fputs("</p>\n</nav>\n", page);
}

static void put_picture(FILE *page, const struct picture *p)
{
    fprintf(page, "<figure id=\"%s\">\n<a href=\"%s\"><img src=\"%s\" loading=\"lazy\" alt=\"",
            stem_of(p->file), p->file, p->file);
    put(page, text_of("%s: %s", p->name, p->says));
    fputs("\"></a>\n<figcaption>", page);
    put(page, p->says);
    fputs("<br>\n<small><code>", page);
    put(page, p->command);
    fputs("</code><br>\n", page);
    put(page, p->source);
    fputs("</small></figcaption>\n</figure>\n", page);
}

static const char *page_of(const struct gallery *g)
{
    char *text;
    size_t n;
    FILE *page = open_memstream(&text, &n);

    fprintf(page,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>Figures of the CUDA ladder</title>\n<style>\n%s</style>\n"
            "<h1>Figures of the CUDA ladder</h1>\n"
            "<p>Select a figure to see it alone. The commands run in the top folder of the "
            "course.</p>\n",
            style);
    put_contents(page, g);
    for (int i = 0; i < g->n; i++) {
        if (begins_section(g, i))
            fprintf(page, "<h2>%s</h2>\n", title_of(g->picture[i].section));
        put_picture(page, &g->picture[i]);
    }
    fputs("</html>\n", page);
    fclose(page);
    return text;
}

enum status command_gallery(struct arguments a)
{
    const char *out = text_of("%s/plots/out", root_folder());
    struct arguments lists = files_like(out, "[0-9]*_figures.tsv");
    struct gallery g = { NULL, 0 };

    no_options(&a);
    if (a.n)
        fail("gallery: '%s': expected no argument", a.word[0]);
    if (access(text_of("%s/overview_figures.tsv", out), R_OK) == 0)
        add_figures(&g, text_of("%s/overview_figures.tsv", out));
    for (int i = 0; i < lists.n; i++) {
        const char *week =
            text_of("%.*s", (int)(strlen(file_name(lists.word[i])) - 12), file_name(lists.word[i]));

        add_figures(&g, lists.word[i]);
        add_accesses(&g, week, "lanes",
                     "Which lanes of a warp touch which sectors and banks; red: more than needed.");
        add_accesses(&g, week, "trace",
                     "What the warps of a block do, in the order of execution, which is no time.");
    }
    add_drawings(&g);
    if (!g.n)
        fail("gallery: there is no figure in plots/out; make plots draws them");
    write_if_changed(text_of("%s/index.html", out), page_of(&g));
    printf("To see all %d pictures, open %s/index.html in a browser.\n", g.n, out);
    return STATUS_OK;
}

// `ladder gallery WEEK...`: makes one page with every figure that was drawn.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figure.h"
#include "overview.h"
#include "tool.h"

// The small gray text of a picture: what was measured where and when.
static const char *provenance_in(const char *path)
{
    char *text = read_text(path), *at = text, *last = NULL, *end;

    while ((at = strstr(at, "<text>"))) {   // the provenance is the last text with a "|"
        end = strstr(at, "</text>");
        if (end && memmem(at, end - at, " | ", 3))
            last = text_of("%.*s", (int)(end - at - 6), at + 6);
        at += 6;
    }
    return last ? last : "";
}

// Adds a picture, if it was drawn, with one sentence on how to read it and the command that draws
// it.
static int add_picture(FILE *page, const char *file, const char *name, const char *says,
                       const char *command)
{
    const char *path = text_of("%s/plots/out/%s", root_folder(), file);

    if (access(path, R_OK) != 0)
        return 0;
    fprintf(page,
            "<figure id=\"%.*s\">\n<img src=\"%s\" alt=\"%s\">\n<figcaption>%s<br>\n"
            "<code>%s | gnuplot| gnuplot &gt;%s</code><br>\n"
            "<small>%s</small></figcaption>\n</figure>\n",
            (int)strlen(file) - 4, file, file, name, says, command, file, provenance_in(path));
    return 1;
}

static int add_figure(FILE *page, const char *week, const struct figure *f)
{
    const char *options = strcmp(f->name, "column") == 0 ? " --column NAME" : "";

    return add_picture(
        page, text_of("%s_%s.svg", week, f->name), text_of("%s, %s", week, f->name),
        figure_text(f, "read"),
        text_of("cd %s &amp;&amp; ../build/ladder figure %s%s", week, f->name, options));
}

// Adds the figures that compare weeks.
static int add_overview(FILE *page, const struct arguments *weeks)
{
    const char *list = "";
    int drawn = 0;

    for (int w = 0; w < weeks->n; w++)
        list = text_of("%s %s", list, weeks->word[w]);
    fputs("<h2>All weeks</h2>\n", page);
    for (const struct overview_figure *f = overview_figures; f->name; f++)
        drawn += add_picture(page, text_of("overview_%s.svg", f->name),
                             text_of("all weeks, %s", f->name), f->says,
                             text_of("build/ladder overview --figure %s%s", f->name, list));
    return drawn;
}

enum status command_gallery(struct arguments a)
{
    char *text;
    size_t n;
    FILE *page = open_memstream(&text, &n);
    const char *path = text_of("%s/plots/out/index.html", root_folder());
    struct figures all;
    int drawn = 0;

    no_options(&a);
    if (!a.n)
        fail("gallery: expected WEEK..., for example ladder gallery 01_transpose 02_reduction");
    fputs(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Figures of the CUDA "
        "ladder</title>\n<style>\nbody { font: 18px/1.4 sans-serif; max-width: 60em; margin: auto; "
        "padding: 1em }\nimg { width: 100% }\nfigure { margin: 2em 0 }\ncode, small { color: #555 "
        "}\n</style>\n<h1>Figures</h1>\n",
        page);
    drawn += add_overview(page, &a);
    for (int w = 0; w < a.n; w++) {
        must_be_name("week", a.word[w]);
        fprintf(page, "<h2>%s</h2>\n", a.word[w]);
        all = figures_of(a.word[w]);
        for (int i = 0; i < all.n; i++)
            drawn += add_figure(page, a.word[w], &all.of[i]);
    }
    fputs("</html>\n", page);
    fclose(page);
    if (!drawn)
        fail("gallery: there is no figure in plots/out; make gallery draws them");
    write_if_changed(path, text);
    printf("plots/out/index.html: %d figures\n", drawn);
    return STATUS_OK;
}

// `ladder gallery WEEK...`: makes one page with every figure that was drawn.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figure.h"
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

static int add_figure(FILE *page, const char *week, const struct figure *f)
{
    const char *file = text_of("%s_%s.svg", week, f->name);
    const char *path = text_of("%s/plots/out/%s", root_folder(), file);
    const char *options = strcmp(f->name, "column") == 0 ? " --column NAME" : "";

    if (access(path, R_OK) != 0)
        return 0;
    fprintf(page,
            "<figure id=\"%s_%s\">\n<img src=\"%s\" alt=\"%s, %s\">\n<figcaption>%s<br>\n"
            "<code>cd %s &amp;&amp; ../build/ladder figure %s%s | gnuplot &gt;%s</code><br>\n"
            "<small>%s</small></figcaption>\n</figure>\n",
            week, f->name, file, week, f->name, f->says, week, f->name, options, file,
            provenance_in(path));
    return 1;
}

enum status command_gallery(struct arguments a)
{
    char *text;
    size_t n;
    FILE *page = open_memstream(&text, &n);
    const char *path = text_of("%s/plots/out/index.html", root_folder());
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
    for (int w = 0; w < a.n; w++) {
        must_be_name("week", a.word[w]);
        fprintf(page, "<h2>%s</h2>\n", a.word[w]);
        for (int i = 0; figures[i].name; i++)
            drawn += add_figure(page, a.word[w], &figures[i]);
    }
    fputs("</html>\n", page);
    fclose(page);
    if (!drawn)
        fail("gallery: there is no figure in plots/out; make gallery draws them");
    write_if_changed(path, text);
    printf("plots/out/index.html: %d figures\n", drawn);
    return STATUS_OK;
}

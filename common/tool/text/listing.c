#define _GNU_SOURCE   // strsep
#include "text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void listing_add(struct listing *c, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    c->row = grown(c->row, c->n, sizeof *c->row);
    c->row[c->n++] = text_of_list(format, arguments);
    va_end(arguments);
}

void listing_print(const struct listing *c, const char *widths)
{
    for (int r = 0; r < c->n; r++) {
        char *rest = text_of("%s", c->row[r]), *line = "", *cell;
        const char *list = widths;

        while ((cell = strsep(&rest, "\t"))) {
            int width = atoi(next_word(&list)), ends_early = !rest && list[0];

            line = text_of("%s%*s ", line, ends_early ? 0 : width, cell);
        }
        puts(trimmed(line));
    }
}

void listing_markdown(const struct listing *c, const char *align, FILE *out)
{
    for (int r = 0; r < c->n; r++) {
        char *rest = text_of("%s", c->row[r]), *rule = "|", *cell;

        while ((cell = strsep(&rest, "\t"))) {
            fprintf(out, "| %s ", cell);
            rule = text_of("%s%s|", rule, *align == 'l' ? ":--" : *align == 'r' ? "--:" : "---");
            align += align[1] != '\0';
        }
        fprintf(out, r ? "|\n" : "|\n%s\n", rule);
    }
}

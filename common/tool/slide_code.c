#define _GNU_SOURCE   // strsep
#include "slide_code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

struct line {
    char sign;   // '+': new, '-': old, ' ': in both
    const char *text;
};

struct code {
    struct line *line;
    int n;
};

static void add(struct code *c, char sign, const char *text)
{
    c->line = grown(c->line, c->n, sizeof *c->line);
    c->line[c->n++] = (struct line){ sign, text };
}

// The length of a line without its comment and the blanks before that.
static int bare_length(const char *line)
{
    const char *comment = strstr(line, "//");
    int n = comment ? (int)(comment - line) : (int)strlen(line);

    while (n && isspace((unsigned char)line[n - 1]))
        n--;
    return n;
}

// The lines below the head and the #include lines. A comment is omitted if its line is too long.
static struct code code_of(const char *path)
{
    struct code c = { 0 };
    char *text = read_text(path), *line;

    while ((line = strsep(&text, "\n")))
        if (bare_length(line) && strncmp(line, "#include", 8) != 0)
            add(&c, ' ',
                strlen(line) > SLIDE_COLUMNS ? text_of("%.*s", bare_length(line), line) : line);
    return c;
}

static struct code part_of(const struct code *c, int first, int n)
{
    return (struct code){ c->line + first, first + n > c->n ? c->n - first : n };
}

static int same(const char *a, const char *b)   // but for indentation and comments
{
    a += strspn(a, " "), b += strspn(b, " ");
    return bare_length(a) == bare_length(b) && strncmp(a, b, bare_length(a)) == 0;
}

// The lines of both, by the longest common subsequence. Old lines precede new ones.
static struct code merged(const struct code *a, const struct code *b)
{
    struct code both = { 0 };
    int w = b->n + 1, *length = must_calloc((size_t)(a->n + 1) * w, sizeof *length), i, k;

    for (i = a->n - 1; i >= 0; i--)   // of a from i on and b from k on
        for (k = b->n - 1; k >= 0; k--) {
            int *at = &length[i * w + k], longest = at[w] > at[1] ? at[w] : at[1];

            *at = same(a->line[i].text, b->line[k].text) ? 1 + at[w + 1] : longest;
        }
    for (i = k = 0; i < a->n || k < b->n;)
        if (i < a->n && k < b->n && same(a->line[i].text, b->line[k].text))
            add(&both, ' ', b->line[k++].text), i++;
        else if (i < a->n && (k == b->n || length[(i + 1) * w + k] == length[i * w + k]))
            add(&both, '-', a->line[i++].text);
        else
            add(&both, '+', b->line[k++].text);
    free(length);
    return both;
}

static int count(const struct code *c, const char *signs)
{
    int n = 0;

    for (int i = 0; i < c->n; i++)
        n += strchr(signs, c->line[i].sign) != NULL;
    return n;
}

static struct code without_old(const struct code *all)
{
    struct code c = { 0 };

    for (int i = 0; i < all->n; i++)
        if (all->line[i].sign != '-')
            add(&c, all->line[i].sign, all->line[i].text);
    return c;
}

// The part that has the most changed lines, in its middle; without any, the kernel. Old lines are
// omitted if they are many.
static struct code chosen(const struct code *all)
{
    struct code c = count(all, "-") > SLIDE_LINES / 2 ? without_old(all) : *all;
    int most = -1, first = 0, last = 0, kernel = 0;

    for (int i = 0; i == 0 || i + SLIDE_LINES <= c.n; i++) {
        struct code part = part_of(&c, i, SLIDE_LINES);
        int n = count(&part, "+-");

        first = n > most ? i : first;
        most = n > most ? n : most;
        last = n == most ? i : last;
        kernel = strstr(c.line[i].text, "__global__") ? i : kernel;
    }
    return part_of(&c, most > 0 ? (first + last) / 2 : kernel, SLIDE_LINES);
}

static char *fenced(const struct code *c, int signs)
{
    char *text = text_of("```%s\n", signs ? "diff" : "cpp");
    size_t outdent = 1000;

    for (int i = 0; i < c->n; i++) {
        size_t indent = strspn(c->line[i].text, " ");

        outdent = c->line[i].text[0] != '#' && indent < outdent ? indent : outdent;
    }
    for (int i = 0; i < c->n; i++) {
        size_t indent = strspn(c->line[i].text, " ");

        text = text_of("%s%.*s%s\n", text, signs ? 2 : 0, (char[]){ c->line[i].sign, ' ', '\0' },
                       c->line[i].text + (indent < outdent ? indent : outdent));
    }
    return text_of("%s```\n", text);
}

char *slide_code(const char *before, const char *after, const char *signs, const char *from,
                 int lines)
{
    struct code new = code_of(after), old = before[0] ? code_of(before) : new;
    struct code all = merged(&old, &new), part = { 0 };

    all = strchr(signs, '-') ? all : without_old(&all);
    for (int i = 0; from && !part.n && i < all.n; i++)
        if (all.line[i].sign != '-' && strstr(all.line[i].text, from)) {
            while (i && all.line[i].sign != ' ' && all.line[i - 1].sign == '-')   // replaced
                i--;
            part = part_of(&all, i, lines);
        }
    part = from ? part : chosen(&all);
    return part.n ? fenced(&part, before[0]) : NULL;
}

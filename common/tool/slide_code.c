#define _GNU_SOURCE   // strsep
#include "slide_code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

static void add(struct code *c, const char *sign, const char *text)
{
    c->line = grown(c->line, c->n, sizeof *c->line);
    c->line[c->n++] = (struct code_line){ sign, text, 0 };
}

// A line without its comment and the blanks at its end.
static char *without_comment(const char *line)
{
    const char *comment = strstr(line, "//");
    size_t n = comment ? (size_t)(comment - line) : strlen(line);

    while (n && isspace((unsigned char)line[n - 1]))
        n--;
    return text_of("%.*s", (int)n, line);
}

// Whether this definition is of a kernel or of what kernels use.
static int is_kernel(const struct code *c)
{
    static const char *const data[] = { "#define ", "struct ", "const", "enum " };

    for (int i = 0; i < c->n; i++)
        if (strstr(c->line[i].text, "__global__") || strstr(c->line[i].text, "__device__"))
            return 1;
    for (size_t i = 0; i < sizeof data / sizeof *data; i++)
        if (strncmp(c->line[0].text, data[i], strlen(data[i])) == 0)
            return 1;
    return 0;
}

// Adds the lines of one definition to those that are wanted.
static void take_definition(struct code *to, struct code *definition, int kernel)
{
    if (definition->n && is_kernel(definition) == kernel)
        for (int i = 0; i < definition->n; i++)
            add(to, definition->line[i].sign, definition->line[i].text);
    definition->n = 0;
}

// Whether the last line ends its definition: a directive, or what closes all braces.
static int ends_definition(const struct code *c)
{
    const char *last = c->line[c->n - 1].text;
    char end = last[strlen(last) - 1];
    int depth = 0;

    if (c->line[0].text[0] == '#')
        return end != '\\';
    for (int i = 0; i < c->n; i++)
        for (const char *s = c->line[i].text; *s; s++)
            depth += (*s == '{') - (*s == '}');
    return depth == 0 && (end == ';' || end == '}');
}

// Adds a line, or appends it to the one before if that has an open parenthesis.
static void add_statement(struct code *c, const char *line)
{
    const char *before = c->n ? c->line[c->n - 1].text : "", *s;
    int depth = 0;

    for (s = before; *s; s++)
        depth += (*s == '(') - (*s == ')');
    if (depth > 0)
        c->line[c->n - 1].text =
            text_of("%s%s%s", before, s[-1] == '(' ? "" : " ", line + strspn(line, " "));
    else
        add(c, " ", line);
}

// The lines of the kernel, or those of the rest of the code.
static struct code code_of(const char *path, int kernel)
{
    struct code all = { 0 }, definition = { 0 };
    char *text = read_text(path), *raw;

    while ((raw = strsep(&text, "\n"))) {
        char *line = without_comment(raw);

        if (!line[0])
            continue;
        add_statement(&definition, line);
        if (ends_definition(&definition))
            take_definition(&all, &definition, kernel);
    }
    take_definition(&all, &definition, kernel);
    return all;
}

struct code kernel_of(const char *path) { return code_of(path, 1); }

static int same(const char *a, const char *b)   // but for indentation
{
    return strcmp(a + strspn(a, " "), b + strspn(b, " ")) == 0;
}

// The length of the longest common subsequence of a from i on and of b from k on, for all i and k.
static int *common_lengths(const struct code *a, const struct code *b)
{
    int w = b->n + 1, *length = must_calloc((size_t)(a->n + 1) * w, sizeof *length);

    for (int i = a->n - 1; i >= 0; i--)
        for (int k = b->n - 1; k >= 0; k--) {
            int down = length[(i + 1) * w + k], right = length[i * w + k + 1];

            length[i * w + k] = same(a->line[i].text, b->line[k].text)
                                  ? 1 + length[(i + 1) * w + k + 1]
                              : down > right ? down
                                             : right;
        }
    return length;
}

// Removes the indentation that the lines from `first` on share.
static void outdent(struct code *c, int first)
{
    size_t least = 1000;

    for (int i = first; i < c->n; i++) {
        size_t n = strspn(c->line[i].text, " ");

        least = n < least ? n : least;
    }
    for (int i = first; i < c->n; i++)
        c->line[i].text += least;
}

static struct code differences(const struct code *a, const struct code *b)
{
    struct code changes = { 0 };
    int w = b->n + 1, *length = common_lengths(a, b), i = 0, k = 0;

    while (i < a->n || k < b->n) {
        int first = changes.n;

        while (i < a->n && k < b->n && same(a->line[i].text, b->line[k].text))
            i++, k++;
        if (i == a->n && k == b->n)
            break;
        if (first)
            add(&changes, "", "");
        first = changes.n;
        // Old lines come first. A line of both ends the run.
        for (; i < a->n && (k == b->n || length[(i + 1) * w + k] == length[i * w + k]); i++)
            add(&changes, "-", a->line[i].text);
        for (; k < b->n && (i == a->n || length[i * w + k + 1] == length[i * w + k]); k++)
            add(&changes, "+", b->line[k].text);
        outdent(&changes, first);
    }
    free(length);
    return changes;
}

struct code changes_of(const char *before, const char *after)
{
    struct code changes = { 0 };

    for (int kernel = 1; kernel >= 0 && !changes.n; kernel--) {
        struct code a = code_of(before, kernel), b = code_of(after, kernel);

        changes = differences(&a, &b);
    }
    return changes;
}

struct code code_with(const struct code *c, const char *sign)
{
    struct code some = { 0 };

    for (int i = 0; i < c->n; i++)
        if (strcmp(c->line[i].sign, sign) == 0)
            add(&some, sign, c->line[i].text);
        else if (some.n && some.line[some.n - 1].sign[0])
            add(&some, "", "");
    return some;
}

struct code code_of_text(const char *text)
{
    struct code c = { 0 };
    char *rest = text_of("%s", text), *line;

    while ((line = strsep(&rest, "\n")))
        if (line[0] || rest)
            add(&c, " ", line);
    return c;
}

// The length of the first part of a line: up to the last blank that is not of its indentation.
static size_t part_length(const char *line, size_t most)
{
    size_t indent = strspn(line, " "), n = strlen(line);

    if (n > most)
        for (n = most; n > indent && line[n] != ' ';)
            n--;
    return n > indent ? n : most;
}

struct code code_wrapped(const struct code *c, size_t most)
{
    struct code wrapped = { 0 };

    for (int i = 0; i < c->n; i++) {
        const char *line = c->line[i].text;
        size_t indent = strspn(line, " ") + 8;

        add(&wrapped, c->line[i].sign, line);
        while (strlen(line) > most) {
            size_t n = part_length(line, most);

            wrapped.line[wrapped.n - 1].text = text_of("%.*s", (int)n, line);
            line = text_of("%*s%s", (int)indent, "", line + n + strspn(line + n, " "));
            add(&wrapped, c->line[i].sign, line);
            wrapped.line[wrapped.n - 1].continues = 1;
        }
    }
    return wrapped;
}

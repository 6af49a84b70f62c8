// ladder machine [--spread] PATTERN...: the numbers of `make machine` whose names match one of the
// patterns, as a table in Markdown: a column per recorded GPU, common/machine/NAME.tsv, then what
// the data sheet says, and the ratio of the first GPU that has the number to it.
#include "book.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME, VALUE, UNIT, P10, P90, FORMULA, FORMULA_VALUE, RATIO, FIELDS };

struct number {
    char *field[FIELDS];
};

struct gpu {
    const char *name;   // "H200"
    struct number *number;
    int n;
};

static struct gpu read_gpu(const char *path)
{
    struct gpu g = { .name = stem_of(path) };
    char *text = read_text(path), *line;

    for (char *c = (char *)g.name; *c; c++)
        *c = toupper((unsigned char)*c);
    while ((line = strsep(&text, "\n"))) {
        struct number x;
        int i = 0;

        if (line[0] == '#' || !line[0] || strncmp(line, "name\t", 5) == 0)
            continue;
        while (i < FIELDS && (x.field[i] = strsep(&line, "\t")))
            i++;
        if (i < FIELDS)
            fail("%s: %s: expected %d columns", path, x.field[NAME], FIELDS);
        g.number = grown(g.number, g.n, sizeof x);
        g.number[g.n++] = x;
    }
    return g;
}

static const struct number *number_of(const struct gpu *g, const char *name)
{
    for (int i = 0; i < g->n; i++)
        if (same(g->number[i].field[NAME], name))
            return &g->number[i];
    return NULL;
}

const char *machine_value(const char *gpu, const char *name)
{
    const char *path = text_of("%s/common/machine/%s.tsv", root_folder(), gpu);
    struct gpu g;
    const struct number *x;

    if (access(path, R_OK) != 0)
        return NULL;
    g = read_gpu(path);
    x = number_of(&g, name);
    return x ? x->field[VALUE] : NULL;
}

static const char *rounded(const char *text)
{
    double x = atof(text);

    return fabs(x) >= 1000 ? text_of("%.0f", x) : text_of("%.4g", x);
}

// The value; with its 10th and 90th percentiles, if they are apart or always.
static const char *cell(const struct number *x, int spread)
{
    double p10, p90;

    if (!x)
        return "-";
    p10 = atof(x->field[P10]), p90 = atof(x->field[P90]);
    if (!spread && p90 - p10 <= 0.1 * fabs(atof(x->field[VALUE])))
        return rounded(x->field[VALUE]);
    return text_of("%s (%s to %s)", rounded(x->field[VALUE]), rounded(x->field[P10]),
                   rounded(x->field[P90]));
}

static void add_row(struct listing *c, const struct gpu *gpus, int n, const char *name, int spread)
{
    const struct number *first = NULL;
    const char *cells = "";

    for (int i = 0; i < n && !first; i++)
        first = number_of(&gpus[i], name);
    for (int i = 0; i < n; i++)
        cells = text_of("%s%s\t", cells, cell(number_of(&gpus[i], name), spread));
    listing_add(c, "`%s`\t%s%s\t%s\t%s", name, cells, first->field[UNIT],
                first->field[FORMULA_VALUE][0] ? rounded(first->field[FORMULA_VALUE]) : "",
                first->field[RATIO]);
}

// The table with the most numbers: it has those of the others.
static const struct gpu *most_numbers(const struct gpu *gpus, int n)
{
    const struct gpu *most = gpus;

    for (int i = 1; i < n; i++)
        if (gpus[i].n > most->n)
            most = &gpus[i];
    return most;
}

enum status command_machine(struct arguments a)
{
    int spread = take_flag(&a, "--spread"), n = 0;
    struct arguments files = files_like(text_of("%s/common/machine", root_folder()), "*.tsv");
    struct gpu *gpus = must_calloc(files.n + 1, sizeof *gpus);
    struct listing c = { 0 };
    const struct gpu *most;
    const char *heads = "";

    no_options(&a);
    if (!a.n)
        fail("machine: expected PATTERN..., for example ladder machine '^launch'");
    for (int i = 0; i < files.n; i++) {
        if (strstr(files.word[i], "/datasheets.tsv"))
            continue;
        gpus[n] = read_gpu(files.word[i]);
        heads = text_of("%s%s\t", heads, gpus[n++].name);
    }
    if (!n)
        fail("machine: no table is recorded in common/machine");
    listing_add(&c, "number\t%sunit\tdata sheet\tratio", heads);
    most = most_numbers(gpus, n);
    for (int i = 0; i < most->n; i++)
        for (int k = 0; k < a.n; k++)
            if (matches(most->number[i].field[NAME], a.word[k])) {
                add_row(&c, gpus, n, most->number[i].field[NAME], spread);
                break;
            }
    if (c.n == 1)
        fail("machine: no number matches");
    listing_markdown(&c, text_of("-%.*s-r", n, "rrrrrrrrrrrrrrrr"), stdout);
    return STATUS_OK;
}

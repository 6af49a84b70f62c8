#define _GNU_SOURCE   // strsep
#include "launches.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs.h"

enum { ID, KERNEL, BLOCK, GRID, METRIC, VALUE, FIELDS, MOST_FIELDS = 64 };

static const char *const title[FIELDS] = { "ID",        "Kernel Name", "Block Size",
                                           "Grid Size", "Metric Name", "Metric Value" };

// "(1,024, 1, 1)" as 1024x1x1: a comma before a blank separates.
static const char *shape_of(const char *text)
{
    char *copy = text_of("%s", text), *to = copy;

    for (; *text; text++)
        if (isdigit((unsigned char)*text))
            *to++ = *text;
        else if (text[0] == ',' && text[1] == ' ')
            *to++ = 'x';
    *to = '\0';
    return copy;
}

static double number_of(const char *text)
{
    char *copy = text_of("%s", text), *to = copy;

    for (; *text; text++)
        if (*text != ',')
            *to++ = *text;
    *to = '\0';
    return isdigit((unsigned char)copy[0]) ? atof(copy) : NAN;
}

static void take_line(struct measured_launches *all, char *field[], const int at[FIELDS])
{
    struct measured_launch *l = all->n ? &all->of[all->n - 1] : NULL;

    if (!l || !same(l->id, field[at[ID]])) {
        all->of = grown(all->of, all->n, sizeof *all->of);
        l = &all->of[all->n++];
        *l = (struct measured_launch){ .id = text_of("%s", field[at[ID]]),
                                       .kernel = text_of("%s", field[at[KERNEL]]),
                                       .grid = shape_of(field[at[GRID]]),
                                       .block = shape_of(field[at[BLOCK]]) };
    }
    l->of = grown(l->of, l->n, sizeof *l->of);
    l->of[l->n++] =
        (struct measured_metric){ text_of("%s", field[at[METRIC]]), number_of(field[at[VALUE]]) };
}

struct measured_launches launches_of(const char *csv)
{
    struct measured_launches all = { 0 };
    char *text = text_of("%s", csv), *line, *field[MOST_FIELDS];
    int at[FIELDS], columns = 0, n;

    while ((line = strsep(&text, "\n"))) {
        if (line[0] != '"')
            continue;
        n = ncu_split(line, field, MOST_FIELDS);
        for (int f = 0; f < FIELDS && !columns; f++) {
            for (at[f] = 0; at[f] < n && !same(field[at[f]], title[f]);)
                at[f]++;
            if (at[f] == n)
                break;
            if (f == FIELDS - 1)
                columns = -n;
        }
        if (columns < 0)   // the titles
            columns = -columns;
        else if (columns && n == columns)
            take_line(&all, field, at);
    }
    return all;
}

double launch_value(const struct measured_launch *l, const char *metric)
{
    for (int i = 0; i < l->n; i++)
        if (same(l->of[i].name, metric))
            return l->of[i].value;
    return NAN;
}

const char *said(const char *command)
{
    int failed;
    char *text = output_of(command, &failed);

    return failed ? "unknown" : on_one_line(trimmed(text));
}

const char *gpu_said(const char *field)
{
    return said(
        text_of("nvidia-smi --query-gpu=%s --format=csv,noheader 2>/dev/null", shell_word(field)));
}

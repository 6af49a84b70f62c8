// The map of two knobs.
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 32 };

// The values of a knob, in ascending order.
struct values {
    const char *knob;   // "": no knob, a single value
    const char *word[MOST_VALUES];
    int n;
};

struct map {
    const char *stage;
    struct values x, y;
    double largest, best;
    int counted;   // 1: counts, less is better
};

// The value of a knob: of "TILE=16 ROWS=4", ROWS is "4".
static const char *knob_value(const char *knobs, const char *knob)
{
    const char *value = knob[0] ? word_value(knobs, knob) : NULL;

    return value ? value : "";
}

// The index of a row's value among the knob's values; adds it if it is new.
static int place_of(struct values *v, const struct row *r)
{
    const char *word = knob_value(r->knobs, v->knob);
    int at = 0;

    for (int i = 0; i < v->n; i++)
        if (strcmp(v->word[i], word) == 0)
            return i;
    if (v->n == MOST_VALUES)
        return 0;
    while (at < v->n && strtod(v->word[at], NULL) <= strtod(word, NULL))
        at++;
    memmove(&v->word[at + 1], &v->word[at], (v->n++ - at) * sizeof *v->word);
    v->word[at] = word;
    return at;
}

static int is_cell(const struct map *m, const struct row *r)
{
    return strcmp(r->stage, m->stage) == 0 && knob_value(r->knobs, m->x.knob)[0] &&
           (!m->y.knob[0] || knob_value(r->knobs, m->y.knob)[0]);
}

// Chooses the stage with most rows, and the knobs of its first usable row. Returns whether there is
// one.
static int choose_map(struct map *m, const struct view *v)
{
    const struct row *first = NULL;
    int most = 0;

    for (int i = 0; i < v->found.stages; i++) {
        const struct row *usable = NULL;
        int n = 0;

        for (int r = 0; r < v->found.n; r++)
            if (strcmp(v->found.row[r]->stage, v->found.stage[i]) == 0) {
                usable = usable || !view_usable(v, v->found.row[r]) ? usable : v->found.row[r];
                n++;
            }
        if (n > most)
            most = n, first = usable, m->stage = v->found.stage[i];
    }
    if (first) {
        const char *second = strchr(first->knobs, ' ') ? strchr(first->knobs, ' ') + 1 : "";

        m->x.knob = text_of("%.*s", (int)strcspn(first->knobs, "="), first->knobs);
        m->y.knob = text_of("%.*s", (int)strcspn(second, "="), second);
    }
    return first != NULL;
}

static double cell_value(const struct view *v, const struct row *r, const char *expression)
{
    return view_usable(v, r) ? view_value(v, r, expression) : NAN;
}

// Prints the cells with a value, those that failed, and the best.
static void print_cells(struct sheet *s, struct map *m, const struct view *v,
                        const char *expression)
{
    block_begin(s, "cells", "x, y, value, text, share of the largest value");
    for (int r = 0; r < v->found.n; r++) {
        double value = cell_value(v, v->found.row[r], expression);

        if (is_cell(m, v->found.row[r]) && !isnan(value))
            fprintf(s->data, "%d %d %.6g %s %.3f\n", place_of(&m->x, v->found.row[r]),
                    place_of(&m->y, v->found.row[r]), value,
                    field(m->counted ? short_number(value) : readable(value, v->found.unit)),
                    value / m->largest);
    }
    block_begin(s, "failed", "x, y, why");
    for (int r = 0; r < v->found.n; r++)
        if (is_cell(m, v->found.row[r]) && isnan(cell_value(v, v->found.row[r], expression)))
            fprintf(s->data, "%d %d %s\n", place_of(&m->x, v->found.row[r]),
                    place_of(&m->y, v->found.row[r]), field(fault_text(v, v->found.row[r])));
    block_begin(s, "best", "x, y");
    for (int r = 0; r < v->found.n; r++)
        if (is_cell(m, v->found.row[r]) && cell_value(v, v->found.row[r], expression) == m->best)
            fprintf(s->data, "%d %d\n", place_of(&m->x, v->found.row[r]),
                    place_of(&m->y, v->found.row[r]));
}

// "'16' 0, '32' 1": for gnuplot's set xtics.
static const char *tics_of(const struct values *values)
{
    const char *tics = "";

    for (int i = 0; i < values->n; i++)
        tics = text_of("%s%s\"%s\" %d", tics, i ? ", " : "", values->word[i], i);
    return tics;
}

const char *draw_map(struct sheet *s, struct view *v)
{
    struct map m = { .stage = "", .counted = strcmp(v->query.mode, "count") == 0 };
    const char *column = v->query.column ? v->query.column : "shared_wavefronts";
    const char *expression = m.counted ? column : view_quantity(v, 0).expression;

    if (!choose_map(&m, v))
        return text_of("%s: no row with knobs is ok", m.stage);
    m.best = m.counted ? INFINITY : 0;
    for (int r = 0; r < v->found.n; r++)
        if (is_cell(&m, v->found.row[r])) {
            double value = cell_value(v, v->found.row[r], expression);

            place_of(&m.x, v->found.row[r]), place_of(&m.y, v->found.row[r]);
            m.largest = fmax(m.largest, value);
            m.best = m.counted ? fmin(m.best, value) : fmax(m.best, value);
        }
    print_cells(s, &m, v, expression);
    sheet_text(s, "xnames", tics_of(&m.x)), sheet_text(s, "ynames", tics_of(&m.y));
    sheet_number(s, "columns", m.x.n), sheet_number(s, "rows", m.y.n);
    sheet_text(s, "xtitle", m.x.knob), sheet_text(s, "ytitle", m.y.knob);
    v->labels.what =
        text_of("%s of %s by %s%s%s", m.counted ? column : "rate", stage_label(v, m.stage),
                m.x.knob, m.y.knob[0] ? " and " : "", m.y.knob);
    return NULL;
}

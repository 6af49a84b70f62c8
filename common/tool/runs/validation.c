#define _GNU_SOURCE   // strsep
#include "validation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "folders.h"
#include "stats.h"

enum { FIELDS = sizeof(struct validated) / sizeof(char *) };

static const char *const field_name[FIELDS] = {
#define NAME(name) #name,
    VALIDATED(NAME)
#undef NAME
};

const char *const half_word[BOTH_HALVES + 1] = { "", "tuned", "held out", "both" };

int half_of(const char *word)
{
    for (int h = TUNED; h <= BOTH_HALVES; h++)
        if (same(half_word[h], word))
            return h;
    return 0;
}

// --- the file

static const char **fields_of(struct validated *row) { return (const char **)row; }

// Where the fields are in the lines of a table; -1: nowhere, as in a table of an older version.
struct columns {
    int field[2 * FIELDS], n;
};

static int column_of_field(const char *name)
{
    for (int i = 0; i < FIELDS; i++)
        if (same(field_name[i], name))
            return i;
    return -1;
}

static void take_head(struct columns *c, char *line)
{
    for (char *cell; c->n < 2 * FIELDS && (cell = strsep(&line, "\t"));)
        c->field[c->n++] = column_of_field(cell);
}

static void take_line(struct validation *v, const struct columns *c, const char *path, char *line)
{
    struct validated row;
    int i = 0;

    for (int k = 0; k < FIELDS; k++)
        fields_of(&row)[k] = "";
    for (char *cell; i < c->n && (cell = strsep(&line, "\t")); i++)
        if (c->field[i] >= 0)
            fields_of(&row)[c->field[i]] = cell;
    if (i < c->n || line)
        fail("%s: expected %d columns: make validate writes it again", path, c->n);
    v->row = grown(v->row, v->n, sizeof row);
    v->row[v->n++] = row;
}

static struct validation read_one(const char *path)
{
    struct validation v = { .gpu = stem_of(path) };
    struct columns columns = { .n = 0 };
    char *text = read_text(path), *line;
    struct note note;

    while ((line = strsep(&text, "\n")))
        if (line[0] != '#') {
            if (line[0] && columns.n)
                take_line(&v, &columns, path, line);
            else if (line[0])
                take_head(&columns, line);
        } else if (note_split(line, &note)) {
            v.note = grown(v.note, v.n_notes, sizeof note);
            v.note[v.n_notes++] = note;
        }
    return v;
}

static const char *folder(int estimated)
{
    return text_of("%s/plots/data/%s", root_folder(), estimated ? "estimated" : "model");
}

struct validation *validations_read(const char *gpu, int estimated, int *n)
{
    struct files found = files_in(folder(estimated), text_of("%s.tsv", gpu ? gpu : "*"));
    struct validation *all = must_calloc(found.n + 1, sizeof *all);

    for (size_t i = 0; i < found.n; i++)
        all[i] = read_one(found.path[i]), all[i].estimated = estimated;
    *n = (int)found.n;
    return all;
}

void validation_save(const struct validation *v)
{
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    for (int i = 0; i < v->n_notes; i++)
        fprintf(out, "# %s: %s\n", v->note[i].word, v->note[i].text);
    for (int i = 0; i < FIELDS; i++)
        fprintf(out, "%s%s", i ? "\t" : "", field_name[i]);
    for (int r = 0; r < v->n; r++)
        for (int i = 0; i < FIELDS; i++)
            fprintf(out, "%c%s", i ? '\t' : '\n', fields_of(&v->row[r])[i]);
    fputc('\n', out);
    fclose(out);
    write_if_changed(text_of("%s/%s.tsv", folder(v->estimated), v->gpu), text);
}

double validated_number(const char *field) { return field[0] ? atof(field) : NAN; }

// --- rows

static int is_of(const struct validated *r, const char *week, int halves)
{
    return (!week || same(r->week, week)) && (half_of(r->half) & halves) && !r->variant[0];
}

int is_long(const struct validated *r)
{
    return !r->variant[0] && validated_number(r->recorded_us) >= SHORT_US;
}

// |log(model / recorded)|
static double log_error(const char *model, const char *recorded)
{
    double e = fabs(log(validated_number(model) / validated_number(recorded)));

    return isfinite(e) ? e : log(NO_TIME);
}

static int is_within(double log_error, double factor) { return log_error <= log(factor); }

// --- errors of stages

static int by_stage(const void *a, const void *b)
{
    const struct validated *x = *(struct validated *const *)a, *y = *(struct validated *const *)b;
    int weeks = strcmp(x->week, y->week);

    return weeks ? weeks : stage_number(x->stage) - stage_number(y->stage);
}

static struct stage_error error_of(const struct validated **row, int n)
{
    double *error = must_calloc(n, sizeof *error), *ratio = must_calloc(n, sizeof *ratio);

    for (int i = 0; i < n; i++) {
        error[i] = log_error(row[i]->model_us, row[i]->recorded_us);
        ratio[i] = validated_number(row[i]->model_us) / validated_number(row[i]->recorded_us);
    }
    return (struct stage_error){ row[0], exp(median_of(error, n)) - 1, median_of(ratio, n), n };
}

struct stage_errors stage_errors(const struct validation *v, const char *week, int halves)
{
    const struct validated **row = must_calloc(v->n + 1, sizeof *row);
    struct stage_errors e = { .of = must_calloc(v->n + 1, sizeof *e.of) };
    double *all = must_calloc(v->n + 1, sizeof *all);
    int n = 0;

    for (int i = 0; i < v->n; i++) {
        struct validated *r = &v->row[i];

        if (!is_long(r) || !is_of(r, week, halves))
            continue;
        row[n++] = r;
        e.rows_within += is_within(log_error(r->model_us, r->recorded_us), 1.25);
        e.bounds_within += is_within(log_error(r->bound_us, r->recorded_us), 1.25);
    }
    e.rows = n;
    qsort(row, n, sizeof *row, by_stage);
    for (int first = 0, last; first < n; first = last) {
        for (last = first + 1; last < n && !by_stage(&row[first], &row[last]);)
            last++;
        e.of[e.n] = error_of(row + first, last - first);
        e.within += e.of[e.n].error <= 0.25;
        all[e.n] = e.of[e.n].error;
        e.n++;
    }
    e.median = median_of(all, e.n);
    return e;
}

// --- short calls

struct short_calls short_calls(const struct validation *v, const char *week, int halves)
{
    struct short_calls s = { 0 };
    double *all = must_calloc(v->n + 1, sizeof *all);

    for (int i = 0; i < v->n; i++) {
        const struct validated *r = &v->row[i];
        double recorded = validated_number(r->recorded_graph_us), off;

        if (!is_of(r, week, halves) || !(validated_number(r->recorded_us) < SHORT_US) ||
            isnan(recorded))
            continue;
        off = fabs(validated_number(r->model_graph_us) - recorded);
        all[s.n++] = isnan(off) ? NO_TIME : off;
        s.within += off <= fmax(1, 0.2 * recorded);
    }
    s.median_us = median_of(all, s.n);
    return s;
}

// --- steps

// The row of the next stage of the ladder at the same size; NULL: this is the last one.
static const struct validated *next_stage(const struct validation *v, const struct validated *r)
{
    const struct validated *next = NULL;

    for (int i = 0; i < v->n; i++) {
        const struct validated *s = &v->row[i];

        if (is_long(s) && same(s->week, r->week) && same(s->size, r->size) &&
            same(s->type, r->type) && stage_number(s->stage) > stage_number(r->stage) &&
            (!next || stage_number(s->stage) < stage_number(next->stage)))
            next = s;
    }
    return next;
}

struct steps steps_of(const struct validation *v, const char *week, int halves)
{
    struct steps s = { 0 };

    for (int i = 0; i < v->n; i++) {
        const struct validated *a = &v->row[i], *b = is_long(a) ? next_stage(v, a) : NULL;
        double recorded, model;
        int half;

        if (!b || !is_of(a, week, BOTH_HALVES))
            continue;
        half = half_of(a->half) == TUNED && half_of(b->half) == TUNED ? TUNED : HELD_OUT;
        recorded = log(validated_number(a->recorded_us) / validated_number(b->recorded_us));
        model = log(validated_number(a->model_us) / validated_number(b->model_us));
        if (!(half & halves) || is_within(fabs(recorded), 1.1))
            continue;
        s.n++;
        s.right += model * recorded > 0;
        s.within += is_within(fabs(model - recorded), 1.3);
    }
    return s;
}

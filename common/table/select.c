#include "select.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/program.h"
#include "../base/stats.h"

struct size size_of(const char *text)
{
    struct size s = { .product = 1, .equal_sides = 1 };

    for (const char *at = text;; at++) {
        char *end;

        if (s.sides == 3 || !isdigit((unsigned char)*at))
            return (struct size){ 0 };
        s.side[s.sides] = (double)strtoull(at, &end, 10);
        s.product *= s.side[s.sides];
        s.equal_sides &= s.side[s.sides] == s.side[0];
        s.sides++;
        if (*end == '\0')
            break;
        if (*end != 'x')
            return (struct size){ 0 };
        at = end;
    }
    s.mean = s.equal_sides ? s.side[0] : pow(s.product, 1.0 / s.sides);
    return s.product > 0 ? s : (struct size){ 0 };
}

int size_matches(const char *asked, const char *size)
{
    struct size a, b;

    if (strcmp(asked, size) == 0)
        return 1;
    a = size_of(asked), b = size_of(size);
    return a.sides == 1 && b.sides && b.equal_sides && a.side[0] == b.side[0];
}

static int has_all_words(const char *list, const char *of)
{
    for (const char *word; (word = next_word(&of));)
        if (!has_word(list, word))
            return 0;
    return 1;
}

int words_same(const char *a, const char *b)
{
    return strcmp(a, b) == 0 || (has_all_words(a, b) && has_all_words(b, a));
}

int row_is_at(const struct row *row, const struct place *p)
{
    return (!p->mode || strcmp(row->mode, p->mode) == 0) &&
           (!p->size || size_matches(p->size, row->size)) &&
           (!p->type || strcmp(row->type, p->type) == 0) &&
           (!p->knobs || words_same(row->knobs, p->knobs)) &&
           (!p->variant || words_same(row->variant, p->variant));
}

int row_same_key(const struct row *a, const struct row *b)
{
    struct place p = { b->size, b->mode, b->type, b->knobs, b->variant };

    return strcmp(a->stage, b->stage) == 0 && row_is_at(a, &p);
}

// The end of a run, of which `from` is a row.
static size_t end_of_run(const struct table *t, size_t from)
{
    size_t to = from + 1;

    while (to < t->n && t->row[to].run == t->row[from].run)
        to++;
    return to;
}

// Whether the run from row `later` on measured all that the rows from..to measured.
static int run_replaces(const struct table *t, size_t later, size_t from, size_t to)
{
    size_t end = end_of_run(t, later), l;

    for (; from < to; from++) {
        for (l = later; l < end && !row_same_key(&t->row[from], &t->row[l]);)
            l++;
        if (l == end)
            return 0;
    }
    return 1;
}

void table_drop_replaced(struct table *t)
{
    size_t kept = 0;

    for (size_t from = 0, to; from < t->n; from = to) {
        size_t later = to = end_of_run(t, from);

        while (later < t->n &&
               !(row_same_key(&t->row[from], &t->row[later]) && run_replaces(t, later, from, to)))
            later++;
        for (; later == t->n && from < to; from++)
            t->row[kept++] = t->row[from];
    }
    t->n = kept;
}

const struct row *latest_row(const struct table *t, const char *stage, const struct place *p)
{
    for (size_t r = t->n; r-- > 0;)
        if (strcmp(t->row[r].stage, stage) == 0 && row_is_at(&t->row[r], p))
            return &t->row[r];
    return NULL;
}

// Correct rows of one stage or reference at one place.
struct chosen {
    const struct row **row;
    size_t n;
};

// All of them or, with `own`, those of its run.
static struct chosen choose(const struct table *t, const struct row *own, const char *stage,
                            const struct place *p)
{
    struct chosen c = { NULL, 0 };

    for (size_t r = 0; r < t->n; r++)
        if ((!own || t->row[r].run == own->run) && strcmp(t->row[r].stage, stage) == 0 &&
            row_is_ok(&t->row[r]) && row_is_at(&t->row[r], p)) {
            c.row = grown(c.row, c.n, sizeof *c.row);
            c.row[c.n++] = &t->row[r];
        }
    return c;
}

static const struct row *row_beside(const struct table *t, const struct row *own, const char *stage,
                                    const struct place *p)
{
    struct chosen c = choose(t, own, stage, p);
    const struct row *row = c.n ? c.row[c.n - 1] : NULL;

    free(c.row);
    return row;
}

// The rows whose median is the value of a stage or reference. Only those of a reference that was
// not timed with `own` are several.
static struct chosen rows_of_term(const struct table *t, const struct row *own, const char *stage,
                                  const struct place *p)
{
    int is_reference = name_is_reference(stage);
    const struct row *row = !is_reference ? latest_row(t, stage, p)
                          : own           ? row_beside(t, own, stage, p)
                                          : NULL;
    struct chosen one = { NULL, 0 };

    if (is_reference && !row)
        return choose(t, NULL, stage, p);
    if (row && row_is_ok(row)) {
        one.row = grown(NULL, 0, sizeof *one.row);
        one.row[one.n++] = row;
    }
    return one;
}

static double median_over(const struct chosen *c, enum column column)
{
    double *value = must_malloc((c->n + 1) * sizeof *value), median;
    size_t n = 0;

    for (size_t r = 0; r < c->n; r++)
        if (!isnan(row_number(c->row[r], column)))
            value[n++] = row_number(c->row[r], column);
    median = median_of(value, n);
    free(value);
    return median;
}

double value_beside(const struct table *t, const struct row *own, const char *stage,
                    const struct place *p, enum column column)
{
    struct chosen c = rows_of_term(t, own, stage, p);
    double value = median_over(&c, column);

    free(c.row);
    return value;
}

const struct row *row_of_term(const struct table *t, const struct row *own, const char *stage,
                              const struct place *p)
{
    struct chosen c = rows_of_term(t, own, stage, p);
    struct row *medians;

    if (c.n <= 1)
        return c.n ? c.row[0] : NULL;
    medians = must_malloc(sizeof *medians);
    *medians = *c.row[c.n - 1];
    for (enum column column = 0; column < N_COLUMNS; column++)
        if (!isnan(median_over(&c, column)))
            row_set_column(medians, column, "%.17g", median_over(&c, column));
    return medians;
}

double shown_number(const struct table *t, const struct row *row, enum column column)
{
    struct place p = { row->size, row->mode, row->type, row->knobs, row->variant };

    return row_is_reference(row) ? value_beside(t, NULL, row->stage, &p, column)
                                 : row_number(row, column);
}

double rate_share(const struct table *t, const struct row *row, const char *base, int *same_run)
{
    struct place p = { row->size, row->mode, row->type, "", row->variant };
    int is_reference = row_is_reference(row);
    struct chosen of = { NULL, 0 };
    double *share, median;
    size_t n = 0;

    *same_run = 0;
    if (!row_is_ok(row))
        return NAN;
    // the share of a reference is the median over the runs that have both
    of = is_reference ? choose(t, NULL, row->stage, &p) : (struct chosen){ &row, 1 };
    share = must_malloc((of.n + 1) * sizeof *share);
    for (size_t r = 0; r < of.n; r++) {
        const struct row *beside =
            strcmp(base, row->stage) == 0 ? of.row[r] : row_beside(t, of.row[r], base, &p);

        if (beside)
            share[n++] = row_number(of.row[r], COLUMN_rate) / row_number(beside, COLUMN_rate);
    }
    median = median_of(share, n);
    free(share);
    *same_run = !isnan(median);
    if (*same_run)
        return median;
    return (is_reference ? median_over(&of, COLUMN_rate) : row_number(row, COLUMN_rate)) /
           value_beside(t, NULL, base, &p, COLUMN_rate);
}

int word_is_knob(const char *word)
{
    size_t n = strcspn(word, "=");

    for (size_t i = 0; i < n; i++)
        if (islower((unsigned char)word[i]))
            return 0;
    return isupper((unsigned char)word[0]) && word[n] == '=';
}

// The number after the prefix, or -1.
static int number_after(const char *prefix, const char *word)
{
    size_t length = strlen(prefix);
    char *end;
    long n;

    if (strncmp(word, prefix, length) != 0 || !isdigit((unsigned char)word[length]))
        return -1;
    n = strtol(word + length, &end, 10);
    return *end ? -1 : (int)n;
}

int stage_number(const char *stage) { return number_after("stage", stage); }
int exercise_number(const char *key) { return number_after("exercise", key); }

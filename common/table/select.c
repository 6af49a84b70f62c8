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

// Whether a row has the same key as one from row `later` on.
static int is_made_again(const struct table *t, const struct row *row, size_t later)
{
    while (later < t->n && !row_same_key(row, &t->row[later]))
        later++;
    return later < t->n;
}

void table_drop_replaced(struct table *t)
{
    size_t kept = 0;

    for (size_t from = 0, to; from < t->n; from = to) {
        int again = 1;

        for (to = from; to < t->n && t->row[to].run == t->row[from].run;)
            to++;
        for (size_t r = from; r < to; r++)
            again &= is_made_again(t, &t->row[r], to);
        for (size_t r = from; r < to && !again; r++)
            t->row[kept++] = t->row[r];
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

void rows_add(struct rows *rows, const struct row *row)
{
    rows->row = grown(rows->row, rows->n, sizeof *rows->row);
    rows->row[rows->n++] = row;
}

// The correct rows whose median is the value of a stage or reference: of a stage, only its latest
// row; of a reference, only its row in the run of `own`, or all if that has none.
static struct rows rows_of_term(const struct table *t, const struct row *own, const char *stage,
                                const struct place *p)
{
    int is_reference = name_is_reference(stage);
    struct rows of = { 0 };

    for (size_t r = 0; r < t->n; r++) {
        const struct row *row = &t->row[r];

        if (strcmp(row->stage, stage) != 0 || !row_is_at(row, p))
            continue;
        of.n = is_reference ? of.n : 0;
        if (row_is_ok(row))
            rows_add(&of, row);
    }
    for (size_t i = of.n; own && is_reference && i-- > 0;)
        if (of.row[i]->run == own->run)
            return (struct rows){ &of.row[i], 1 };
    return of;
}

static double median_over(const struct rows *of, enum column column)
{
    double *value = must_malloc((of->n + 1) * sizeof *value), median;
    size_t n = 0;

    for (size_t r = 0; r < of->n; r++)
        if (!isnan(row_number(of->row[r], column)))
            value[n++] = row_number(of->row[r], column);
    median = median_of(value, n);
    free(value);
    return median;
}

double value_beside(const struct table *t, const struct row *own, const char *stage,
                    const struct place *p, enum column column)
{
    struct rows of = rows_of_term(t, own, stage, p);

    return median_over(&of, column);
}

const struct row *row_of_term(const struct table *t, const struct row *own, const char *stage,
                              const struct place *p)
{
    struct rows of = rows_of_term(t, own, stage, p);
    struct row *medians;

    if (of.n <= 1)
        return of.n ? of.row[0] : NULL;
    medians = must_malloc(sizeof *medians);
    *medians = *of.row[of.n - 1];
    for (enum column c = 0; c < N_COLUMNS; c++)
        if (!isnan(median_over(&of, c)))
            row_set_column(medians, c, "%.17g", median_over(&of, c));
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
    struct rows of = { &row, 1 };
    double *share, rate, median;
    size_t n = 0;

    *same_run = 0;
    if (!row_is_ok(row))
        return NAN;
    if (row_is_reference(row))
        of = rows_of_term(t, NULL, row->stage, &p);
    share = must_malloc((of.n + 1) * sizeof *share);
    for (size_t r = 0; r < of.n; r++) {
        const struct row *own = of.row[r];
        struct rows beside = rows_of_term(t, own, base, &p);

        rate = row_number(own, COLUMN_rate);
        if (strcmp(base, own->stage) == 0)
            share[n++] = 1;
        else if (beside.n && beside.row[0]->run == own->run)
            share[n++] = rate / row_number(beside.row[0], COLUMN_rate);
    }
    median = median_of(share, n);
    *same_run = !isnan(median);
    rate = median_over(&of, COLUMN_rate);
    return *same_run ? median : rate / value_beside(t, NULL, base, &p, COLUMN_rate);
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

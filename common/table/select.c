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

const struct row *latest_row(const struct table *t, const char *stage, const struct place *p)
{
    for (size_t r = t->n; r-- > 0;)
        if (strcmp(t->row[r].stage, stage) == 0 && row_is_at(&t->row[r], p))
            return &t->row[r];
    return NULL;
}

static const struct row *row_beside(const struct table *t, const struct row *own, const char *stage,
                                    const struct place *p)
{
    for (size_t r = t->n; own && r-- > 0;)
        if (t->row[r].run == own->run && strcmp(t->row[r].stage, stage) == 0 &&
            row_is_ok(&t->row[r]) && row_is_at(&t->row[r], p))
            return &t->row[r];
    return NULL;
}

static double median_over_rows(const struct table *t, const char *stage, const struct place *p,
                               enum column column)
{
    double *value = must_malloc((t->n + 1) * sizeof *value), median;
    size_t n = 0;

    for (size_t r = 0; r < t->n; r++)
        if (strcmp(t->row[r].stage, stage) == 0 && row_is_ok(&t->row[r]) &&
            row_is_at(&t->row[r], p) && !isnan(row_number(&t->row[r], column)))
            value[n++] = row_number(&t->row[r], column);
    median = median_of(value, n);
    free(value);
    return median;
}

// The one row that stands for a stage or reference. NULL: of a stage, it is not measured; of a
// reference, medians over its rows are used.
static const struct row *one_row(const struct table *t, const struct row *own, const char *stage,
                                 const struct place *p)
{
    const struct row *row =
        name_is_reference(stage) ? row_beside(t, own, stage, p) : latest_row(t, stage, p);

    return row && row_is_ok(row) ? row : NULL;
}

double value_beside(const struct table *t, const struct row *own, const char *stage,
                    const struct place *p, enum column column)
{
    const struct row *row = one_row(t, own, stage, p);

    return row                      ? row_number(row, column)
         : name_is_reference(stage) ? median_over_rows(t, stage, p, column)
                                    : NAN;
}

const struct row *row_of_term(const struct table *t, const struct row *own, const char *stage,
                              const struct place *p)
{
    const struct row *row = one_row(t, own, stage, p);
    struct row *medians;

    if (row || !name_is_reference(stage))
        return row;
    row = latest_row(t, stage, p);
    if (!row)
        return NULL;
    medians = must_malloc(sizeof *medians);
    *medians = *row;
    for (enum column c = 0; c < N_COLUMNS; c++) {
        double median = median_over_rows(t, stage, p, c);

        if (!isnan(median))
            row_set_column(medians, c, "%.17g", median);
    }
    return medians;
}

double shown_number(const struct table *t, const struct row *row, enum column column)
{
    struct place p = { row->size, row->mode, row->type, row->knobs, row->variant };

    return row_is_reference(row) ? median_over_rows(t, row->stage, &p, column)
                                 : row_number(row, column);
}

// The share of a reference: the median over the runs that have both.
static double share_over_runs(const struct table *t, const struct row *row, const char *base,
                              const struct place *p)
{
    double *share = must_malloc((t->n + 1) * sizeof *share), median;
    size_t n = 0;

    for (size_t r = 0; r < t->n; r++) {
        const struct row *other = &t->row[r];
        const struct row *beside;

        if (strcmp(other->stage, row->stage) != 0 || !row_is_ok(other) || !row_is_at(other, p))
            continue;
        beside = strcmp(base, row->stage) == 0 ? other : row_beside(t, other, base, p);
        if (beside)
            share[n++] = row_number(other, COLUMN_rate) / row_number(beside, COLUMN_rate);
    }
    median = median_of(share, n);
    free(share);
    return median;
}

double rate_share(const struct table *t, const struct row *row, const char *base, int *same_run)
{
    struct place p = { row->size, row->mode, row->type, "", row->variant };
    const struct row *beside;
    double share = NAN, rate = row_number(row, COLUMN_rate);

    *same_run = 0;
    if (!row_is_ok(row))
        return NAN;
    if (row_is_reference(row)) {
        share = share_over_runs(t, row, base, &p);
    } else {
        beside = row_beside(t, row, base, &p);
        if (beside)
            share = rate / row_number(beside, COLUMN_rate);
    }
    *same_run = !isnan(share);
    if (row_is_reference(row))
        rate = median_over_rows(t, row->stage, &p, COLUMN_rate);
    return *same_run ? share : rate / value_beside(t, NULL, base, &p, COLUMN_rate);
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

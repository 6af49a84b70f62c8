#include "claims.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problem.h"
#include "row.h"

// One walk over an expression. Parsing and judging are the same walk with other terms.
struct walk {
    const char *at;
    term_fn *term;
    void *context;
    struct claim_result *result;
    char *error;
};

static int failed(const struct walk *w) { return w->error[0] != '\0'; }

static double fail(struct walk *w, const char *what)
{
    if (!failed(w))
        snprintf(w->error, CLAIM_ERROR, *w->at ? "%s at '%.60s'" : "%s at its end", what, w->at);
    return 0;
}

static void blanks(struct walk *w)
{
    while (isspace((unsigned char)*w->at))
        w->at++;
}

// Whether the next character is c; then it is taken.
static int take(struct walk *w, char c)
{
    blanks(w);
    if (*w->at != c)
        return 0;
    w->at++;
    return 1;
}

static size_t word_length(const char *s)
{
    size_t n = 0;

    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return n;
}

static double term(struct walk *w)
{
    char stage[64] = "", column[64];
    size_t n = word_length(w->at);
    double value = 0;
    int known;

    if (w->at[n] == '.') {
        snprintf(stage, sizeof stage, "%.*s", (int)n, w->at);
        w->at += n + 1;
        n = word_length(w->at);
    }
    snprintf(column, sizeof column, "%.*s", (int)n, w->at);
    if (column_index(column) < 0)
        return fail(w, "no such column");
    w->at += n;
    known = w->term(w->context, stage[0] ? stage : NULL, column, &value);
    if (!known && w->result->verdict != NOT_MEASURED) {
        w->result->verdict = NOT_MEASURED;
        strcpy(w->result->stage, stage);
        strcpy(w->result->column, column);
    }
    return value;
}

static double sum(struct walk *w);

static double factor(struct walk *w)
{
    double value;
    char *end;

    blanks(w);
    if (take(w, '-'))
        return -factor(w);
    if (take(w, '(')) {
        value = sum(w);
        return take(w, ')') ? value : fail(w, "')' expected");
    }
    if (isalpha((unsigned char)*w->at))
        return term(w);
    if (!isdigit((unsigned char)*w->at) && *w->at != '.')
        return fail(w, "a number, a column or '(' expected");
    value = strtod(w->at, &end);
    if (end == w->at || isalpha((unsigned char)*end))
        return fail(w, "not a number");
    w->at = end;
    return value;
}

static double product(struct walk *w)
{
    double value = factor(w);

    while (!failed(w)) {
        if (take(w, '*'))
            value *= factor(w);
        else if (take(w, '/'))
            value /= factor(w);
        else
            break;
    }
    return value;
}

static double sum(struct walk *w)
{
    double value = product(w);

    while (!failed(w)) {
        if (take(w, '+'))
            value += product(w);
        else if (take(w, '-'))
            value -= product(w);
        else
            break;
    }
    return value;
}

static int compare(double a, const char *operator, double b)
{
    switch (operator[0]) {
    case '=': return a == b;
    case '!': return a != b;
    case '<': return operator[1] ? a <= b : a < b;
    default: return operator[1] ? a >= b : a > b;
    }
}

static void expression(struct walk *w)
{
    static const char *const operators[] = { "==", "!=", "<=", ">=", "<", ">" };
    const char *operator = NULL;

    w->result->left = sum(w);
    blanks(w);
    for (size_t i = 0; i < sizeof operators / sizeof *operators && !operator; i++)
        if (strncmp(w->at, operators[i], strlen(operators[i])) == 0)
            operator = operators[i];
    if (!operator) {
        fail(w, "one of == != < <= > >= expected");
        return;
    }
    w->at += strlen(operator);
    w->result->right = sum(w);
    blanks(w);
    if (*w->at)
        fail(w, "more than one comparison");
    else if (w->result->verdict != NOT_MEASURED)
        w->result->verdict = compare(w->result->left, operator, w->result->right) ? HOLDS : HOLDS_NOT;
}

static int any_value(void *context, const char *stage, const char *column, double *value)
{
    (void)context, (void)stage, (void)column;
    *value = 1;
    return 1;
}

static int is_gpu(const char *item, int *sm)
{
    char *end;

    if (strncmp(item, "sm_", 3) != 0 || !isdigit((unsigned char)item[3]))
        return 0;
    *sm = (int)strtol(item + 3, &end, 10);
    return *end == '\0';
}

// One of the items between the brackets; n counts them from 0.
static const char *take_item(struct claim *c, int n, const char *item)
{
    int type = type_of_name(item);

    if (n == 0) {
        c->on_cpu = strcmp(item, "cpu") == 0;
        c->mode = c->on_cpu ? "count" : "cold";
        return c->on_cpu || is_gpu(item, &c->sm) ? NULL : "is no device: 'cpu', or a GPU such as 'sm_90'";
    }
    if (n == 1) {
        struct problem p = { .type = c->type, .computes = "" };
        const char *wrong = size_parse(item, c->dim);

        memcpy(p.dim, c->dim, sizeof p.dim);
        return wrong ? "is no size of this week" : problem_limit(&p);
    }
    if (type >= 0)
        c->type = type;
    else if (!c->on_cpu && (strcmp(item, "hot") == 0 || strcmp(item, "cold") == 0))
        c->mode = item[0] == 'h' ? "hot" : "cold";
    else
        return c->on_cpu ? "is no element type of this week" : "is neither 'hot' nor 'cold' nor an element type of this week";
    return NULL;
}

int claim_parse(const char *text, struct claim *c, char error[CLAIM_ERROR])
{
    struct claim_result unused = { 0 };
    struct walk w = { text, any_value, NULL, &unused, error };

    *c = (struct claim) { .type = week.types[0] };
    error[0] = '\0';
    if (!take(&w, '('))
        return fail(&w, "'(' expected"), -1;
    for (int n = 0;; n++) {
        char item[64];
        const char *wrong;
        size_t length;

        blanks(&w);
        length = strcspn(w.at, ",): \t");
        snprintf(item, sizeof item, "%.*s", (int)length, w.at);
        wrong = take_item(c, n, item);
        if (wrong)
            return snprintf(error, CLAIM_ERROR, "'%s' %s", item, wrong), -1;
        w.at += length;
        if (take(&w, ','))
            continue;
        if (!take(&w, ')'))
            return fail(&w, "',' or ')' expected"), -1;
        if (n == 0)
            return snprintf(error, CLAIM_ERROR, "a device and a size expected, as in (cpu, 1024x1024)"), -1;
        break;
    }
    if (!take(&w, ':'))
        return fail(&w, "':' expected"), -1;
    blanks(&w);
    c->said = w.at;
    expression(&w);
    return failed(&w) ? -1 : 0;
}

void claim_judge(const struct claim *c, term_fn *term, void *context, struct claim_result *result)
{
    char error[CLAIM_ERROR] = "";
    struct walk w = { c->said, term, context, result, error };

    *result = (struct claim_result) { 0 };
    expression(&w);
}

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
    const struct problem *problem;   // the claim's
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

// A knob's name has no small letters, an option's has no others.
static int is_knob(const char *word)
{
    size_t n = strcspn(word, "=");

    for (size_t i = 0; i < n; i++)
        if (islower((unsigned char)word[i]))
            return 0;
    return isupper((unsigned char)word[0]) && word[n] == '=';
}

// What is between the brackets that w->at stands at.
static void words(struct walk *w, struct term *t)
{
    memset(t->problem.option, 0, sizeof t->problem.option);
    t->problem.rules[0] = '\0';
    for (w->at++;;) {
        char word[64];
        size_t n;

        blanks(w);
        if (take(w, ']'))
            return;
        n = strcspn(w->at, "] \t");
        snprintf(word, sizeof word, "%.*s", (int)n, w->at);
        if (is_knob(word))
            snprintf(t->knobs + strlen(t->knobs), sizeof t->knobs - strlen(t->knobs), "%s%s",
                     t->knobs[0] ? " " : "", word);
        else if (variant_take(word, &t->problem)) {
            fail(w, "neither an option of this week nor a knob");
            return;
        }
        w->at += n;
    }
}

static double term(struct walk *w)
{
    struct term t = { .problem = *w->problem };
    size_t n = word_length(w->at);
    double value = 0;

    if (w->at[n] == '.' || w->at[n] == '[') {
        snprintf(t.stage, sizeof t.stage, "%.*s", (int)n, w->at);
        w->at += n;
        if (*w->at == '[')
            words(w, &t);
        if (failed(w) || !take(w, '.'))
            return fail(w, "'.' and a column expected");
        n = word_length(w->at);
    }
    snprintf(t.column, sizeof t.column, "%.*s", (int)n, w->at);
    if (column_index(t.column) < 0)
        return fail(w, "no such column");
    w->at += n;
    if (!w->term(w->context, &t, &value) && w->result->verdict != NOT_MEASURED) {
        w->result->verdict = NOT_MEASURED;
        w->result->missing = t;
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
    case '<': return operator[1] ? a <= b : a<b;
    default: return operator[1] ? a >= b : a> b;
    }
}

static void expression(struct walk *w)
{
    static const char *const operators[] = { "==", "!=", "<=", ">=", "<", ">" };
    const char *operator= NULL;

    w->result->left = sum(w);
    blanks(w);
    for (size_t i = 0; i < sizeof operators / sizeof *operators && !operator; i++)
        if (strncmp(w->at, operators[i], strlen(operators[i])) == 0)
            operator= operators[i];
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
        w->result->verdict =
            compare(w->result->left, operator, w->result->right) ? HOLDS : HOLDS_NOT;
}

static int any_value(void *context, const struct term *t, double *value)
{
    (void)context, (void)t;
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
        return c->on_cpu || is_gpu(item, &c->sm) ? NULL
                                                 : "is no device: 'cpu', or a GPU such as 'sm_90'";
    }
    if (n == 1) {
        const char *wrong = size_parse(item, c->problem.dim);

        return wrong ? "is no size of this week" : problem_limit(&c->problem);
    }
    if (type >= 0)
        c->problem.type = type;
    else if (!c->on_cpu && (strcmp(item, "hot") == 0 || strcmp(item, "cold") == 0))
        c->mode = item[0] == 'h' ? "hot" : "cold";
    else if (variant_take(item, &c->problem))
        return c->on_cpu
                 ? "is neither an element type nor an option of this week"
                 : "is neither 'hot' nor 'cold', nor an element type or an option of this week";
    return problem_limit(&c->problem);
}

int claim_parse(const char *text, struct claim *c, char error[CLAIM_ERROR])
{
    struct claim_result unused = { 0 };
    struct walk w = { text, &c->problem, any_value, NULL, &unused, error };

    *c = (struct claim){ .problem = { .type = week.types[0], .computes = "", .arithmetic = "" } };
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
            return snprintf(error, CLAIM_ERROR,
                            "a device and a size expected, as in (cpu, 1024x1024)"),
                 -1;
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
    struct walk w = { c->said, &c->problem, term, context, result, error };

    *result = (struct claim_result){ 0 };
    expression(&w);
}

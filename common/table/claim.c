#include "claim.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "select.h"

enum { DEEPEST = 100 };

// One walk over a condition. Parsing and judging are the same walk, with different values for the
// terms.
struct walk {
    const char *at;
    const struct claim *claim;
    term_value *value;
    void *context;
    struct claim_result result;
    char *error;
};

static int failed(const struct walk *w) { return w->error[0] != '\0'; }

static double fail(struct walk *w, const char *what)
{
    if (!failed(w))
        snprintf(w->error, CLAIM_ERROR, *w->at ? "%s at '%s'" : "%s at its end", what,
                 text_head(w->at, 60));
    return 0;
}

static void skip_blanks(struct walk *w)
{
    while (isspace((unsigned char)*w->at))
        w->at++;
}

// Consumes the next character if it is c. Returns whether it was.
static int take(struct walk *w, char c)
{
    skip_blanks(w);
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

static int add_word(char list[CLAIM_WORDS], const char *word)
{
    size_t n = strlen(list);

    return snprintf(list + n, CLAIM_WORDS - n, "%s%s", n ? " " : "", word) < (int)(CLAIM_WORDS - n);
}

// The words up to "]"; "[" has been consumed.
static void bracket(struct walk *w, struct term *t)
{
    t->variant[0] = '\0';
    while (!take(w, ']')) {
        char word[CLAIM_WORD];
        size_t n = strcspn(w->at, "] \t");

        snprintf(word, sizeof word, "%.*s", (int)n, w->at);
        if (!*w->at || n >= sizeof word ||
            !add_word(word_is_knob(word) ? t->knobs : t->variant, word)) {
            fail(w, "']' expected");
            return;
        }
        w->at += n;
    }
}

static double term(struct walk *w)
{
    struct term t = { .stage = "" };
    size_t n = word_length(w->at);
    char column[CLAIM_WORD];
    int found;
    double value;

    memcpy(t.variant, w->claim->variant, sizeof t.variant);
    if (w->at[n] == '.' || w->at[n] == '[') {
        snprintf(t.stage, sizeof t.stage, "%.*s", (int)n, w->at);
        w->at += n;
        if (take(w, '['))
            bracket(w, &t);
        if (failed(w) || !take(w, '.'))
            return fail(w, "'.' and a column expected");
        n = word_length(w->at);
    }
    snprintf(column, sizeof column, "%.*s", (int)n, w->at);
    found = column_of_name(column);
    if (found < 0)
        return fail(w, "no such column");
    w->at += n;
    t.column = found;
    value = w->value(w->context, &t);
    if (isnan(value) && w->result.verdict != CLAIM_NOT_MEASURED) {
        w->result.verdict = CLAIM_NOT_MEASURED;
        w->result.missing = t;
    }
    return value;
}

static double sum(struct walk *w);

static double factor(struct walk *w)
{
    double value;
    char *end;

    skip_blanks(w);
    if (strspn(w->at, "-( ") > DEEPEST)   // so that the walk does not exhaust the stack
        return fail(w, "too many parentheses");
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

enum { EQUAL, UNEQUAL, AT_MOST, AT_LEAST, BELOW, ABOVE, COMPARISONS };
static const char *const comparison_text[] = { "==", "!=", "<=", ">=", "<", ">" };

static int compare(double a, int comparison, double b)
{
    switch (comparison) {
    case EQUAL: return a == b;
    case UNEQUAL: return a != b;
    case AT_MOST: return a <= b;
    case AT_LEAST: return a >= b;
    case BELOW: return a < b;
    default: return a > b;
    }
}

static void fail_comparison(struct walk *w)
{
    char what[64] = "one of";

    for (int i = 0; i < COMPARISONS; i++)
        strcat(strcat(what, " "), comparison_text[i]);
    fail(w, strcat(what, " expected"));
}

static void condition(struct walk *w)
{
    int comparison = 0;

    w->result.left = sum(w);
    skip_blanks(w);
    while (comparison < COMPARISONS &&
           strncmp(w->at, comparison_text[comparison], strlen(comparison_text[comparison])) != 0)
        comparison++;
    if (comparison == COMPARISONS) {
        fail_comparison(w);
        return;
    }
    w->at += strlen(comparison_text[comparison]);
    w->result.right = sum(w);
    skip_blanks(w);
    if (*w->at)
        fail(w, "the end of the claim expected");
    else if (w->result.verdict != CLAIM_NOT_MEASURED)
        w->result.verdict = compare(w->result.left, comparison, w->result.right)
                              ? CLAIM_HOLDS
                              : CLAIM_DOES_NOT_HOLD;
}

static double any_value(void *context, const struct term *t)
{
    (void)context, (void)t;
    return 1;
}

// Takes item n, from 0, of those in parentheses. Returns what is wrong, or NULL.
static const char *take_item(struct claim *c, int n, const char *item)
{
    char *end;

    if (n == 0) {
        c->on_cpu = strcmp(item, "cpu") == 0;
        c->mode = c->on_cpu ? "count" : "cold";
        if (c->on_cpu || strcmp(item, "gpu") == 0)
            return NULL;
        c->sm = strncmp(item, "sm_", 3) == 0 ? (int)strtol(item + 3, &end, 10) : 0;
        return c->sm > 0 && !*end
                 ? NULL
                 : "is not a device: expected 'cpu', 'gpu' or a GPU, for example 'sm_90'";
    }
    if (n == 1) {
        snprintf(c->size, sizeof c->size, "%s", item);
        return size_of(item).sides ? NULL : "is not a size; expected for example 1024x1024";
    }
    if (!c->on_cpu && (strcmp(item, "hot") == 0 || strcmp(item, "cold") == 0))
        c->mode = item[0] == 'h' ? "hot" : "cold";
    else if (strcmp(item, "uchar") == 0 || strcmp(item, "int") == 0 || strcmp(item, "float") == 0 ||
             strcmp(item, "double") == 0)
        strcpy(c->type, item);
    else if (!islower((unsigned char)item[0]) || !add_word(c->variant, item))
        return "is neither 'hot' nor 'cold', nor an element type or an option of a week";
    return NULL;
}

static int parse_condition(struct walk *w, struct claim *c)
{
    skip_blanks(w);
    c->condition = w->at;
    condition(w);
    return failed(w) ? -1 : 0;
}

int claim_parse(const char *text, struct claim *c, char error[CLAIM_ERROR])
{
    struct walk w = { .at = text, .claim = c, .value = any_value, .error = error };

    *c = (struct claim){ .mode = "" };
    error[0] = '\0';
    if (!take(&w, '('))
        return fail(&w, "'(' expected"), -1;
    for (int n = 0;; n++) {
        char item[CLAIM_WORD];
        const char *wrong;
        size_t length;

        skip_blanks(&w);
        length = strcspn(w.at, ",): \t");
        snprintf(item, sizeof item, "%.*s", (int)length, w.at);
        wrong = length < sizeof item ? take_item(c, n, item) : "is too long";
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
    return parse_condition(&w, c);
}

int claim_parse_condition(const char *text, struct claim *c, char error[CLAIM_ERROR])
{
    struct walk w = { .at = text, .claim = c, .value = any_value, .error = error };

    *c = (struct claim){ .mode = "" };
    error[0] = '\0';
    return parse_condition(&w, c);
}

struct claim_result claim_judge(const struct claim *c, term_value *value, void *context)
{
    char error[CLAIM_ERROR] = "";
    struct walk w = { c->condition, c, value, context, { 0 }, error };

    condition(&w);
    return w.result;
}

struct terms {
    void (*each)(void *context, const struct term *);
    void *context;
};

static double visit(void *context, const struct term *t)
{
    struct terms *terms = context;

    terms->each(terms->context, t);
    return 1;
}

void claim_terms(const struct claim *c, void (*each)(void *context, const struct term *),
                 void *context)
{
    struct terms terms = { each, context };

    claim_judge(c, visit, &terms);
}

const char *claim_options(const struct claim *c, const char *variant)
{
    const char *options = text_of("--size %s%s%s%s", c->size, c->type[0] ? " --type " : "", c->type,
                                  strcmp(c->mode, "hot") ? "" : " --hot");

    for (const char *word; (word = next_word(&variant));) {
        int n = (int)strcspn(word, "=");

        options = text_of("%s --%.*s%s%s", options, n, word, word[n] ? " " : "",
                          word[n] ? word + n + 1 : "");
    }
    return options;
}

// Prints the command that measures the missing term of a claim.
static void print_missing(const struct claim *c, const char *by, const struct term *t)
{
    const char *stage = t->stage[0] ? t->stage : by, *column = column_name[t->column],
               *options = claim_options(c, t->variant);

    if (column_is_counter(t->column) && !c->on_cpu)
        printf("%s is counted by ncu; run: make profile\n", column);
    else if (name_is_reference(stage))
        printf("%s has no %s; run: ./%s %s\n", stage, column, by, options);
    else
        printf("%s has no %s; run: make %s%s%s && ./%s %s\n", stage, column, stage,
               t->knobs[0] ? " " : "", t->knobs, stage, options);
}

void claim_print(const struct claim *c, const char *by, const char *label, int elsewhere,
                 const struct claim_result *r)
{
    static const char *const words[] = { "holds", "does not hold", "not measured yet" };

    printf("  %-16s %s%s (%s%s%s%s%s%s%s): ",
           r->verdict == CLAIM_DOES_NOT_HOLD && elsewhere ? "differs here" : words[r->verdict],
           label, c->condition, c->size, c->type[0] ? ", " : "", c->type, c->on_cpu ? "" : ", ",
           c->on_cpu ? "" : c->mode, c->variant[0] ? ", " : "", c->variant);
    if (r->verdict == CLAIM_NOT_MEASURED)
        print_missing(c, by, &r->missing);
    else
        printf("%.7g, %.7g\n", r->left, r->right);
}

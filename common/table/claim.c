#include "claim.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/folders.h"
#include "../base/program.h"
#include "select.h"

enum { DEEPEST = 100 };   // nested signs and parentheses, so that a walk does not exhaust the stack

// One walk over a condition. Parsing and judging are the same walk, with different values for the
// terms.
struct walk {
    const char *at;
    const struct claim *claim;
    term_span *value;
    void *context;
    struct claim_result result;
    int depth;
    const char *error;   // what is wrong with the text, or NULL
};

static const struct span one = { 1, 1, 1 };

static int is_wrong(const struct walk *w) { return w->error != NULL; }

static struct span syntax_error(struct walk *w, const char *what)
{
    if (!is_wrong(w))
        w->error = *w->at ? text_of("%s at '%s'", what, text_head(w->at, 60))
                          : text_of("%s at its end", what);
    return one;
}

static void skip_blanks(struct walk *w)
{
    while (isspace((unsigned char)*w->at))
        w->at++;
}

static size_t word_length(const char *s)
{
    size_t n = 0;

    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return n;
}

static int word_is(const char *at, size_t n, const char *word)
{
    return strlen(word) == n && strncmp(at, word, n) == 0;
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

static int take_word(struct walk *w, const char *word)
{
    skip_blanks(w);
    if (!word_is(w->at, word_length(w->at), word))
        return 0;
    w->at += strlen(word);
    return 1;
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
            syntax_error(w, "']' expected");
            return;
        }
        w->at += n;
    }
}

// The value of a term. Without one, the claim is not measured.
static struct span value_of_term(struct walk *w, const struct term *t)
{
    struct span value = w->value(w->context, t);

    if (isnan(value.middle) && w->result.verdict != CLAIM_NOT_MEASURED) {
        w->result.verdict = CLAIM_NOT_MEASURED;
        w->result.missing = *t;
    }
    return value;
}

static struct span term(struct walk *w)
{
    struct term t = { .stage = "" };
    size_t n = word_length(w->at);
    char column[CLAIM_WORD];
    int found;

    memcpy(t.variant, w->claim->variant, sizeof t.variant);
    if (w->at[n] == '.' || w->at[n] == '[') {
        snprintf(t.stage, sizeof t.stage, "%.*s", (int)n, w->at);
        w->at += n;
        if (take(w, '['))
            bracket(w, &t);
        if (is_wrong(w) || !take(w, '.'))
            return syntax_error(w, "'.' and a column expected");
        n = word_length(w->at);
    }
    snprintf(column, sizeof column, "%.*s", (int)n, w->at);
    found = column_of_name(column);
    if (found < 0)
        return syntax_error(w, "no such column (build/ladder columns lists them)");
    w->at += n;
    t.column = found;
    return value_of_term(w, &t);
}

static struct span sum(struct walk *w);

static struct span negative(struct span a) { return (struct span){ -a.high, -a.middle, -a.low }; }

static struct span added(struct span a, struct span b)
{
    return (struct span){ a.low + b.low, a.middle + b.middle, a.high + b.high };
}

static struct span multiplied(struct span a, struct span b)
{
    double p = a.low * b.low, q = a.low * b.high, r = a.high * b.low, s = a.high * b.high;

    return (struct span){ fmin(fmin(p, q), fmin(r, s)), a.middle * b.middle,
                          fmax(fmax(p, q), fmax(r, s)) };
}

// A divisor whose span contains 0 counts as exact.
static struct span divided(struct span a, struct span b)
{
    double middle = a.middle / b.middle;
    struct span quotient;

    if (b.low <= 0 && b.high >= 0)
        b.low = b.high = b.middle;
    if (a.low == a.high && b.low == b.high)   // not a.low * (1 / b.high), which is rounded twice
        return (struct span){ middle, middle, middle };
    quotient = multiplied(a, (struct span){ 1 / b.high, 1 / b.middle, 1 / b.low });
    quotient.middle = middle;
    return quotient;
}

static struct span factor(struct walk *w);

static struct span nested(struct walk *w)
{
    struct span value;

    if (w->depth == DEEPEST)
        return syntax_error(w, "too many parentheses");
    w->depth++;
    if (take(w, '-')) {
        value = negative(factor(w));
    } else {
        take(w, '(');
        value = sum(w);
        if (!take(w, ')'))
            syntax_error(w, "')' expected");
    }
    w->depth--;
    return value;
}

// A part of the size of the row that a term without a stage is about.
static struct span size_part(struct walk *w, int part)
{
    return value_of_term(w, &(struct term){ .column = COLUMN_size, .part = part });
}

// fmax and fmin ignore a value that is not known.
static const struct function {
    const char *name;
    double (*of_one)(double), (*of_two)(double, double);
} functions[] = { { "sqrt", sqrt, NULL },   { "log2", log2, NULL }, { "ceil", ceil, NULL },
                  { "floor", floor, NULL }, { "max", NULL, fmax },  { "min", NULL, fmin } };
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static struct span call_function(struct walk *w, const struct function *f)
{
    struct span a = sum(w), b;

    if (f->of_one)
        return (struct span){ f->of_one(a.low), f->of_one(a.middle), f->of_one(a.high) };
    if (!take(w, ','))
        return syntax_error(w, "',' expected");
    b = sum(w);
    return (struct span){ f->of_two(a.low, b.low), f->of_two(a.middle, b.middle),
                          f->of_two(a.high, b.high) };
}

// "sqrt(rate)", "side(2)" or "product"; otherwise a term.
static struct span named_value(struct walk *w)
{
    size_t n = word_length(w->at);
    struct span value = one;
    int i = 0, side;

    if (word_is(w->at, n, "product"))
        return w->at += n, size_part(w, SIZE_PRODUCT);
    if (w->at[n] != '(')
        return term(w);
    while (i < FUNCTIONS && !word_is(w->at, n, functions[i].name))
        i++;
    if (i == FUNCTIONS && !word_is(w->at, n, "side"))
        return syntax_error(
            w, "no such function; there are max, min, sqrt, log2, ceil, floor and side");
    if (w->depth++ == DEEPEST)
        return syntax_error(w, "too many parentheses");
    w->at += n + 1;
    if (i < FUNCTIONS) {
        value = call_function(w, &functions[i]);
    } else {
        skip_blanks(w);
        side = *w->at >= '1' && *w->at <= '3' ? *w->at++ - '0' : 0;
        value =
            side ? size_part(w, side) : syntax_error(w, "the number of a side, 1 to 3, expected");
    }
    w->depth--;
    if (!take(w, ')'))
        syntax_error(w, "')' expected");
    return value;
}

static struct span factor(struct walk *w)
{
    double value;
    char *end;

    skip_blanks(w);
    if (*w->at == '-' || *w->at == '(')
        return nested(w);
    if (isalpha((unsigned char)*w->at))
        return named_value(w);
    if (!isdigit((unsigned char)*w->at) && *w->at != '.')
        return syntax_error(w, "a number, a column or '(' expected");
    value = strtod(w->at, &end);
    if (end == w->at || isalpha((unsigned char)*end))
        return syntax_error(w, "not a number");
    w->at = end;
    return (struct span){ value, value, value };
}

static struct span product(struct walk *w)
{
    struct span value = factor(w);

    while (!is_wrong(w)) {
        if (take(w, '*'))
            value = multiplied(value, factor(w));
        else if (take(w, '/'))
            value = divided(value, factor(w));
        else
            break;
    }
    return value;
}

static struct span sum(struct walk *w)
{
    struct span value = product(w);

    while (!is_wrong(w)) {
        if (take(w, '+'))
            value = added(value, product(w));
        else if (take(w, '-'))
            value = added(value, negative(product(w)));
        else
            break;
    }
    return value;
}

enum { EQUAL, UNEQUAL, AT_MOST, AT_LEAST, BELOW, ABOVE, COMPARISONS };
static const char *const comparison_text[] = { "==", "!=", "<=", ">=", "<", ">" };

static int compares(double a, int comparison, double b)
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

// Whether some value of the left span and some of the right one compare so.
static int may_compare(struct span a, int comparison, struct span b)
{
    switch (comparison) {
    case EQUAL: return a.low <= b.high && b.low <= a.high;
    case UNEQUAL: return a.low < a.high || b.low < b.high || a.middle != b.middle;
    case AT_MOST:
    case BELOW: return compares(a.low, comparison, b.high);
    default: return compares(a.high, comparison, b.low);
    }
}

static enum claim_verdict verdict_of_spans(struct span left, int comparison, struct span right)
{
    return compares(left.middle, comparison, right.middle) ? CLAIM_HOLDS
         : may_compare(left, comparison, right)            ? CLAIM_WITHIN_NOISE
                                                           : CLAIM_DOES_NOT_HOLD;
}

// "sum == sum"
static void comparison(struct walk *w)
{
    int comparison = 0;

    w->result.left = sum(w);
    skip_blanks(w);
    while (comparison < COMPARISONS &&
           strncmp(w->at, comparison_text[comparison], strlen(comparison_text[comparison])) != 0)
        comparison++;
    if (comparison == COMPARISONS) {
        const char *list = "one of";

        for (int i = 0; i < COMPARISONS; i++)
            list = with_word(list, comparison_text[i]);
        syntax_error(w, with_word(list, "expected"));
        return;
    }
    w->at += strlen(comparison_text[comparison]);
    w->result.right = sum(w);
    skip_blanks(w);
    if (w->result.verdict != CLAIM_NOT_MEASURED)
        w->result.verdict = verdict_of_spans(w->result.left, comparison, w->result.right);
}

// Comparisons joined by "and". The result is that of the worst: the first of those.
static void condition(struct walk *w)
{
    static const int badness[] = { [CLAIM_HOLDS] = 0,
                                   [CLAIM_WITHIN_NOISE] = 1,
                                   [CLAIM_NOT_MEASURED] = 2,
                                   [CLAIM_DOES_NOT_HOLD] = 3 };
    struct claim_result worst = { .verdict = CLAIM_HOLDS };

    do {
        skip_blanks(w);
        w->result = (struct claim_result){ .verdict = CLAIM_HOLDS, .comparison = w->at };
        comparison(w);
        w->result.length = (int)(w->at - w->result.comparison);
        if (!worst.comparison || badness[w->result.verdict] > badness[worst.verdict])
            worst = w->result;
    } while (!is_wrong(w) && take_word(w, "and"));
    w->result = worst;
    if (*w->at)
        syntax_error(w, "the end of the claim expected");
}

static struct span any_value(void *context, const struct term *t)
{
    (void)context, (void)t;
    return one;
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
                 : "is not a device: expected 'cpu', 'gpu', or which GPU, for example 'sm_90', "
                   "'H200', 'H100 or H200'";
    }
    if (n == 1) {
        snprintf(c->size, sizeof c->size, "%s", item);
        return size_of(item).sides ? NULL : "is not a size; expected for example 1024x1024";
    }
    if (!c->on_cpu && (strcmp(item, "hot") == 0 || strcmp(item, "cold") == 0))
        c->mode = item[0] == 'h' ? "hot" : "cold";
    else if (has_word("uchar int float double bf16", item))
        strcpy(c->type, item);
    else if (!islower((unsigned char)item[0]) || !add_word(c->variant, item))
        return "is neither 'hot' nor 'cold', nor an element type or an option of a week";
    return NULL;
}

// Takes "H200" or "H100 or H200".
static const char *take_gpus(struct walk *w, struct claim *c)
{
    c->mode = "cold";
    do {
        char name[CLAIM_WORD];
        size_t n;

        skip_blanks(w);
        n = word_length(w->at);
        snprintf(name, sizeof name, "%.*s", (int)n, w->at);
        if (!isupper((unsigned char)name[0]))
            return text_of("'%s' is not the name of a GPU, which begins with a capital letter",
                           name);
        if (n >= sizeof name || !add_word(c->gpus, name))
            return text_of("'%s' is too long", name);
        w->at += n;
    } while (take_word(w, "or"));
    return NULL;
}

static const char *parse_condition(struct walk *w, struct claim *c)
{
    skip_blanks(w);
    c->condition = w->at;
    condition(w);
    return w->error;
}

static const char *next_item(struct walk *w, struct claim *c, int n)
{
    char item[CLAIM_WORD];
    size_t length = strcspn(w->at, ",): \t");
    const char *wrong;

    snprintf(item, sizeof item, "%.*s", (int)length, w->at);
    wrong = length < sizeof item ? take_item(c, n, item) : "is too long";
    w->at += length;
    return wrong ? text_of("'%s' %s", item, wrong) : NULL;
}

// The part in parentheses.
static const char *parse_place(struct walk *walk, struct claim *c)
{
    struct walk w = *walk;

    *c = (struct claim){ .mode = "" };
    if (!take(&w, '('))
        return syntax_error(&w, "'(' expected"), w.error;
    for (int n = 0;; n++) {
        const char *wrong;

        skip_blanks(&w);
        wrong = n == 0 && isupper((unsigned char)*w.at) ? take_gpus(&w, c) : next_item(&w, c, n);
        if (wrong)
            return wrong;
        if (take(&w, ','))
            continue;
        if (!take(&w, ')'))
            return syntax_error(&w, "',' or ')' expected"), w.error;
        if (n == 0)
            return "a device and a size expected, as in (cpu, 1024x1024)";
        break;
    }
    *walk = w;
    return NULL;
}

const char *claim_parse(const char *text, struct claim *c)
{
    struct walk w = { .at = text, .claim = c, .value = any_value };
    const char *wrong = parse_place(&w, c);

    if (wrong)
        return wrong;
    if (!take(&w, ':'))
        return syntax_error(&w, "':' expected"), w.error;
    return parse_condition(&w, c);
}

const char *claim_parse_place(const char *text, struct claim *c)
{
    struct walk w = { .at = text, .claim = c, .value = any_value };
    const char *wrong = parse_place(&w, c);

    skip_blanks(&w);
    if (!wrong && *w.at)
        return syntax_error(&w, "nothing expected after ')'"), w.error;
    c->condition = "";
    return wrong;
}

const char *claim_parse_condition(const char *text, struct claim *c)
{
    struct walk w = { .at = text, .claim = c, .value = any_value };

    *c = (struct claim){ .mode = "" };
    return parse_condition(&w, c);
}

struct claim_result claim_judge_spans(const struct claim *c, term_span *value, void *context)
{
    struct walk w = { .at = c->condition, .claim = c, .value = value, .context = context };

    condition(&w);
    return w.result;
}

struct numbers {
    term_value *value;
    void *context;
};

static struct span exact(void *context, const struct term *t)
{
    const struct numbers *numbers = context;
    double value = numbers->value(numbers->context, t);

    return (struct span){ value, value, value };
}

struct claim_result claim_judge(const struct claim *c, term_value *value, void *context)
{
    struct numbers numbers = { value, context };

    return claim_judge_spans(c, exact, &numbers);
}

double term_number(const struct row *row, const struct term *t)
{
    struct size size;

    if (!t->part)
        return row_number(row, t->column);
    size = size_of(row->size);
    return !size.sides             ? NAN
         : t->part == SIZE_PRODUCT ? size.product
         : t->part <= size.sides   ? size.side[t->part - 1]
                                   : NAN;
}

static const struct claim none = { .mode = "" };

const char *expression_parse(const char *text, const char **end)
{
    struct walk w = { .at = text, .claim = &none, .value = any_value };

    sum(&w);
    skip_blanks(&w);
    *end = w.at;
    return w.error;
}

double expression_value(const char *text, term_value *value, void *context)
{
    struct numbers numbers = { value, context };
    struct walk w = { .at = text, .claim = &none, .value = exact, .context = &numbers };

    return sum(&w).middle;
}

struct terms {
    void (*each)(void *context, const struct term *);
    void *context;
};

static struct span visit(void *context, const struct term *t)
{
    struct terms *terms = context;

    terms->each(terms->context, t);
    return one;
}

void claim_terms(const struct claim *c, void (*each)(void *context, const struct term *),
                 void *context)
{
    struct terms terms = { each, context };

    claim_judge_spans(c, visit, &terms);
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

// "4689.44" or, with a spread, "4689.44 [4672 to 4705]".
static const char *span_text(struct span s)
{
    return s.low < s.high ? text_of("%.6g [%.6g to %.6g]", s.middle, s.low, s.high)
                          : text_of("%.7g", s.middle);
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

const char *claim_comparison(const struct claim *c, const struct claim_result *r)
{
    int length = r->length;

    while (length && isspace((unsigned char)r->comparison[length - 1]))
        length--;
    return length ? text_of("%.*s", length, r->comparison) : c->condition;
}

// Whether the words of `name`, joined by "_" as in device_slug(), follow one another in that of a
// device: H100 in NVIDIA_H100_80GB_HBM3.
static int slug_names(const char *slug, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = slug; (at = strstr(at, name)); at++)
        if ((at == slug || at[-1] == '_') && (at[n] == '\0' || at[n] == '_'))
            return 1;
    return 0;
}

static int names_gpu(const struct claim *c, const char *device)
{
    const char *slug = device_slug(device), *list = c->gpus, *name;

    while ((name = next_word(&list)))
        if (slug_names(slug, name))
            return 1;
    return 0;
}

const char *claim_skip(const struct claim *c, const char *device, int sm)
{
    const char *about = "", *list = c->gpus, *name;

    if (c->on_cpu || !device[0] || (c->gpus[0] ? names_gpu(c, device) : !c->sm || c->sm == sm))
        return NULL;
    while ((name = next_word(&list)))
        about = joined(about, " or ", text_of("the %s", name));
    return c->gpus[0] ? text_of("about %s, not the %s", about, device)
                      : text_of("about sm_%d, not sm_%d (%s)", c->sm, sm, device);
}

const char *const claim_word[CLAIM_VERDICTS] = { "holds", "within noise", "does not hold",
                                                 "not measured yet", "skipped" };

void claim_print(const struct claim *c, const char *by, const char *label, const char *skip,
                 const struct claim_result *r)
{
    const char *place = joined(c->size, ", ", c->type), *comparison = claim_comparison(c, r);

    place = joined(place, ", ", c->on_cpu ? "" : c->mode);
    printf("  %-16s %s%s (%s): ", claim_word[skip ? CLAIM_SKIPPED : r->verdict], label,
           c->condition, joined(place, ", ", c->variant));
    if (skip && r->verdict == CLAIM_NOT_MEASURED) {
        puts(skip);
        return;
    }
    if (skip)
        printf("%s; ", skip);
    if (r->verdict == CLAIM_NOT_MEASURED)
        print_missing(c, by, &r->missing);
    else if (strlen(comparison) == strlen(c->condition))
        printf("%s, %s\n", span_text(r->left), span_text(r->right));
    else
        printf("%s: %s, %s\n", comparison, span_text(r->left), span_text(r->right));
}

// The values of expressions in pages and slides: of measured rows, of arithmetic, of the machine.
#include "value.h"

#include <math.h>
#include <string.h>

#include "book.h"

static void take_owner(void *context, const struct term *t)
{
    struct measured *m = context;

    if (!m->medians && !m->owner && stage_number(t->stage) >= 0)
        m->owner = text_of("%s", t->stage);
}

static double measured_value(void *context, const struct term *t)
{
    const struct measured *m = context;
    const struct claim *c = m->claim;
    struct place place = { c->size, c->mode, m->type, t->knobs, t->variant };
    const struct row *own = m->owner ? latest_row(&m->table, m->owner, &place) : NULL;
    double value = value_beside(&m->table, own, t->stage, &place, t->column);

    if (isnan(value)) {   // what ncu counts is in separate rows
        place.mode = "count";
        value = value_beside(&m->table, NULL, t->stage, &place, t->column);
    }
    return value;
}

// Judges a claim, whose text begins with its place.
static const char *judge(struct measured *m, const char *place, const char *text,
                         struct claim_result *r)
{
    struct claim c;
    const char *error = claim_parse(text, &c);

    if (error)
        return error;
    m->claim = &c;
    m->type = c.type[0] ? c.type : table_type(&m->table);
    m->owner = NULL;
    claim_terms(&c, take_owner, m);
    *r = claim_judge(&c, measured_value, m);
    return r->verdict == CLAIM_NOT_MEASURED
             ? text_of("%s has no %s %s", r->missing.stage, column_name[r->missing.column], place)
             : NULL;
}

const char *evaluate_measured(struct measured *m, const char *place, const char *expression,
                              double *value)
{
    struct claim_result r;
    const char *error = judge(m, place, text_of("%s: %s == 0", place, expression), &r);

    *value = error ? NAN : r.left.middle;
    return error;
}

const char *judge_measured(struct measured *m, const char *place, const char *condition, int *holds)
{
    struct claim_result r;
    const char *error = judge(m, place, text_of("%s: %s", place, condition), &r);

    *holds = !error && r.verdict == CLAIM_HOLDS;
    return error;
}

static double no_value(void *context, const struct term *t)
{
    (void)context, (void)t;
    return NAN;
}

const char *evaluate_computed(const char *expression, double *value)
{
    const char *end, *error = expression_parse(expression, &end);

    if (error || *end)
        return error ? error : "not one expression";
    *value = expression_value(expression, no_value, NULL);
    return isnan(*value) ? "expected numbers only" : NULL;
}

const char *fill_in_machine(const char **expression)
{
    static const char NAMES[] = "abcdefghijklmnopqrstuvwxyz0123456789_.";
    const char *colon, *value;

    while ((colon = strchr(*expression, ':'))) {
        const char *text = *expression, *gpu = colon;
        int n = (int)strspn(colon + 1, NAMES);

        while (gpu > text && strchr(NAMES, gpu[-1]))
            gpu--;
        value =
            machine_value(text_of("%.*s", (int)(colon - gpu), gpu), text_of("%.*s", n, colon + 1));
        if (!value)
            return text_of("common/machine has no %.*s", (int)(colon + 1 - gpu) + n, gpu);
        *expression = text_of("%.*s%s%s", (int)(gpu - text), text, value, colon + 1 + n);
    }
    return NULL;
}

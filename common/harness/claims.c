#include "claims.h"

#include <stdio.h>
#include <string.h>

#include "backend.h"
#include "noise.h"
#include "program.h"
#include "problem.h"

struct claim_check {
    const struct stage_claim *claim;
    const char *error;
};

static void check_term(void *context, const struct term *t)
{
    struct claim_check *checking = context;
    struct problem p = checking->claim->problem;
    const char *unknown = variant_take(t->variant, &p);

    if (unknown)
        checking->error =
            text_of("'%s' is neither an option of this week nor a knob", text_head(unknown, 60));
}

// Sets the claim's problem. Returns NULL, or what the claim names that the week does not have.
static const char *set_problem(struct stage_claim *c, const struct week *week,
                               const struct stage_info *info)
{
    struct claim_check checking = { c, NULL };
    const char *wrong_size, *unknown;
    int type = c->claim.type[0] ? type_of_name(week, c->claim.type) : (int)week->types[0];

    c->problem = problem_default(week);
    wrong_size = size_parse(c->claim.size, &c->problem);
    unknown = variant_take(c->claim.variant, &c->problem);
    if (!wrong_size && !unknown)
        wrong_size = problem_limit(&c->problem);
    c->problem.type = type;
    if (type < 0)
        return text_of("'%s' is not an element type of this week", c->claim.type);
    if (info->type[0] && strcmp(type_name(type), info->type) != 0)
        return text_of("this stage computes %s: expected this type before the colon", info->type);
    if (unknown)
        return text_of("'%s' is neither 'hot' nor 'cold', nor an element type or an option of this "
                       "week",
                       text_head(unknown, 60));
    if (wrong_size)
        return text_of("'%s' is not a size of this week: %s", c->claim.size, wrong_size);
    if (c->problem.rules[0] && on_cpu_device && emu_rules(c->problem.rules))
        return text_of("there are no rules=%s", c->problem.rules);
    claim_terms(&c->claim, check_term, &checking);
    return checking.error;
}

void claims_read(struct stage_claims *claims, const struct week *week,
                 const struct stage_info *info)
{
    for (claims->n = 0; info->claims[claims->n];)
        claims->n++;
    claims->of = must_malloc(claims->n * sizeof *claims->of);
    for (int i = 0; i < claims->n; i++) {
        const char *error = claim_parse(info->claims[i], &claims->of[i].claim);

        error = error ? error : set_problem(&claims->of[i], week, info);
        if (error)
            die(STATUS_USAGE, "%s: // Expect %s: %s", info->file, info->claims[i], error);
    }
}

int claim_is_for_device(const struct stage_claim *c) { return c->claim.on_cpu == on_cpu_device; }

int claim_is_for(const struct stage_claim *c, const struct problem *p, const char *mode)
{
    return claim_is_for_device(c) && problem_same(&c->problem, p) &&
           strcmp(c->claim.mode, mode) == 0;
}

struct claim_rows {
    const struct stage_claim *claim;
    struct results *results;
    const struct contender *own;
};

// A term that names no knobs is about the build with the default knobs.
static const struct row *row_at_claim(void *context, const struct term *t)
{
    const struct claim_rows *s = context;
    struct problem p = s->claim->problem;

    variant_take(t->variant, &p);
    return results_find(s->results, t->stage[0] ? t->stage : s->own->stage, &p, t->knobs,
                        s->claim->claim.mode);
}

int claim_report(const struct stage_claim *c, struct results *results, const struct contender *own,
                 int only_failure)
{
    struct claim_rows source = { c, results, own };
    struct claim_result result = claim_judge_rows(&c->claim, row_at_claim, &source);
    const char *skip = claim_skip(&c->claim, results->device->name, results->device->sm);
    int fails = result.verdict == CLAIM_DOES_NOT_HOLD && !skip;

    if (fails || !only_failure)
        claim_print(&c->claim, own->stage,
                    name_is_reference(own->stage) ? text_of("%s: ", own->stage) : "", skip,
                    &result);
    return fails;
}

#include "judge.h"

#include <string.h>

#include "die.h"
#include "backend.h"
#include "problem.h"
#include "report.h"
#include "results.h"

void claims_of(const struct stage_info *info, struct claims *c)
{
    char error[CLAIM_ERROR];

    for (c->n = 0; info->claims[c->n]; c->n++) {
        if (c->n == MOST_CLAIMS)
            die(EXIT_USAGE, "%s: more than %d claims", info->file, MOST_CLAIMS);
        if (claim_parse(info->claims[c->n], &c->claim[c->n], error) != 0)
            die(EXIT_USAGE, "%s: // Expect %s: %s", info->file, info->claims[c->n], error);
        if (c->claim[c->n].problem.rules[0] && on_cpu_device &&
            backend_rules(c->claim[c->n].problem.rules))
            die(EXIT_USAGE, "%s: // Expect %s: there are no rules=%s", info->file,
                info->claims[c->n], c->claim[c->n].problem.rules);
    }
}

int claim_for_device(const struct claim *c) { return c->on_cpu == on_cpu_device; }

int claim_for(const struct claim *c, const struct problem *p, const char *mode)
{
    return claim_for_device(c) && problem_same(&c->problem, p) && strcmp(c->mode, mode) == 0;
}

struct source {
    const struct contender *own;
    const struct claim *claim;
};

// Where a term names none, claims are about builds with the knobs as the file sets them.
static int term(void *context, const struct term *t, double *value)
{
    const struct source *s = context;
    struct row row;

    return results_find(t->stage[0] ? t->stage : s->own->stage, &t->problem, t->knobs,
                        s->claim->mode, &row) &&
           strcmp(row_get(&row, "status"), "ok") == 0 && row_number(&row, t->column, value);
}

int judge(const struct device *d, const struct contender *own, const struct claim *c)
{
    struct source source = { own, c };
    struct claim_result result;

    claim_judge(c, term, &source, &result);
    report_claim(d, own, c, &result);
    return result.verdict == HOLDS_NOT && (c->on_cpu || c->sm == d->sm);
}

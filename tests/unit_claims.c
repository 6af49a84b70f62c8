// Links: common/harness/claims.c common/harness/problem.c common/table/row.c
#include "claims.h"

#include "tap.h"
#include "unit_week.h"

// The rows there are: this stage's, and stage2's rate.
static int term(void *context, const struct term *t, double *value)
{
    const char *stage = t->stage[0] ? t->stage : NULL, *column = t->column;
    int plain = !t->problem.option[UNIT_SHIFT] && !t->knobs[0];

    (void)context;
    if (!stage && plain && strcmp(column, "st_sectors") == 0)
        *value = 1048576;
    else if (!stage && plain && strcmp(column, "st_requests") == 0)
        *value = 32768;
    else if (!stage && plain && strcmp(column, "rate") == 0)
        *value = 4036.5;
    else if (stage && plain && strcmp(stage, "stage2") == 0 && strcmp(column, "rate") == 0)
        *value = 2018.25;
    else if (stage && strcmp(stage, "stage2") == 0 && strcmp(column, "rate") == 0)
        *value = 1000 * t->problem.option[UNIT_SHIFT] +
                 (strcmp(t->knobs, "TILE=16 ROWS=4") == 0 ? 5 : 0);
    else
        return 0;
    return 1;
}

static void judged(const char *expression, enum verdict_of_claim want)
{
    char text[160], error[CLAIM_ERROR];
    struct claim_result result;
    struct claim c;

    snprintf(text, sizeof text, "(cpu, 8x8): %s", expression);
    if (!ok(claim_parse(text, &c, error) == 0, "%s parses", expression)) {
        printf("#   %s\n", error);
        return;
    }
    claim_judge(&c, term, NULL, &result);
    ok(result.verdict == want, "%s: %s", expression,
       want == HOLDS       ? "holds"
       : want == HOLDS_NOT ? "does not hold"
                           : "is not measured");
}

static void malformed(const char *text, const char *part)
{
    char error[CLAIM_ERROR] = "";
    struct claim c;

    if (ok(claim_parse(text, &c, error) != 0, "'%s' is refused", text))
        has(error, part, "  for its reason");
}

static void expressions(void)
{
    judged("st_sectors == 32 * st_requests", HOLDS);
    judged("st_sectors == 32 * st_requests + 1", HOLDS_NOT);
    judged("st_sectors != 32 * st_requests", HOLDS_NOT);
    judged("st_requests < st_sectors", HOLDS);
    judged("st_sectors < st_sectors", HOLDS_NOT);
    judged("st_sectors <= st_sectors", HOLDS);
    judged("st_sectors > st_sectors", HOLDS_NOT);
    judged("st_sectors >= st_sectors", HOLDS);
    judged("1 + 2 * 3 == 7", HOLDS);
    judged("(1 + 2) * 3 == 9", HOLDS);
    judged("8 - 2 - 1 == 5", HOLDS);
    judged("8 / 2 / 2 == 2", HOLDS);
    judged("-2 * -(1 + 1) == 4", HOLDS);
    judged("1e3 == 1000", HOLDS);
    judged("33*st_requests/2==540672", HOLDS);
    judged("rate >= 1.7 * stage2.rate", HOLDS);
    judged("rate >= 2.1 * stage2.rate", HOLDS_NOT);
    judged("rate >= ref_cublas.rate", NOT_MEASURED);
    judged("ld_sectors == 1", NOT_MEASURED);
    judged("1 / 0 == 1", HOLDS_NOT);
    judged("stage2[shift=3].rate == 3000", HOLDS);
    judged("stage2[ shift=3  mirror ].rate == 3000", HOLDS);
    judged("stage2[TILE=16 shift=3 ROWS=4].rate == 3005", HOLDS);
    judged("stage2[].rate == stage2.rate", HOLDS);
    judged("stage3[shift=3].rate == 1", NOT_MEASURED);
}

static void forms(void)
{
    char error[CLAIM_ERROR];
    struct claim_result result;
    struct claim c;

    ok(claim_parse("(cpu, 1024x512): rate > 0", &c, error) == 0 && c.on_cpu &&
           c.problem.dim[0] == 1024 && c.problem.dim[1] == 512,
       "device and size");
    same(c.mode, "count", "on the CPU device things are counted");
    same(c.said, "rate > 0", "what it says");
    ok(c.problem.type == TYPE_F32, "the week's first type unless one is given");
    ok(claim_parse("(sm_90, 64): rate > 0", &c, error) == 0 && !c.on_cpu && c.sm == 90 &&
           c.problem.dim[1] == 64,
       "a GPU, and a square");
    same(c.mode, "cold", "cold unless hot is given");
    ok(claim_parse("( sm_100 , 64x64 , hot , int ) : rate > 0", &c, error) == 0 && c.sm == 100 &&
           c.problem.type == TYPE_I32,
       "items, with blanks");
    same(c.mode, "hot", "hot");
    claim_parse("(sm_90, 64x64): rate > ref_cublas.rate", &c, error);
    claim_judge(&c, term, NULL, &result);
    same(result.missing.stage, "ref_cublas", "it names the stage that is missing");
    same(result.missing.column, "rate", "and the column");
    ok(claim_parse("(cpu, 8x8, shift=3, mirror): rate > stage2.rate + stage2[].rate", &c, error) ==
           0,
       "options of the week");
    ok(c.problem.option[UNIT_SHIFT] == 3 && c.problem.option[UNIT_MIRROR] == 1,
       "are the problem's");
    ok(claim_parse("(cpu, 8x8, rules=1.1): rate > stage2[rules=9.0].rate", &c, error) == 0 &&
           strcmp(c.problem.rules, "1.1") == 0,
       "rules");
    claim_parse("(cpu, 8x8, shift=3, mirror): rate > stage2.rate + stage2[].rate", &c, error);
    claim_judge(&c, term, NULL, &result);
    ok(result.missing.problem.option[UNIT_SHIFT] == 3 && result.missing.problem.option[UNIT_MIRROR],
       "and those of its terms");
}

static void bad(void)
{
    malformed("", "'(' expected");
    malformed("cpu, 8x8: 1 == 1", "'(' expected");
    malformed("(cpu): 1 == 1", "a device and a size");
    malformed("(cpu, 8x8) 1 == 1", "':' expected");
    malformed("(tpu, 8x8): 1 == 1", "'tpu' is no device");
    malformed("(sm_, 8x8): 1 == 1", "is no device");
    malformed("(cpu, 8y8): 1 == 1", "is no size");
    malformed("(cpu, 0): 1 == 1", "is no size");
    malformed("(cpu, 100000): 1 == 1", "2^31");
    malformed("(cpu, 8x8, hot): 1 == 1", "'hot' is neither an element type nor an option");
    malformed("(sm_90, 8x8, double): 1 == 1", "'double' is neither");
    malformed("(cpu, 8x8): ", "expected at its end");
    malformed("(cpu, 8x8): 1", "== != <");
    malformed("(cpu, 8x8): 1 = 1", "== != <");
    malformed("(cpu, 8x8): 1 == 1 == 1", "more than one comparison");
    malformed("(cpu, 8x8): 1 == (2", "')' expected");
    malformed("(cpu, 8x8): 1 == 2)", "more than one comparison");
    malformed("(cpu, 8x8): speed == 2", "no such column");
    malformed("(cpu, 8x8): stage2.speed == 2", "no such column");
    malformed("(cpu, 8x8): stage2. == 2", "no such column");
    malformed("(cpu, 8x8, shift): 1 == 1", "'shift' is neither");
    malformed("(cpu, 8x8, rules=new): 1 == 1", "'rules=new' is neither");
    malformed("(cpu, 8x8, shift=9): 1 == 1", "at most the columns");
    malformed("(cpu, 8x8): stage2[spin=1].rate == 2", "neither an option");
    malformed("(cpu, 8x8): stage2[shift=3.rate == 2", "neither an option");
    malformed("(cpu, 8x8): stage2[shift=3]rate == 2", "'.' and a column");
    malformed("(cpu, 8x8): stage2[shift=3].speed == 2", "no such column");
    malformed("(cpu, 8x8): 2x == 2", "not a number");
    malformed("(cpu, 8x8): 2 + == 2", "expected");
    malformed("(cpu, 8x8): %s%n == 2", "expected");
}

int main(void)
{
    expressions();
    forms();
    bad();
    return done_testing();
}

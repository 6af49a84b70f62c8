// The grammar of claims.
//
#include "claim.h"

#include <math.h>
#include <stdlib.h>

#include "tap.h"

// The measured values: those of this stage, and the rate of stage2.
static double value(void *context, const struct term *t)
{
    int own = !t->stage[0], plain = !t->variant[0] && !t->knobs[0];
    int shift = strncmp(t->variant, "shift=3", 7) == 0 ? 3 : 0;

    (void)context;
    if (own && plain && t->column == COLUMN_st_sectors)
        return 1048576;
    if (own && plain && t->column == COLUMN_st_requests)
        return 32768;
    if (own && plain && t->column == COLUMN_rate)
        return 4036.5;
    if (strcmp(t->stage, "stage2") == 0 && t->column == COLUMN_rate)
        return plain ? 2018.25 : 1000 * shift + (strcmp(t->knobs, "TILE=16 ROWS=4") == 0 ? 5 : 0);
    return NAN;
}

static void judged(const char *expression, enum claim_verdict want)
{
    char text[160];
    const char *error;
    struct claim_result result;
    struct claim c;

    snprintf(text, sizeof text, "(cpu, 8x8): %s", expression);
    if (!ok((error = claim_parse(text, &c)) == NULL, "%s parses", expression)) {
        printf("#   %s\n", error);
        return;
    }
    result = claim_judge(&c, value, NULL);
    ok(result.verdict == want, "%s: %s", expression,
       want == CLAIM_HOLDS           ? "holds"
       : want == CLAIM_DOES_NOT_HOLD ? "does not hold"
                                     : "is not measured");
}

static void malformed(const char *text, const char *part)
{
    const char *error;
    struct claim c;

    if (ok((error = claim_parse(text, &c)) != NULL, "'%s' is refused", text))
        has(error, part, "  the message says why");
}

static double of_row(void *context, const struct term *t) { return term_number(context, t); }

static void evaluated(struct row *row, const char *expression, double want, const char *rest)
{
    const char *end, *error = expression_parse(expression, &end);
    double got = expression_value(expression, of_row, row);

    ok(got == want || (isnan(got) && isnan(want)), "%s is %g", expression, want);
    ok(strcmp(end, rest) == 0 && !error, "  and what follows it is '%s'", rest);
}

static void values(void)
{
    struct row row = row_empty();

    row_set(&row, size, "4x8x16");
    row_set(&row, rate, "9");
    evaluated(&row, "side(3) * 2", 32, "");
    evaluated(&row, "product", 512, "");
    evaluated(&row, "sqrt(rate) + max(1, l2_bytes) log=2: text", 4, "log=2: text");
    row_set(&row, size, "64");
    evaluated(&row, "side(2)", NAN, "");
}

static void expressions(void)
{
    judged("st_sectors == 32 * st_requests", CLAIM_HOLDS);
    judged("st_sectors == 32 * st_requests + 1", CLAIM_DOES_NOT_HOLD);
    judged("st_sectors != 32 * st_requests", CLAIM_DOES_NOT_HOLD);
    judged("st_requests < st_sectors", CLAIM_HOLDS);
    judged("max(st_sectors, st_requests) == st_sectors", CLAIM_HOLDS);
    judged("min(st_sectors, st_requests) == st_requests", CLAIM_HOLDS);
    judged("sqrt(2 * 8) + log2(8) == 7", CLAIM_HOLDS);
    judged("ceil(7 / 2) == 4", CLAIM_HOLDS);
    judged("floor(7 / 2) + floor(-1 / 2) == 2", CLAIM_HOLDS);
    judged("side(2) == 8", CLAIM_NOT_MEASURED);
    malformed("(cpu, 8x8): root(2) == 1",
              "no such function; there are max, min, sqrt, log2, ceil, floor and side");
    malformed("(cpu, 8x8): side(4) == 1", "the number of a side, 1 to 3, expected");
    malformed("(cpu, 8x8): max(1) == 1", "',' expected");
    malformed("(cpu, 8x8): sqrt(4 == 2", "')' expected");
    judged("st_sectors < st_sectors", CLAIM_DOES_NOT_HOLD);
    judged("st_sectors <= st_sectors", CLAIM_HOLDS);
    judged("st_sectors > st_sectors", CLAIM_DOES_NOT_HOLD);
    judged("st_sectors >= st_sectors", CLAIM_HOLDS);
    judged("1 + 2 * 3 == 7", CLAIM_HOLDS);
    judged("(1 + 2) * 3 == 9", CLAIM_HOLDS);
    judged("8 - 2 - 1 == 5", CLAIM_HOLDS);
    judged("8 / 2 / 2 == 2", CLAIM_HOLDS);
    judged("-2 * -(1 + 1) == 4", CLAIM_HOLDS);
    judged("1e3 == 1000", CLAIM_HOLDS);
    judged("33*st_requests/2==540672", CLAIM_HOLDS);
    judged("rate >= 1.7 * stage2.rate", CLAIM_HOLDS);
    judged("rate >= 2.1 * stage2.rate", CLAIM_DOES_NOT_HOLD);
    judged("rate >= ref_cublas.rate", CLAIM_NOT_MEASURED);
    judged("ld_sectors == 1", CLAIM_NOT_MEASURED);
    judged("1 / 0 == 1", CLAIM_DOES_NOT_HOLD);
    judged("stage2[shift=3].rate == 3000", CLAIM_HOLDS);
    judged("stage2[ shift=3  mirror ].rate == 3000", CLAIM_HOLDS);
    judged("stage2[TILE=16 shift=3 ROWS=4].rate == 3005", CLAIM_HOLDS);
    judged("stage2[].rate == stage2.rate", CLAIM_HOLDS);
    judged("stage3[shift=3].rate == 1", CLAIM_NOT_MEASURED);
}

// What a result is about: the first of the worst comparisons.
static void worst(const char *condition, const char *want)
{
    char text[160];
    struct claim c;
    struct claim_result result;

    snprintf(text, sizeof text, "(cpu, 8x8): %s", condition);
    claim_parse(text, &c);
    result = claim_judge(&c, value, NULL);
    same_text(claim_comparison(&c, &result), want, "the comparison that decides");
}

static void conjunctions(void)
{
    judged("st_requests == 32768 and st_sectors > 1 and 1 == 1", CLAIM_HOLDS);
    judged("st_requests == 32768 and st_sectors < 1", CLAIM_DOES_NOT_HOLD);
    judged("st_requests == 1 and st_sectors > 1", CLAIM_DOES_NOT_HOLD);
    judged("ld_sectors == 1 and st_sectors > 1", CLAIM_NOT_MEASURED);
    judged("ld_sectors == 1 and st_sectors < 1", CLAIM_DOES_NOT_HOLD);
    worst("st_requests == 32768 and st_sectors < 1 and 1 == 2", "st_sectors < 1");
    worst("st_requests == 32768 and 1 == 2", "1 == 2");
    worst("st_requests == 32768", "st_requests == 32768");
    malformed("(cpu, 8x8): 1 == 1 and", "at its end");
    malformed("(cpu, 8x8): 1 == 1 and 2", "one of == != <= >= < > expected");
    malformed("(cpu, 8x8): 1 == 1 andy == 1", "the end of the claim expected at 'andy");
    malformed("(cpu, 8x8): 1 == 1 or 1 == 2", "the end of the claim expected at 'or");
}

static void place(const char *text, const char *options, const char *wrong)
{
    struct claim c;
    const char *error = claim_parse_place(text, &c);

    if (wrong) {
        has(error ? error : "", wrong, "what is no place is refused");
        return;
    }
    ok(!error, "'%s' is a place", text);
    same_text(claim_options(&c, c.variant), options, "  these are its options");
}

static void places(void)
{
    place("(cpu, 3x40000)", "--size 3x40000", NULL);
    place("(cpu, 64x96, double, sms=5) ", "--size 64x96 --type double --sms 5", NULL);
    place("(cpu, 64x96): 1 == 1", NULL, "nothing expected after ')'");
    place("cpu, 64x96", NULL, "'(' expected");
    place("(cpu)", NULL, "a device and a size expected");
}

static void forms(void)
{
    struct claim_result result;
    struct claim c;

    ok(!claim_parse("(cpu, 1024x512): rate > 0", &c) && c.on_cpu, "a claim has a device");
    same_text(c.size, "1024x512", "a claim has a size");
    same_text(c.mode, "count", "the mode on the CPU device is count");
    same_text(c.condition, "rate > 0", "a claim has a condition");
    same_text(c.type, "", "a claim has no type by default");
    ok(!claim_parse("(sm_90, 64): rate > 0", &c) && !c.on_cpu && c.sm == 90,
       "a claim can be about a GPU");
    same_text(c.size, "64", "a size can be one number");
    same_text(c.mode, "cold", "the mode on a GPU is cold by default");
    ok(!claim_parse("( sm_100 , 64x64 , hot , int ) : rate > 0", &c) && c.sm == 100,
       "blanks around items are skipped");
    same_text(c.type, "int", "a claim can have a type");
    same_text(c.mode, "hot", "a claim can be hot");
    claim_parse("(sm_90, 64x64): rate > ref_cublas.rate", &c);
    result = claim_judge(&c, value, NULL);
    same_text(result.missing.stage, "ref_cublas", "the result names the missing stage");
    ok(result.missing.column == COLUMN_rate, "the result names the missing column");
    ok(!claim_parse("(cpu, 8x8, shift=3, mirror): rate > stage2.rate + stage2[].rate", &c),
       "a claim can have options of the week");
    same_text(c.variant, "shift=3 mirror", "options are kept in the variant");
    result = claim_judge(&c, value, NULL);
    same_text(result.missing.variant, "shift=3 mirror", "terms have the options of the claim");
    ok(!claim_parse_condition("rate > stage2.rate", &c), "a condition alone is parsed");
    ok(claim_judge(&c, value, NULL).verdict == CLAIM_HOLDS, "a condition alone is judged");
    ok(claim_parse_condition("(cpu, 8): rate > stage2.rate", &c) != NULL,
       "a condition with a place is refused");
}

static void bad(void)
{
    malformed("", "'(' expected");
    malformed("cpu, 8x8: 1 == 1", "'(' expected");
    malformed("(cpu): 1 == 1", "a device and a size");
    malformed("(cpu, 8x8) 1 == 1", "':' expected");
    malformed("(tpu, 8x8): 1 == 1", "'tpu' is not a device");
    malformed("(sm_, 8x8): 1 == 1", "is not a device");
    malformed("(h200, 8x8): 1 == 1", "'h200' is not a device");
    malformed("(H200): 1 == 1", "a device and a size expected");
    malformed("(H100 or, 8x8): 1 == 1", "'' is not the name of a GPU");
    malformed("(H100 or h200, 8x8): 1 == 1", "'h200' is not the name of a GPU");
    malformed("(H100 H200, 8x8): 1 == 1", "',' or ')' expected");
    malformed("(cpu, 8y8): 1 == 1", "is not a size");
    malformed("(cpu, many): 1 == 1", "is not a size");
    malformed("(sm_90, 8x8, HOT): 1 == 1", "'HOT' is neither");
    malformed("(cpu, 8x8): ", "expected at its end");
    malformed("(cpu, 8x8): 1", "one of == != <= >= < > expected");
    malformed("(cpu, 8x8): 1 = 1", "one of == != <= >= < > expected");
    malformed("(cpu, 8x8): 1 == 1 == 1", "the end of the claim");
    malformed("(cpu, 8x8): 1 == (2", "')' expected");
    malformed("(cpu, 8x8): 1 == 2)", "the end of the claim");
    malformed("(cpu, 8x8): speed == 2", "no such column");
    malformed("(cpu, 8x8): stage2.speed == 2", "no such column");
    malformed("(cpu, 8x8): stage2. == 2", "no such column");
    malformed("(cpu, 8x8): stage2[shift=3", "']' expected");
    malformed("(cpu, 8x8): stage2[shift=3]rate == 2", "'.' and a column");
    malformed("(cpu, 8x8): stage2[shift=3].speed == 2", "no such column");
    malformed("(cpu, 8x8): 2x == 2", "not a number");
    malformed("(cpu, 8x8): 2 + == 2", "expected");
    malformed("(cpu, 8x8): %s%n == 2", "expected");
}

// Signs and parentheses 200,000 deep must not exhaust the stack.
static void deep(void)
{
    static const char *const nests[] = { "(", "-", "(1+", "-(" };
    enum { TIMES = 200000 };
    char *text = malloc(64 + 4 * TIMES);
    const char *error;
    struct claim c;

    for (int k = 0; k < 4; k++) {
        size_t n = strlen(nests[k]);

        strcpy(text, "(cpu, 8x8): ");
        for (int i = 0; i < TIMES; i++)
            memcpy(text + 12 + i * n, nests[k], n + 1);
        strcat(text + 12 + (TIMES - 1) * n, "1 == 1");
        if (ok((error = claim_parse(text, &c)) != NULL, "deep nesting of %s is refused", nests[k]))
            has(error, "too many parentheses", "  the message says why");
    }
    free(text);
}

// --- spreads

static struct span spread(void *context, const struct term *t)
{
    (void)context;
    if (!t->stage[0])
        return (struct span){ 98, 100, 103 };
    return strcmp(t->stage, "stage2") == 0 ? (struct span){ 49, 50, 51 }
                                           : (struct span){ -1, 50, 51 };
}

static void spread_judged(const char *expression, enum claim_verdict want)
{
    char text[160];
    struct claim c;

    snprintf(text, sizeof text, "(sm_90, 8x8): %s", expression);
    if (ok(!claim_parse(text, &c), "%s parses", expression))
        ok(claim_judge_spans(&c, spread, NULL).verdict == want, "%s: verdict %d", expression, want);
}

static void spreads(void)
{
    spread_judged("rate >= 100", CLAIM_HOLDS);
    spread_judged("rate >= 103", CLAIM_WITHIN_NOISE);
    spread_judged("rate > 103", CLAIM_DOES_NOT_HOLD);
    spread_judged("rate <= 98", CLAIM_WITHIN_NOISE);
    spread_judged("rate < 98", CLAIM_DOES_NOT_HOLD);
    spread_judged("rate == 101", CLAIM_WITHIN_NOISE);
    spread_judged("rate == 104", CLAIM_DOES_NOT_HOLD);
    spread_judged("-rate >= -99", CLAIM_WITHIN_NOISE);
    spread_judged("-rate >= -97", CLAIM_DOES_NOT_HOLD);
    spread_judged("rate >= 2.1 * stage2.rate", CLAIM_WITHIN_NOISE);   // 103, 102.9
    spread_judged("rate >= 2.11 * stage2.rate", CLAIM_DOES_NOT_HOLD);
    spread_judged("rate / stage2.rate >= 2.1", CLAIM_WITHIN_NOISE);   // at most 103 / 49
    spread_judged("rate / stage2.rate >= 2.11", CLAIM_DOES_NOT_HOLD);
    spread_judged("2.1 <= rate / stage2.rate", CLAIM_WITHIN_NOISE);
    spread_judged("rate - stage2.rate >= 54", CLAIM_WITHIN_NOISE);   // at most 103 - 49
    spread_judged("rate - stage2.rate >= 54.1", CLAIM_DOES_NOT_HOLD);
    spread_judged("rate / stage3.rate >= 2.07", CLAIM_DOES_NOT_HOLD);   // 0 in its span: exact 50
    spread_judged("rate / stage3.rate >= 2.05", CLAIM_WITHIN_NOISE);
}

int main(void)
{
    expressions();
    conjunctions();
    places();
    values();
    forms();
    bad();
    deep();
    spreads();
    return done_testing();
}

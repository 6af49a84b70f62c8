// How rows of a table are chosen: sizes, lists of words, medians, references in the same run.
//
#include "select.h"
#include "stats.h"

#include <math.h>

#include "tap.h"

static void add(struct table *t, const char *stage, const char *rate, const char *knobs)
{
    struct row row = row_empty();

    row.stage = stage, row.rate = rate, row.knobs = knobs;
    row.size = "8x8", row.type = "int", row.mode = "cold", row.status = "ok";
    table_add(t, &row);
}

static void sizes(void)
{
    struct size s = size_of("16x4x1");

    ok(s.sides == 3 && s.product == 64 && fabs(s.mean - 4) < 1e-12 && !s.equal_sides,
       "a size has sides, product and mean");
    ok(size_of("8x8").equal_sides && size_of("8x8").mean == 8, "a size can have equal sides");
    for (const char *const *bad =
             (const char *const[]){ "", "x", "8x", "8y8", "0", "1x2x3x4", NULL };
         *bad; bad++)
        ok(size_of(*bad).sides == 0, "'%s' is not a size", *bad);
    ok(size_matches("4096", "4096x4096x4096"), "one number stands for all sides");
    ok(size_matches("4096", "4096") && size_matches("8x4", "8x4"), "a size matches itself");
    ok(!size_matches("4096", "4096x4096x64") && !size_matches("8x8", "8"),
       "a size matches no other size");
}

static void words(void)
{
    ok(words_same("a=1 b", "b  a=1"), "lists are the same in any order of words");
    ok(words_same("", ""), "empty lists are the same");
    ok(!words_same("a=1", "a=1 b") && !words_same("a=1 b", "a=1"),
       "lists with different words differ");
    ok(!words_same("a=1", "a=12"), "words are compared as a whole");
    ok(stage_number("stage12") == 12 && stage_number("stage") == -1 &&
           stage_number("ref_x") == -1 && stage_number("stage1b") == -1,
       "only a stage has a number");
}

static void rows(void)
{
    struct place p = { .size = "8", .mode = "cold", .type = "int", .knobs = "", .variant = "" };
    struct table t = { 0 };
    double even[] = { 4, 1, 3, 2 };

    add(&t, "stage1", "90", "");
    add(&t, "ref_a", "100", "");
    add(&t, "stage2", "60", "");
    add(&t, "ref_a", "40", "");
    add(&t, "ref_a", "70", "");
    add(&t, "stage3", "35", "");
    add(&t, "stage3", "99", "TILE=16");
    add(&t, "stage1", "95", "");
    ok(latest_row(&t, "stage1", &p) == &t.row[7], "a later row replaces an earlier one");
    ok(latest_row(&t, "stage3", &p) == &t.row[5], "a row with other knobs does not replace it");
    ok(value_beside(&t, &t.row[0], "ref_a", &p, COLUMN_rate) == 100,
       "a reference's value is from the same run");
    ok(value_beside(&t, &t.row[5], "ref_a", &p, COLUMN_rate) == 70,
       "without a reference in the run, the median is used");
    ok(value_beside(&t, NULL, "ref_a", &p, COLUMN_rate) == 70, "without a row, the median is used");
    ok(isnan(value_beside(&t, NULL, "ref_b", &p, COLUMN_rate)), "a missing row has no value");
    t.row[7].status = "wrong";
    ok(isnan(value_beside(&t, NULL, "stage1", &p, COLUMN_rate)),
       "a row that is not ok has no value");
    p.size = "9";
    ok(!latest_row(&t, "stage1", &p), "rows of another size do not match");
    ok(median_of(even, 4) == 2.5 && isnan(median_of(even, 0)), "median of 4 values, and of none");
}

int main(void)
{
    sizes();
    words();
    rows();
    return done_testing();
}

// Links: common/harness/compare.c common/harness/problem.c
#include <math.h>
#include <stdlib.h>

#include "buffers.h"
#include "compare.h"
#include "tap.h"
#include "unit_week.h"

enum { ROWS = 64, COLS = 96, N = ROWS * COLS };

static const struct buffer matrix = {
    .name = "out", .role = OUT, .type = TYPE_F32, .count = N, .row = COLS
};
static float want[N], got[N];

static struct mismatch compare(double tolerance)
{
    struct mismatch m;

    compare_begin(&m, &matrix, tolerance);
    compare_elements(&m, 0, N, got, want);
    return m;
}

static void reset(void)
{
    for (int i = 0; i < N; i++)
        got[i] = want[i] = 1 + i;
}

static void floats(void)
{
    struct mismatch m;

    reset();
    ok(compare(0).wrong == 0 && compare(1e-3).wrong == 0, "equal arrays are correct");
    got[5] = nextafterf(got[5], 100);
    ok(compare(0).wrong == 1, "a difference of one bit is wrong if the tolerance is 0");
    ok(compare(1e-3).wrong == 0, "a difference within the tolerance is correct");
    got[5] = want[5] + 0.5f;
    ok(compare(0.5).wrong == 0 && compare(0.4999).wrong == 1,
       "a difference equal to the tolerance is correct, a larger one is wrong");
    ok(compare(NAN).wrong == 1, "with a tolerance of NaN, only equal values are correct");

    reset();
    got[7] = NAN;
    m = compare(1e30);
    ok(m.wrong == 1 && m.nan == 1, "NaN is wrong with any tolerance");
    ok(m.first[0].index == 7 && isnan(m.first[0].got) && m.first[0].want == 8,
       "a wrong element has its index, its value and the correct value");
    want[7] = NAN;
    ok(compare(1).wrong == 1, "NaN is wrong even if the reference is NaN");
    reset();
    got[7] = INFINITY;
    ok(compare(1e30).wrong == 1, "infinity is wrong");
    want[7] = INFINITY;
    ok(compare(1).wrong == 0, "infinity is correct if the reference is infinite");
    want[7] = -INFINITY;
    ok(compare(INFINITY).wrong == 0 && compare(1e30).wrong == 1,
       "infinities of different signs differ by infinity");

    reset();
    got[9] = 0.0f;
    want[9] = -0.0f;
    ok(compare(0).wrong == 1 && compare(1e-9).wrong == 0,
       "-0 and 0 have different bits and the same value");
}

static void words(void)
{
    struct mismatch m;

    reset();
    memset(&got[COLS], POISON, 3 * sizeof *got);
    got[0] = NAN;
    m = compare(0);
    ok(m.wrong == 4 && m.untouched == 3 && m.nan == 1,
       "poison is counted as never written, another NaN as NaN");
    same_text(compare_words(&m),
              "4 of 6144 elements of 'out' are wrong, 3 of them never written, 1 of them NaN",
              "the message counts wrong, unwritten and NaN elements");
}

static void uninitialized(void)
{
    struct mismatch m;

    reset();
    memset(&got[COLS], 0xFE, sizeof *got);
    got[COLS + 1] = 5;
    m = compare(0);
    ok(m.wrong == 2 && m.first[0].is_pattern && !m.first[1].is_pattern && !m.untouched,
       "the pattern of uninitialized local variables is recognized");
}

static void places(void)
{
    struct mismatch m;
    int misplaced = 0;

    reset();
    for (int r = 32; r < 64; r++)   // one tile: rows 32 to 63, columns 64 to 95
        for (int c = 64; c < 96; c++)
            got[r * COLS + c] = 0;
    m = compare(0);
    ok(m.wrong == 32 * 32, "the elements of a wrong tile are counted");
    ok(m.first[0].index == 32 * COLS + 64 && m.first[SHOWN - 1].index == 32 * COLS + 68,
       "the first wrong elements are kept");
    for (int r = 0; r < MAP_ROWS; r++)   // a cell of the map is 8 x 3 elements
        for (int c = 0; c < MAP_COLS; c++)
            misplaced += m.map[r][c] != (r * 8 >= 32 && c * 3 + 2 >= 64);
    ok(misplaced == 0, "the map has the wrong tile at the lower right, and nothing else");

    reset();
    got[N - 1] = 0;
    m = compare(0);
    ok(m.wrong == 1 && m.first[0].index == N - 1, "the last element is compared");
    compare_begin(&m, &matrix, 0);
    for (int at = 0; at < N; at += 1000)
        compare_elements(&m, at, at + 1000 < N ? 1000 : N - at, got + at, want + at);
    ok(m.wrong == 1 && m.first[0].index == N - 1, "the last element is compared in pieces, too");
}

static void integers(void)
{
    static const struct buffer ints = { .name = "n", .role = OUT, .type = TYPE_I32, .count = 3 };
    static const struct buffer bytes = { .name = "b", .role = OUT, .type = TYPE_U8, .count = 3 };
    int32_t a[] = { 1, INT32_MAX, -1 }, b[] = { 1, INT32_MAX - 1, -1 };
    unsigned char c[] = { 0, 255, 7 }, d[] = { 0, 254, 7 };
    struct mismatch m;

    compare_begin(&m, &ints, 10);
    compare_elements(&m, 0, 3, a, b);
    ok(m.wrong == 1 && m.first[0].got == INT32_MAX, "ints are compared exactly with any tolerance");
    compare_begin(&m, &bytes, 0);
    compare_elements(&m, 0, 3, c, d);
    ok(m.wrong == 1 && m.first[0].index == 1 && !m.untouched,
       "bytes without tolerance are compared exactly; poison is not recognized");
    compare_begin(&m, &bytes, 1);
    compare_elements(&m, 0, 3, c, d);
    ok(m.wrong == 0 && m.max_error == 1, "bytes may differ by the tolerance");
    c[2] = 9;
    compare_elements(&m, 0, 3, c, d);
    ok(m.wrong == 1 && m.first[0].index == 2 && m.max_error == 2,
       "bytes may not differ by more than the tolerance");
}

// The largest error, against doubles that no float represents.
static void errors(void)
{
    static const struct buffer floats = {
        .name = "x", .role = OUT, .type = TYPE_F32, .count = 3, .want_double = 1
    };
    static const struct buffer same = { .name = "x", .role = OUT, .type = TYPE_F32, .count = 3 };
    static const struct buffer ints = { .name = "n", .role = OUT, .type = TYPE_I32, .count = 1 };
    const double right[] = { 1, 0.1, 1e300 };
    float a[] = { 1, 0.1f, INFINITY }, b[] = { 1, 0.1f, 4 };
    int32_t n = 1;
    struct mismatch m;

    compare_begin(&m, &floats, 1e-3);
    compare_elements(&m, 0, 2, a, right);
    ok(m.wrong == 0 && m.max_error == fabs((double)0.1f - 0.1),
       "rounding to float is an error against doubles");
    compare_elements(&m, 2, 1, &a[2], &right[2]);
    ok(m.wrong == 1 && m.max_error == INFINITY, "the largest error over all pieces is kept");
    compare_begin(&m, &floats, 0);
    compare_elements(&m, 0, 2, a, right);
    ok(m.wrong == 1 && m.first[0].index == 1 && m.first[0].want == 0.1,
       "without a tolerance, different values are wrong");

    compare_begin(&m, &same, 1);
    compare_elements(&m, 0, 3, b, b);
    ok(m.wrong == 0 && m.max_error == 0, "equal arrays have an error of 0");
    compare_elements(&m, 0, 2, a, b + 1);
    ok(m.wrong == 1 && m.max_error == 4 - (double)0.1f,
       "a wrong element counts for the largest error");
    a[0] = NAN;
    compare_begin(&m, &same, INFINITY);
    compare_elements(&m, 0, 1, a, b);
    ok(m.wrong == 1 && m.max_error == INFINITY,
       "NaN is an infinite error, and wrong with an infinite tolerance");
    compare_elements(&m, 1, 1, a + 1, b + 1);
    ok(m.max_error == INFINITY, "later elements do not change an infinite error");
    a[0] = INFINITY;
    compare_begin(&m, &same, 1);
    compare_elements(&m, 0, 1, a, a);
    ok(m.wrong == 0 && m.max_error == 0, "a correct infinity is no error");

    compare_begin(&m, &same, 0);
    compare_elements(&m, 0, 1, b, b);
    ok(m.max_error < 0, "if bits must be equal, there is no largest error");
    compare_begin(&m, &ints, 3);
    compare_elements(&m, 0, 1, &n, &n);
    ok(m.max_error < 0, "ints have no largest error");
}

int main(void)
{
    errors();
    floats();
    words();
    uninitialized();
    places();
    integers();
    return done_testing();
}

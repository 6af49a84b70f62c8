// Links: common/check.c common/problem.c
#include <math.h>
#include <stdlib.h>

#include "buffers.h"
#include "check.h"
#include "tap.h"
#include "unit_week.h"

enum { ROWS = 64, COLS = 96, N = ROWS * COLS };

static const struct buffer matrix = { "out", OUT, TYPE_F32, N, COLS };
static float want[N], got[N];

static struct mismatch compare(double tolerance)
{
    struct mismatch m;

    check_begin(&m, &matrix, tolerance);
    check_elements(&m, 0, N, got, want);
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
    ok(compare(0).wrong == 0 && compare(1e-3).wrong == 0, "equal arrays are right");
    got[5] = nextafterf(got[5], 100);
    ok(compare(0).wrong == 1, "one bit is wrong where the tolerance is 0");
    ok(compare(1e-3).wrong == 0, "and right within a tolerance");
    got[5] = want[5] + 0.5f;
    ok(compare(0.5).wrong == 0 && compare(0.4999).wrong == 1, "the tolerance itself is right, more is wrong");
    ok(compare(NAN).wrong == 1, "no tolerance at all lets nothing but equal values pass");

    reset();
    got[7] = NAN;
    m = compare(1e30);
    ok(m.wrong == 1 && m.nan == 1, "NaN is wrong within any tolerance");
    ok(m.first[0].index == 7 && isnan(m.first[0].got) && m.first[0].want == 8, "its index, what it is and what is right");
    want[7] = NAN;
    ok(compare(1).wrong == 1, "NaN is wrong even where the reference has one");
    reset();
    got[7] = INFINITY;
    ok(compare(1e30).wrong == 1, "infinity is wrong");
    want[7] = INFINITY;
    ok(compare(1).wrong == 0, "unless it is right");
    want[7] = -INFINITY;
    ok(compare(INFINITY).wrong == 0 && compare(1e30).wrong == 1, "infinities of other signs differ by infinity");

    reset();
    got[9] = 0.0f;
    want[9] = -0.0f;
    ok(compare(0).wrong == 1 && compare(1e-9).wrong == 0, "-0 has other bits than 0, and the same value");
}

static void words(void)
{
    struct mismatch m;
    char text[160];

    reset();
    memset(&got[COLS], POISON, 3 * sizeof *got);
    got[0] = NAN;
    m = compare(0);
    ok(m.wrong == 4 && m.untouched == 3 && m.nan == 1, "poison counts as never written, another NaN as NaN");
    check_words(&m, text, sizeof text);
    same(text, "4 of 6144 elements of 'out' are wrong, 3 of them never written, 1 of them NaN", "in words");
    check_words(&m, text, 20);
    ok(strlen(text) == 19, "cut to the room there is");
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
    ok(m.wrong == 32 * 32, "a wrong tile is counted");
    ok(m.first[0].index == 32 * COLS + 64 && m.first[SHOWN - 1].index == 32 * COLS + 68, "its first elements are shown");
    for (int r = 0; r < MAP_ROWS; r++)   // a cell of the map is 8 x 3 elements
        for (int c = 0; c < MAP_COLS; c++)
            misplaced += m.map[r][c] != (r * 8 >= 32 && c * 3 + 2 >= 64);
    ok(misplaced == 0, "the map shows it at the lower right and nowhere else");

    reset();
    got[N - 1] = 0;
    m = compare(0);
    ok(m.wrong == 1 && m.first[0].index == N - 1, "the last element counts");
    check_begin(&m, &matrix, 0);
    for (int at = 0; at < N; at += 1000)
        check_elements(&m, at, at + 1000 < N ? 1000 : N - at, got + at, want + at);
    ok(m.wrong == 1 && m.first[0].index == N - 1, "in pieces as well");
}

static void integers(void)
{
    static const struct buffer ints = { "n", OUT, TYPE_I32, 3, 0 }, bytes = { "b", OUT, TYPE_U8, 3, 0 };
    int32_t a[] = { 1, INT32_MAX, -1 }, b[] = { 1, INT32_MAX - 1, -1 };
    unsigned char c[] = { 0, 255, 7 }, d[] = { 0, 254, 7 };
    struct mismatch m;

    check_begin(&m, &ints, 10);
    check_elements(&m, 0, 3, a, b);
    ok(m.wrong == 1 && m.first[0].got == INT32_MAX, "ints are compared exactly, whatever the tolerance");
    check_begin(&m, &bytes, 10);
    check_elements(&m, 0, 3, c, d);
    ok(m.wrong == 1 && m.first[0].index == 1, "so are bytes");
}

int main(void)
{
    floats();
    words();
    places();
    integers();
    return done_testing();
}

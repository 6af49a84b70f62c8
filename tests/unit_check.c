// The check of a call with digests in place of outputs, in host memory: correct outputs, one wrong
// element, an output that is never written, a write out of bounds.
//
// Links: common/harness/check.c common/harness/call.c common/harness/buffers.c
// Links: common/harness/compare.c common/harness/problem.c
// Links: common/harness/contender.c
#include "check.h"

#include <math.h>
#include <stdlib.h>

#include "tap.h"
#include "unit_cuda.h"

cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }
void backend_set(const struct problem *p) { (void)p; }
int emu_is_asynchronous(void) { return 0; }
int emu_is_dependent(void) { return 0; }
void emu_land_early(int early) { (void)early; }
void backend_call(stage_fn *stage, const struct problem *p, void *const device[])
{
    p->week->run(stage, p, device);
}
int backend_inspect(stage_fn *stage, const struct problem *p, void *const device[],
                    struct facts *facts)
{
    (void)stage, (void)p, (void)device, (void)facts;
    return -1;
}

// A week of this test: out = in for a matrix of floats. With 1000 rows or more, the sums of the
// rows are compared, and the last two rows completely.
static const enum type types[] = { TYPE_F32 };

static int buffers(const struct problem *p, struct buffer out[MAX_BUFFERS])
{
    size_t rows = p->dim[0], cols = p->dim[1];

    out[0] = (struct buffer){
        .name = "in", .role = IN, .type = TYPE_F32, .count = rows * cols, .row = cols
    };
    out[1] = (struct buffer){
        .name = "out", .role = OUT, .type = TYPE_F32, .count = rows * cols, .row = cols
    };
    return 2;
}

static void fill(const struct problem *p, void *const host[])
{
    for (long long i = 0; i < p->dim[0] * p->dim[1]; i++)
        ((float *)host[0])[i] = (float)(hash64(p->seed, i) % 1000);
}

static void reference(const struct problem *p, void *const host[], void *const want[])
{
    float times = p->computes[0] ? 2 : 1;

    for (long long i = 0; i < p->dim[0] * p->dim[1]; i++)
        ((float *)want[1])[i] = times * ((float *)host[0])[i];
}

static double tolerance(const struct problem *p) { return p->arithmetic[0] ? 0.5 : 0.1; }

static int digests(const struct problem *p, struct digest out[MAX_DIGESTS])
{
    static size_t rows[2];
    size_t n = p->dim[0], cols = p->dim[1];

    if (n < 1000)
        return 0;
    rows[0] = n - 2;
    rows[1] = n - 1;
    out[0] =
        (struct digest){ { .name = "sum", .role = OUT, .type = TYPE_F64, .count = n, .row = 1 },
                         2 * tolerance(p),
                         0,
                         "sums of rows",
                         0 };
    out[1] = (struct digest){
        { .name = "out",
          .role = OUT,
          .type = TYPE_F64,
          .count = 2 * cols,
          .row = cols,
          .row_number = rows },
        tolerance(p),
        1,
        "two whole rows",
        0,
    };
    return 2;
}

static void digest(const struct problem *p, const float *array, double *const out[])
{
    long long n = p->dim[0], cols = p->dim[1];

    for (long long r = 0; r < n; r++) {
        out[0][r] = 0;
        for (long long c = 0; c < cols; c++)
            out[0][r] += array[r * cols + c];
    }
    for (long long i = 0; i < 2 * cols; i++)
        out[1][i] = array[(n - 2) * cols + i];
}

static void digest_wanted(const struct problem *p, void *const host[], double *const want[])
{
    digest(p, host[0], want);
}
static void digest_got(const struct problem *p, void *const host[], double *const got[])
{
    digest(p, host[1], got);
}

static void run(stage_fn *stage, const struct problem *p, void *const device[])
{
    ((void (*)(const float *, float *, long long, long long))stage)(device[0], device[1], p->dim[0],
                                                                    p->dim[1]);
}

const struct week week = {
    .name = "00_unit",
    .dims = 2,
    .types = types,
    .n_types = 1,
    .buffers = buffers,
    .fill = fill,
    .reference = reference,
    .tolerance = tolerance,
    .run = run,
    .digests = digests,
    .digest_wanted = digest_wanted,
    .digest_got = digest_got,
};

// A stage that adds `off` to element [row][col], after `calls` correct calls.
static long long row, col;
static float off;
static int calls;

static void stage(const float *in, float *out, long long rows, long long cols)
{
    memcpy(out, in, rows * cols * sizeof *out);
    if (row < rows && calls-- <= 0)
        out[row * cols + col] += off;
}

static void nothing(const float *in, float *out, long long rows, long long cols)
{
    (void)in, (void)out, (void)rows, (void)cols;
}
static void trespasser(const float *in, float *out, long long rows, long long cols)
{
    memcpy(out, in, rows * cols * sizeof *out);
    out[rows * cols] = 0;
}

static void modifier(const float *in, float *out, long long rows, long long cols)
{
    memcpy(out, in, rows * cols * sizeof *out);
    ((float *)in)[rows * cols - 1] += 1;
}

// Allocates `leak` bytes in each of the first `calls` calls.
static double leak;
static void leaker(const float *in, float *out, long long rows, long long cols)
{
    memcpy(out, in, rows * cols * sizeof *out);
    unit_used += calls-- > 0 ? leak : 0;
}

// Caches the result of its first call, and returns it in all calls with the same arrays.
static void keeper(const float *in, float *out, long long rows, long long cols)
{
    static const float *of;
    static float *kept;
    size_t bytes = rows * cols * sizeof *out;

    if (of != in) {
        kept = realloc(kept, bytes);
        memcpy(kept, in, bytes);
    }
    of = in;
    memcpy(out, kept, bytes);
}

static struct verdict judged(void (*fn)(const float *, float *, long long, long long),
                             long long rows, const char *arithmetic, char *print)
{
    struct problem p = { .week = &week,
                         .dim = { rows, 70, 1 },
                         .type = TYPE_F32,
                         .seed = 3,
                         .computes = "",
                         .arithmetic = arithmetic };
    struct arrays *a = arrays_new(&p, 1);
    FILE *text = fmemopen(print, 4096, "w");
    struct verdict v;

    check_stage((stage_fn *)fn, &p, a, NULL, &v);
    verdict_print(&v, text);
    fclose(text);
    arrays_free(a);
    return v;
}

static struct verdict off_by(float by, long long at_row, long long rows, const char *arithmetic,
                             char *print)
{
    row = at_row;
    col = 5;
    off = by;
    calls = 0;
    return judged(stage, rows, arithmetic, print);
}

// A stage and a reference may compute different things from the same inputs.
static void answers(void)
{
    struct problem p = { .week = &week, .dim = { 3, 4, 1 }, .seed = 3, .computes = "" }, twice = p;
    struct arrays *a = arrays_new(&p, 1);
    float once;

    twice.computes = "twice";
    arrays_fill(a, &p);
    arrays_answer(a, &p);
    once = *(float *)a->want[1];
    arrays_answer(a, &twice);
    ok(once != 0 && *(float *)a->want[1] == 2 * once,
       "the expected output depends on what the stage computes");
    arrays_free(a);
}

int main(void)
{
    char print[4096] = "";
    struct verdict v = off_by(0, 0, 2000, "", print);

    ok(v.status == STATUS_OK && v.max_error == 0, "a correct stage is correct, with an error of 0");
    v = off_by(0.06f, 1998, 2000, "", print);
    ok(v.status == STATUS_OK && fabs(v.max_error - 0.06) < 1e-3,
       "an error within the tolerance is reported");
    v = off_by(0.3f, 700, 2000, "", print);
    ok(v.status == STATUS_WRONG && v.mismatch.wrong == 1,
       "a wrong element is found by the sum of its row");
    has(v.why, "1 of 2000 elements of 'sum' are wrong", "the message counts wrong sums");
    has(print, "sum[700][0] is ", "the message names the row");
    has(print, "(sum: sums of rows)", "the message says what was compared");
    v = off_by(0.15f, 1999, 2000, "", print);
    ok(v.status == STATUS_WRONG, "a smaller error is found in a row that is compared completely");
    has(print, "out[1999][5] is ", "a row has its number in the output");
    v = off_by(0.15f, 1999, 2000, "other", print);
    ok(v.status == STATUS_OK, "another precision has another tolerance");
    row = 700, off = 1, calls = 1;
    v = judged(stage, 2000, "", print);
    ok(v.status == STATUS_WRONG, "a wrong second call is found");
    has(v.why, "the first call was correct", "the message says that the second call is wrong");
    v = off_by(NAN, 3, 2000, "", print);
    ok(v.status == STATUS_WRONG && v.mismatch.nan == 1, "a NaN is found");
    v = judged(nothing, 2000, "", print);
    ok(v.status == STATUS_WRONG && v.mismatch.wrong == 2000,
       "an output that is not written is found");
    v = judged(trespasser, 2000, "", print);
    ok(v.status == STATUS_WRONG, "a write past the end is found");
    has(v.why, "past the end of 'out'", "a write past the end is named");
    v = judged(modifier, 2000, "", print);
    ok(v.status == STATUS_WRONG, "a stage that modifies its input is found");
    has(v.why, "writes to its input 'in'", "the modified input is named");
    v = judged(keeper, 2000, "", print);
    ok(v.status == STATUS_WRONG, "a stage that returns the result for earlier inputs is found");
    has(v.why, "other inputs at the same addresses", "the message explains the second call");
    leak = 4096, calls = 100;
    v = judged(leaker, 2000, "", print);
    ok(v.status == STATUS_WRONG, "a stage that leaks device memory is found");
    has(v.why, "leaks device memory: 4096 bytes per call", "the size of the leak is named");
    calls = 1;
    v = judged(leaker, 2000, "", print);
    ok(v.status == STATUS_OK, "memory that only the first call allocates is no leak");
    calls = 9;
    v = judged(leaker, 2000, "", print);
    ok(v.status == STATUS_OK, "on a GPU, memory that not all further calls allocate is no leak");
    v = off_by(0.3f, 700, 999, "", print);
    ok(v.status == STATUS_WRONG && v.digest == NULL,
       "a smaller size is compared with the reference");
    has(v.why, "1 of 69930 elements of 'out' are wrong",
        "the outputs are compared element by element");
    v = judged(nothing, 999, "", print);
    ok(v.mismatch.untouched == 69930, "elements that are not written hold the poison");
    answers();
    return done_testing();
}

// Week 3's reference, its tolerances, and the digests that replace a reference for large sizes:
// which errors they find.
//
// Links: 03_matmul/matmul.c 03_matmul/dense.c common/harness/compare.c
// Links: common/harness/problem.c
#include <math.h>
#include <stdlib.h>

#include "compare.h"
#include "week.h"
#include "problem.h"
#include "tap.h"

// The week's source refers to the stage, which is not linked.
void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    (void)A, (void)B, (void)C, (void)M, (void)N, (void)K;
}

struct arrays {
    struct problem p;
    float *A, *B, *C;
    double *want;
};

static struct arrays arrays_for(long long M, long long N, long long K, const char *arithmetic)
{
    struct arrays a = { .p = { .week = &week,
                               .dim = { M, N, K },
                               .type = TYPE_F32,
                               .seed = 7,
                               .computes = "",
                               .arithmetic = arithmetic } };

    a.A = malloc(M * K * sizeof(float));
    a.B = malloc(K * N * sizeof(float));
    a.C = malloc(M * N * sizeof(float));
    a.want = malloc(M * N * sizeof(double));
    week.fill(&a.p, (void *[]){ a.A, a.B, NULL });
    return a;
}

static void give_back(struct arrays *a) { free(a->A), free(a->B), free(a->C), free(a->want); }
static void answer(struct arrays *a)
{
    week.reference(&a->p, (void *[]){ a->A, a->B, NULL }, (void *[]){ NULL, NULL, a->want });
}

static size_t wrong(const struct arrays *a)
{
    struct buffer b[MAX_BUFFERS];
    struct mismatch m;

    week.buffers(&a->p, b);
    compare_begin(&m, &b[2], week.tolerance(&a->p));
    compare_elements(&m, 0, b[2].count, a->C, a->want);
    return m.wrong;
}

// --- ways to multiply

static float exact(float x) { return x; }

// The float without its last 13 bits: truncated to TF32.
static float cut(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    bits &= ~0x1FFFu;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Rounded to TF32, and rounded to seven bits after the point (bfloat16).
static float nearest(float x) { return cut(x * (1 + 0x1p-11f)); }
static float short_one(float x)
{
    int exponent;
    float fraction = frexpf(x, &exponent);

    return ldexpf(rintf(fraction * 256) / 256, exponent);
}

enum order { UP, DOWN, SPLIT, CUTTING };

// One element: fp32 sums in ascending or descending order of k, in eight parts, or truncated toward
// zero at each addition.
static float element(const struct arrays *a, long long m, long long n, float (*round)(float),
                     enum order order)
{
    long long N = a->p.dim[1], K = a->p.dim[2];
    float part[8] = { 0 };

    for (long long i = 0; i < K; i++) {
        long long k = order == DOWN ? K - 1 - i : i;
        float x = round(a->A[m * K + k]), y = round(a->B[k * N + n]),
              *sum = &part[order == SPLIT ? i % 8 : 0];

        if (order == CUTTING) {
            double longer = *sum + (double)x * y;
            float shorter = (float)longer;

            *sum = fabs(shorter) > fabs(longer) ? nextafterf(shorter, 0) : shorter;
        } else {
            float product =
                x * y;   // product and sum are both rounded: the most roundings possible

            *sum += product;
        }
    }
    return ((part[0] + part[1]) + (part[2] + part[3])) +
           ((part[4] + part[5]) + (part[6] + part[7]));
}

static void multiply(struct arrays *a, float (*round)(float), enum order order)
{
    for (long long m = 0; m < a->p.dim[0]; m++)
        for (long long n = 0; n < a->p.dim[1]; n++)
            a->C[m * a->p.dim[1] + n] = element(a, m, n, round, order);
}

// --- tests

// Indices of a stage are ints. Sizes at the limit, M x N x K.
static void limits(void)
{
    static const struct {
        long long M, N, K;
        int fits;
    } cases[] = {
        { 1, 1, 1, 1 },
        { 1048560, 2047, 1, 1 },
        { 1048560, 2049, 1, 0 },
        { 1048561, 1, 1, 0 },
        { 31, (1 << 26) - 1, 31, 1 },
        { 1, 1 << 26, 1, 0 },
        { 33, (1 << 26) - 1, 1, 0 },
        { 1, (1 << 26) - 1, 33, 0 },
        { 1, 1, 1 << 30, 1 },
        { 1, 1, (1 << 30) + 1, 0 },
        { 2, 1, 1 << 30, 0 },
        { 46340, 46340, 46340, 1 },
        { 46341, 46341, 1, 0 },
        { 1048560, 1ll << 62, 1ll << 62, 0 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct problem p = { .week = &week, .dim = { cases[i].M, cases[i].N, cases[i].K } };

        ok((week.limit(&p) == NULL) == cases[i].fits, "%lldx%lldx%lld is %s", cases[i].M,
           cases[i].N, cases[i].K, cases[i].fits ? "accepted" : "too large");
    }
}

static void references(void)
{
    static const long long sizes[][3] = { { 1, 1, 1 },     { 3, 17, 33 },  { 127, 129, 65 },
                                          { 65, 33, 257 }, { 1, 70, 200 }, { 70, 1, 129 } };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct arrays a = arrays_for(sizes[i][0], sizes[i][1], sizes[i][2], "");
        long long M = sizes[i][0], N = sizes[i][1], K = sizes[i][2];
        double worst = 0;

        answer(&a);
        for (long long m = 0; m < M; m++)
            for (long long n = 0; n < N; n++) {
                long double sum = 0;

                for (long long k = 0; k < K; k++)
                    sum += (long double)a.A[m * K + k] * a.B[k * N + n];
                worst = fmax(worst, fabs((double)(sum - a.want[m * N + n])));
            }
        ok(worst < 1e-13, "the reference at %lldx%lldx%lld is within 1e-13 of a plain sum", M, N,
           K);
        give_back(&a);
    }
}

static void tolerances(void)
{
    static const long long sizes[][3] = {
        { 16, 16, 1 }, { 3, 17, 33 }, { 127, 129, 65 }, { 48, 48, 1024 }, { 24, 24, 16384 }
    };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        long long M = sizes[i][0], N = sizes[i][1], K = sizes[i][2];
        struct arrays a = arrays_for(M, N, K, "");

        answer(&a);
        for (enum order order = UP; order <= SPLIT; order++) {
            multiply(&a, exact, order);
            ok(wrong(&a) == 0, "%lldx%lldx%lld: fp32 sums pass, order %d", M, N, K, order);
        }
        multiply(&a, nearest, UP);
        ok(wrong(&a) > 0, "%lldx%lldx%lld: inputs rounded to TF32 fail", M, N, K);
        a.p.arithmetic = "tf32";
        multiply(&a, cut, CUTTING);
        ok(wrong(&a) == 0, "%lldx%lldx%lld: truncated inputs and sums pass as TF32", M, N, K);
        multiply(&a, short_one, UP);
        ok(wrong(&a) > 0 || K > 10000,
           "%lldx%lldx%lld: inputs rounded to bfloat16 fail, unless K is large", M, N, K);

        a.p.arithmetic = "";
        multiply(&a, exact, UP);
        for (long long m = 0; m < M; m++)
            for (long long n = 0; n < N; n++)
                a.C[m * N + n] -= a.A[m * K + K - 1] * a.B[(K - 1) * N + n];
        ok((long long)wrong(&a) > M * N * 9 / 10,
           "%lldx%lldx%lld: without the last k, more than 90 %% of the elements are wrong", M, N,
           K);
        give_back(&a);
    }
}

// A product that is too large for a reference. A is zero for k >= DEPTH, so that the product is
// computed quickly.
enum { SIDE = 4096, DEEP = 4097, DEPTH = 128, COLS = 8 };
static struct arrays large;
static struct digest digest[MAX_DIGESTS];
static double *wanted[MAX_DIGESTS], *got[MAX_DIGESTS];

static void make_large(void)
{
    struct problem thin = { .week = &week, .dim = { SIDE, SIDE, DEPTH } };
    float *A = malloc(SIDE * DEPTH * sizeof *A);

    large = arrays_for(SIDE, SIDE, DEEP, "");
    for (long long m = 0; m < SIDE; m++) {
        memcpy(A + m * DEPTH, large.A + m * DEEP, DEPTH * sizeof *A);
        memset(large.A + m * DEEP + DEPTH, 0, (DEEP - DEPTH) * sizeof *A);
    }
    week.reference(&thin, (void *[]){ A, large.B, NULL }, (void *[]){ NULL, NULL, large.want });
    free(A);
    for (int i = 0; i < week.digests(&large.p, digest); i++) {
        wanted[i] = malloc(buffer_bytes(&digest[i].array));
        got[i] = malloc(buffer_bytes(&digest[i].array));
    }
    week.digest_wanted(&large.p, (void *[]){ large.A, large.B, NULL }, wanted);
}

static void reset(void)
{
    for (long long i = 0; i < (long long)SIDE * SIDE; i++)
        large.C[i] = (float)large.want[i];
}

// The result of comparing digest i.
static struct mismatch compared(int i)
{
    struct mismatch m;

    week.digest_got(&large.p, (void *[]){ NULL, NULL, large.C }, got);
    compare_begin(&m, &digest[i].array, digest[i].tolerance);
    compare_elements(&m, 0, digest[i].array.count, got[i], wanted[i]);
    return m;
}

static long long sampled(int i) { return (long long)digest[1].array.row_number[i]; }

// A row, from m on, that is not among those that are compared completely.
static long long other_row(long long m)
{
    for (int i = 0; i < 16; i++)
        if (sampled(i) == m)
            return other_row(m + 1);
    return m;
}

static int only_row(const struct mismatch *m, size_t row, size_t count)
{
    int inside = m->wrong == count;

    for (size_t i = 0; i < m->wrong && i < SHOWN; i++)
        inside &= m->first[i].index / m->buffer.row == row;
    return inside;
}

static void single_elements(void)
{
    static const long long column[] = { 0, 1, 2047, SIDE - 1 };
    long long m = other_row(1000);
    int found = 1;
    struct mismatch what;

    for (int c = 0; c < 4; c++)
        for (int sign = -1; sign <= 1; sign += 2) {
            reset();
            large.C[m * SIDE + column[c]] += (float)(sign * 2.001 * digest[0].tolerance);
            what = compared(0);
            found &= only_row(&what, m, COLS);
        }
    ok(found,
       "one element that is off by %.3g, twice the tolerance, is found in all eight columns of its "
       "row",
       2 * digest[0].tolerance);
    ok(digest[0].tolerance < 0.02, "the tolerance is small: an element is about %.0f",
       sqrt(DEEP / 9.0));

    reset();
    large.C[m * SIDE + 5] = NAN;
    what = compared(0);
    ok(only_row(&what, m, COLS) && what.nan == COLS, "a NaN is found");
    reset();
    large.C[m * SIDE + 5] = INFINITY;
    what = compared(0);
    ok(only_row(&what, m, COLS), "an infinity is found");

    reset();
    large.C[sampled(9) * SIDE + 77] += (float)(1.01 * digest[1].tolerance);
    what = compared(1);
    ok(only_row(&what, 9, 1), "in a row that is compared completely, an error larger than an "
                              "element's tolerance is found");
    ok(fabs(what.max_error / digest[1].tolerance - 1.01) < 1e-3, "the largest error is reported");
}

static void swap(float *a, float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        float kept = a[i];

        a[i] = b[i];
        b[i] = kept;
    }
}

static void misplaced(void)
{
    long long m = other_row(64 * 17), first = 64 * 17, missed = 0;
    struct mismatch what;

    reset();
    swap(large.C + m * SIDE, large.C + other_row(m + 1) * SIDE, SIDE);
    what = compared(0);
    ok(what.wrong > 12 && what.wrong <= 2 * COLS,
       "two swapped rows are found, and no other row is");

    for (int c = 0; c < 64; c++) {
        reset();
        swap(large.C + m * SIDE + c, large.C + m * SIDE + c + 64, 1);
        missed += compared(0).wrong == 0;
    }
    ok(missed < 5,
       "of 64 pairs of swapped elements of a row, %lld are missed; one in 2^8 is expected", missed);

    reset();
    for (int r = 0; r < 32; r++)
        for (int c = 0; c < r; c++)
            swap(&large.C[(first + r) * SIDE + 96 + c], &large.C[(first + c) * SIDE + 96 + r], 1);
    what = compared(0);
    ok(what.wrong > 31 * COLS * 8 / 10 && what.wrong <= 32 * COLS,
       "a transposed block of 32 x 32 is found, in its own rows");
}

static void rounded(void)
{
    struct mismatch what;

    reset();
    for (int i = 0; i < 8; i++)
        for (long long n = 0; n < SIDE; n++)
            for (int which = 0; which < 2; which++) {
                long long m = which ? sampled(i) : 100 + i;
                double sum = 0;

                for (long long k = 0; k < DEPTH; k++)
                    sum += (double)nearest(large.A[m * DEEP + k]) * nearest(large.B[k * SIDE + n]);
                large.C[m * SIDE + n] = (float)sum;
            }
    what = compared(0);
    ok(what.wrong > 8 * COLS, "rows made from inputs rounded to TF32 are found, %zu of %d numbers",
       what.wrong, 16 * COLS);
    what = compared(1);
    ok(what.wrong > 100, "rows that are compared completely have %zu wrong elements", what.wrong);
}

static void digests(void)
{
    struct problem p = { .week = &week, .dim = { 4096, 4096, 4096 }, .arithmetic = "" };
    int distinct = 1;

    ok(week.digests(&p, digest) == 0, "4096x4096x4096 is compared with a reference");
    p = (struct problem){ .week = &week, .dim = { 63, 1 << 20, 1 << 11 }, .arithmetic = "" };
    ok(week.digests(&p, digest) == 0, "a matrix with few rows is compared with a reference");
    make_large();
    ok(week.digests(&large.p, digest) == 2, "%dx%dx%d is compared by digests", SIDE, SIDE, DEEP);
    for (int i = 1; i < 16; i++)
        distinct &= sampled(i - 1) < sampled(i) && sampled(i) < SIDE;
    ok(distinct, "16 different rows are compared completely");
    reset();
    ok(compared(0).wrong == 0 && compared(1).wrong == 0, "a correct product passes");
    single_elements();
    misplaced();
    rounded();
}

// --- bf16

static float float_of_bf16(uint16_t upper)
{
    uint32_t bits = (uint32_t)upper << 16;
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

// Rounded to nearest, ties to even.
static uint16_t bf16_of_float(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

// A product of bf16 matrices as a tensor core computes it: sums are truncated, and the result is
// rounded. Products k with first <= k < end are skipped.
struct bf16_arrays {
    struct problem p;
    uint16_t *A, *B, *C;
    double *want;
};

static void multiply_bf16(struct bf16_arrays *a, long long first, long long end)
{
    long long M = a->p.dim[0], N = a->p.dim[1], K = a->p.dim[2];

    for (long long m = 0; m < M; m++)
        for (long long n = 0; n < N; n++) {
            float sum = 0;

            for (long long k = 0; k < K; k++) {
                double longer =
                    sum + (k < first || k >= end ? (double)float_of_bf16(a->A[m * K + k]) *
                                                       float_of_bf16(a->B[k * N + n])
                                                 : 0);
                float shorter = (float)longer;

                sum = fabs(shorter) > fabs(longer) ? nextafterf(shorter, 0) : shorter;
            }
            a->C[m * N + n] = bf16_of_float(sum);
        }
}

static long long wrong_bf16(const struct bf16_arrays *a)
{
    struct buffer b[MAX_BUFFERS];
    struct mismatch m;

    week.buffers(&a->p, b);
    compare_begin(&m, &b[2], week.tolerance(&a->p));
    m.relative = week.relative_tolerance(&a->p);
    compare_elements(&m, 0, b[2].count, a->C, a->want);
    return (long long)m.wrong;
}

static void bf16_at(long long M, long long N, long long K)
{
    struct bf16_arrays a = {
        .p = { .week = &week,
               .dim = { M, N, K },
               .type = TYPE_BF16,
               .seed = 7,
               .computes = "",
               .arithmetic = "" },
        .A = malloc(M * K * sizeof *a.A),
        .B = malloc(K * N * sizeof *a.B),
        .C = malloc(M * N * sizeof *a.C),
        .want = malloc(M * N * sizeof *a.want),
    };
    double mean = 0, square = 0;

    week.fill(&a.p, (void *[]){ a.A, a.B, NULL });
    week.reference(&a.p, (void *[]){ a.A, a.B, NULL }, (void *[]){ NULL, NULL, a.want });
    for (long long i = 0; i < M * K; i++) {
        mean += float_of_bf16(a.A[i]) / (double)(M * K);
        square += pow(float_of_bf16(a.A[i]), 2) / (double)(M * K);
    }
    ok(fabs(mean) < 4 / sqrt((double)(M * K)) &&
           fabs(square - 170.0 / 256) < 4 / sqrt((double)(M * K)),
       "%lldx%lldx%lld: the inputs have mean 0 and variance 170 / 256", M, N, K);
    multiply_bf16(&a, 0, 0);
    ok(wrong_bf16(&a) == 0, "%lldx%lldx%lld: bf16 with truncated sums passes", M, N, K);
    multiply_bf16(&a, K / 2, K / 2 + 16);
    ok(wrong_bf16(&a) > M * N / 2, "%lldx%lldx%lld: without 16 of K, most elements are wrong", M, N,
       K);
    multiply_bf16(&a, 0, 0);
    for (long long n = 0; n < N; n++) {
        uint16_t kept = a.C[n];

        a.C[n] = a.C[8 * N + n];
        a.C[8 * N + n] = kept;
    }
    ok(wrong_bf16(&a) > N, "%lldx%lldx%lld: two swapped rows are found", M, N, K);
    free(a.A), free(a.B), free(a.C), free(a.want);
}

// A product that is too large for a reference, of rows that repeat: C has 16 different rows.
static void bf16_digests(void)
{
    enum { N = 4096, K = 4104, ROWS = 16 };
    struct problem p = { .week = &week,
                         .dim = { 4096, N, K },
                         .type = TYPE_BF16,
                         .seed = 7,
                         .computes = "",
                         .arithmetic = "" };
    struct bf16_arrays few = { .p = p };
    struct digest digest[MAX_DIGESTS];
    struct mismatch m;
    double *wanted[MAX_DIGESTS], *got[MAX_DIGESTS];
    uint16_t *A = malloc(4096 * K * sizeof *A), *B = malloc((size_t)K * N * sizeof *B),
             *C = malloc(4096 * N * sizeof *C);

    few.p.dim[0] = ROWS;
    few.want = malloc(ROWS * N * sizeof *few.want);
    week.fill(&p, (void *[]){ A, B, NULL });
    for (int r = ROWS; r < 4096; r++)
        memcpy(A + (size_t)r * K, A + (size_t)(r % ROWS) * K, K * sizeof *A);
    week.reference(&few.p, (void *[]){ A, B, NULL }, (void *[]){ NULL, NULL, few.want });
    for (size_t i = 0; i < (size_t)4096 * N; i++)
        C[i] = bf16_of_float((float)few.want[i / N % ROWS * N + i % N]);
    ok(week.digests(&p, digest) == 2, "bf16: a large product is compared by digests");
    for (int i = 0; i < 2; i++) {
        wanted[i] = malloc(buffer_bytes(&digest[i].array));
        got[i] = malloc(buffer_bytes(&digest[i].array));
    }
    week.digest_wanted(&p, (void *[]){ A, B, NULL }, wanted);
    for (int fault = 0; fault < 2; fault++) {
        if (fault)   // a tile of 128 x 256 is that of the columns beside it
            for (int r = 1024; r < 1024 + 128; r++)
                memcpy(C + (size_t)r * N, C + (size_t)r * N + 256, 256 * sizeof *C);
        week.digest_got(&p, (void *[]){ NULL, NULL, C }, got);
        compare_begin(&m, &digest[0].array, digest[0].tolerance);
        compare_elements(&m, 0, digest[0].array.count, got[0], wanted[0]);
        ok(fault ? m.wrong > 500 : m.wrong == 0,
           fault ? "bf16: a wrong tile is found in C X, in %zu numbers"
                 : "bf16: C X of a rounded product passes (%zu)",
           m.wrong);
        ok(m.max_error > (fault ? 1 : 0.1) * digest[0].tolerance,
           "bf16: the tolerance of C X is not too large: %.3g of %.3g", m.max_error,
           digest[0].tolerance);
    }
    free(A), free(B), free(C), free(few.want);
}

int main(void)
{
    limits();
    references();
    tolerances();
    bf16_at(16, 24, 8);
    bf16_at(16, 24, 72);
    bf16_at(16, 16, 1000);
    if (is_full()) {
        bf16_at(16, 16, 16384);
        bf16_digests();
        digests();
    }
    return done_testing();
}

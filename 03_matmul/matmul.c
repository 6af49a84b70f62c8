// Week 3's problem: the product of two matrices of floats.
#include "matmul.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense.h"
#include "../common/harness/die.h"
#include "../common/harness/week.h"
#include "../common/harness/parallel.h"

static const enum type types[] = { TYPE_F32 };

// A single product, one row, one column, one k; one less and one more than a tile; primes; tall and
// wide; rows that are no multiple of four floats, and some that are, or are multiples of 128, for
// stages that take only those; more than one tile of the largest stages, in each direction.
static const long long check_sizes[][MAX_DIMS] = {
    { 1, 1, 1 },       { 1, 129, 1 },
    { 67, 1, 1 },      { 37, 43, 1 },
    { 1, 1, 517 },     { 3, 17, 33 },
    { 16, 16, 16 },    { 32, 64, 96 },
    { 31, 33, 32 },    { 127, 129, 65 },
    { 101, 103, 107 }, { 521, 5, 19 },
    { 7, 509, 23 },    { 36, 44, 52 },
    { 128, 256, 32 },  { 256, 128, 32 },
    { 132, 260, 20 },  { 64, 96, 200 },
    { 513, 130, 17 },  { 140, 268, 36 },
    { 1361, 5, 101 },  { 0 },
};
// One that is too large for a reference and that no tile divides, and a C of just less than 2^31
// elements, whose last tiles stick out. The first, as 1361x5x101 does on the CPU device, leaves a
// stage that shares the last tiles among all blocks with blocks that have parts of two tiles.
static const long long gpu_check_sizes[][MAX_DIMS] = {
    { 2593, 2459, 131 }, { 4099, 4093, 4097 }, { 46340, 46340, 33 }, { 0 }
};
static const long long gpu_sizes[][MAX_DIMS] = {
    { 4096, 4096, 4096 }, { 2048, 2048, 2048 }, { 1024, 1024, 1024 }, { 0 }
};
static const long long cpu_size[] = { 256, 256, 64 };   // whole tiles of every stage
// Cubes of round sizes, and a few that no tile divides; `make sawtooth` looks closer.
static const long long gpu_shmoo[][MAX_DIMS] = {
    { 128, 128, 128 },
    { 192, 192, 192 },
    { 256, 256, 256 },
    { 384, 384, 384 },
    { 512, 512, 512 },
    { 768, 768, 768 },
    { 1024, 1024, 1024 },
    { 1025, 1025, 1025 },
    { 1536, 1536, 1536 },
    { 2048, 2048, 2048 },
    { 2049, 2049, 2049 },
    { 3072, 3072, 3072 },
    { 4096, 4096, 4096 },
    { 4099, 4093, 4097 },
    { 6144, 6144, 6144 },
    { 8192, 8192, 8192 },
    { 12288, 12288, 12288 },
    { 16384, 16384, 16384 },
    { 0 },
};
static const long long cpu_shmoo[][MAX_DIMS] = { { 32, 32, 32 },    { 64, 64, 64 },
                                                 { 128, 128, 128 }, { 192, 192, 192 },
                                                 { 256, 256, 256 }, { 0 } };

// A stage counts the elements of each matrix in an int, and those of up to 32 rows of B even where
// K is less; and rows of tiles of at least 16 in the grid's y, which goes to 65,535. The products
// are avoided, for they may not fit into any type.
static const char *limit(const struct problem *p)
{
    long long M = p->dim[0], N = p->dim[1], K = p->dim[2];

    if (M > 65535 * 16 || N >= 1 << 26 || K > 1 << 30)
        return "M must be at most 1048560, N less than 2^26, K at most 2^30";
    return M > INT_MAX / N || M > INT_MAX / K || N > INT_MAX / K
             ? "M x N, M x K and K x N must be below 2^31"
             : NULL;
}

static int buffers(const struct problem *p, struct buffer out[MAX_BUFFERS])
{
    size_t M = p->dim[0], N = p->dim[1], K = p->dim[2];

    out[0] = (struct buffer){ .name = "A", .role = IN, .type = TYPE_F32, .count = M * K, .row = K };
    out[1] = (struct buffer){ .name = "B", .role = IN, .type = TYPE_F32, .count = K * N, .row = N };
    out[2] = (struct buffer){
        .name = "C", .role = OUT, .type = TYPE_F32, .count = M * N, .row = N, .want_double = 1
    };
    return 3;
}

// Spread evenly over [-1, 1), exact in a float. A and B go on counting where the other ends: a
// stage that takes one for the other is found out.
struct filling {
    float *to;
    size_t n;
    uint64_t seed, first;
};
enum { FILL = 1 << 16 };   // elements at a time

static void fill_piece(long long piece, void *context)
{
    struct filling *f = context;

    for (size_t i = (size_t)piece * FILL; i < f->n && i < ((size_t)piece + 1) * FILL; i++)
        f->to[i] = (float)((int64_t)hash64(f->seed, f->first + i) >> 40) * 0x1p-23f;
}

static void fill(const struct problem *p, void *const host[])
{
    size_t a = (size_t)p->dim[0] * p->dim[2], b = (size_t)p->dim[2] * p->dim[1];
    struct filling A = { host[0], a, p->seed, 0 }, B = { host[1], b, p->seed, a };

    parallel((a + FILL - 1) / FILL, fill_piece, &A);
    parallel((b + FILL - 1) / FILL, fill_piece, &B);
}

static void reference(const struct problem *p, void *const host[], void *const want[])
{
    dense_product(host[0], host[1], want[2], p->dim[0], p->dim[1], p->dim[2]);
}

// How far a right result may be off. Every rounding errs by at most u of what it rounds, evenly
// spread this way and that: a variance of at most u^2 / 3 of its square. What is rounded on the way
// to an element, in whatever order, are at most the products, of mean square v = 1/9, and sums of
// 1, 2, ... K of them, the order with the largest sums. If a sum of c were always about sqrt(c v),
// all this would have a variance of less than u^2 v (K + 2)^2 / 6. But an element whose sums happen
// to be large has large errors as well, and among many elements some do: sums are a random walk W,
// errors another one, B, which W scales. The error is u sqrt(v / 3) (K + 2) times x, the integral
// of W dB from 0 to 1. For that, E exp(s x) = cos(s)^(-1/2) (P. Levy's stochastic area), and
// cos(s)^(-n/2) where n elements are added up. By Chernoff's bound one of `count` such sums goes
// beyond t with a probability of at most 2 count cos(s)^(-n/2) exp(-s t). We allow one in a
// million, with an s near the best.
//
// That rounding errors are as independent as that is the model of N. J. Higham, T. Mary, Sharper
// probabilistic backward error analysis for basic linear algebra kernels with random data, SIAM J.
// Sci. Comput. 42(5), 2020. The certain bound, K u sum|ab|, is 1 at K = 8192: a lost product
// passes.
static double fp32_bound(double n, double count, double K)
{
    double u = FLT_EPSILON / 2, v = 1.0 / 9;
    double log_count = log(2e6 * count), s = fmin(1.5, sqrt(4 * log_count / n));

    return u * sqrt(v / 3) * (K + 2) * (log_count - n / 2 * log(cos(s))) / s;
}

// The same in TF32, for tensor cores that cut off what a factor has behind its first 11 bits, and
// cut again, always towards zero, whenever they add. A product is off by e b + f a, where e is
// spread evenly from 0 to 2^-10 of the power of two below |a|; with a itself spread as fill() does
// it, E e^2 = 2^-22 4/21 and E |e a| = 2^-11 3/14, hence 2 E e^2 / 3 + 2 (E |e a|)^2 < 2^-24 for a
// product's mean square. An addition is off by up to 2 u of the sum, K of them by that times the
// integral of |W|, of mean square 3/8. Both make errors about as normal values are spread.
static double tf32_bound(double n, double count, double K)
{
    double u = FLT_EPSILON / 2, v = 1.0 / 9;

    return sqrt(2 * log(2e6 * count) * n * K) * (0x1p-12 + 2 * u * sqrt(3.0 / 8 * v) * K);
}

// For sums of n elements of C, of which there are `count`.
static double bound(const struct problem *p, double n, double count)
{
    return (strcmp(p->arithmetic, "tf32") == 0 ? tf32_bound : fp32_bound)(n, count,
                                                                          (double)p->dim[2]);
}

static double tolerance(const struct problem *p)
{
    return bound(p, 1, (double)p->dim[0] * p->dim[1]);
}

// Above 4096 x 4096 x 4096 a product in double would take a computer of a few processors more than
// some seconds. There, two things are compared.
//
// All of C, multiplied by a matrix X of eight columns, each element 1 or -1 at random: C X must be
// A (B X), which takes 8 (M N + M K + K N) multiplications instead of M N K (R. Freivalds,
// Probabilistic machines can use less running time, IFIP Congress 1977). An element that is off by
// e moves eight numbers by e, so one that is off by more than twice the tolerance is always found;
// two in a row could cancel, in all eight columns with probability 2^-8. The tolerance is wider
// than an element's by about sqrt(N), for so many errors are added up.
//
// And SAMPLE whole rows of C, one from each SAMPLE-th of the rows, to an element's own tolerance.
enum { SAMPLE = 16 };

static size_t sample_row(const struct problem *p, int i)
{
    size_t M = p->dim[0], first = M * i / SAMPLE, end = M * (i + 1) / SAMPLE;

    return first + hash64(~p->seed, i) % (end - first);
}

// A matrix of few rows or columns is never too dear, and X or B X would take more memory than it.
static int digests(const struct problem *p, struct digest out[MAX_DIGESTS])
{
    static size_t rows[SAMPLE];
    size_t M = p->dim[0], N = p->dim[1];

    if (M < 64 || N < 64 || (double)M * N * p->dim[2] <= 0x1p36)
        return 0;
    for (int i = 0; i < SAMPLE; i++)
        rows[i] = sample_row(p, i);
    out[0] = (struct digest){
        .array = { .name = "C X",
                   .role = OUT,
                   .type = TYPE_F64,
                   .count = M * COLUMNS,
                   .row = COLUMNS },
        .tolerance = bound(p, N, (double)M * COLUMNS),
        .says = "every row of C times eight columns of random signs",
    };
    out[1] = (struct digest){
        .array = { .name = "C",
                   .role = OUT,
                   .type = TYPE_F64,
                   .count = SAMPLE * N,
                   .row = N,
                   .row_number = rows },
        .tolerance = tolerance(p),
        .elements = 1,
        .says = "16 whole rows of C",
    };
    return 2;
}

static double *new_signs(const struct problem *p)
{
    double *X = must_malloc((size_t)p->dim[1] * COLUMNS * sizeof *X);

    for (long long n = 0; n < p->dim[1]; n++) {
        uint64_t bits = hash64(p->seed ^ 1ull << 63, n);

        for (int c = 0; c < COLUMNS; c++)
            X[n * COLUMNS + c] = bits >> c & 1 ? 1 : -1;
    }
    return X;
}

static void digest_wanted(const struct problem *p, void *const host[], double *const want[])
{
    long long M = p->dim[0], N = p->dim[1], K = p->dim[2];
    double *X = new_signs(p), *BX = must_malloc((size_t)K * COLUMNS * sizeof *BX);
    float *A = must_malloc((size_t)SAMPLE * K * sizeof *A);

    dense_columns(host[1], X, BX, K, N);
    dense_columns(host[0], BX, want[0], M, K);
    for (int i = 0; i < SAMPLE; i++)
        memcpy(A + i * K, (const float *)host[0] + sample_row(p, i) * K, K * sizeof *A);
    dense_product(A, host[1], want[1], SAMPLE, N, K);
    free(A);
    free(BX);
    free(X);
}

static void digest_got(const struct problem *p, void *const host[], double *const got[])
{
    long long M = p->dim[0], N = p->dim[1];
    double *X = new_signs(p);

    dense_columns(host[2], X, got[0], M, N);
    for (int i = 0; i < SAMPLE; i++)
        for (long long n = 0; n < N; n++)
            got[1][i * N + n] = ((const float *)host[2])[sample_row(p, i) * N + n];
    free(X);
}

static void run(stage_fn *stage, const struct problem *p, void *const device[])
{
    void (*call)(const float *, const float *, float *, int, int, int) =
        (void (*)(const float *, const float *, float *, int, int, int))stage;

    call(device[0], device[1], device[2], (int)p->dim[0], (int)p->dim[1], (int)p->dim[2]);
}

static double elements(const struct problem *p) { return (double)p->dim[0] * p->dim[1]; }
// a product and an addition for each k
static double flops(const struct problem *p) { return 2 * elements(p) * p->dim[2]; }

// A and B are read once, C is written once.
static double bytes(const struct problem *p)
{
    double M = p->dim[0], N = p->dim[1], K = p->dim[2];

    return sizeof(float) * (M * K + K * N + M * N);
}

const struct week week = {
    .name = "03_matmul",
    .problem = "C[m][n] = A[m][0] B[0][n] + ... + A[m][K - 1] B[K - 1][n], float",
    .size_form = "MxNxK",
    .size_words = "C is M x N, summed over K",
    .dims = 3,
    .types = types,
    .n_types = 1,
    .unit = "GFLOP/s",
    .baseline = "ref_cublas",
    .check_sizes = check_sizes,
    .gpu_check_sizes = gpu_check_sizes,
    .gpu_sizes = gpu_sizes,
    .cpu_size = cpu_size,
    .gpu_shmoo = gpu_shmoo,
    .cpu_shmoo = cpu_shmoo,
    .limit = limit,
    .buffers = buffers,
    .fill = fill,
    .reference = reference,
    .tolerance = tolerance,
    .run = run,
    .bytes = bytes,
    .flops = flops,
    .work = flops,
    .elements = elements,
    .stage = (stage_fn *)matmul,
    .entry = "matmul",
    .digests = digests,
    .digest_wanted = digest_wanted,
    .digest_got = digest_got,
};

// The problem of week 3: the product of two matrices, of floats or of bf16.
#include "matmul.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense.h"
#include "../common/harness/week.h"
#include "../common/base/program.h"

// bf16 is the upper half of a float.
typedef uint16_t bf16;

static const enum type types[] = { TYPE_F32, TYPE_BF16 };

enum { ZEROS };   // of options[]

static int is_bf16(const struct problem *p) { return p->type == TYPE_BF16; }
static size_t element_bytes(const struct problem *p)
{
    return is_bf16(p) ? sizeof(bf16) : sizeof(float);
}

// A stage indexes each matrix with an int, and up to 32 rows of B even if K is smaller. The grid
// has at most 65,535 tiles of 16 or more rows in its y dimension. The comparisons divide, because
// the products could overflow.
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

    out[0] = (struct buffer){ "A", IN, p->type, .count = M * K, .row = K };
    out[1] = (struct buffer){ "B", IN, p->type, .count = K * N, .row = N };
    out[2] = (struct buffer){ "C", OUT, p->type, .count = M * N, .row = N, .want_double = 1 };
    return 3;
}

// n elements, from `first` on, of a sequence that is uniformly distributed in [-1, 1) and exact in
// float.
static void fill_floats(float *to, size_t n, uint64_t seed, size_t first)
{
#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        to[i] = (float)((int64_t)hash64(seed, first + i) >> 40) * 0x1p-23f;
}

// The same in bf16, about normally distributed: a sum of eight uniform 4-bit numbers, less its
// mean, divided by 16. That is at most 60 / 16, and exact in bf16. Its variance is BF16_VARIANCE.
static const double BF16_VARIANCE = 170.0 / 256;

static void fill_bf16(bf16 *to, size_t n, uint64_t seed, size_t first)
{
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        uint64_t hash = hash64(seed, first + i);
        int sum = -60;
        float value;
        uint32_t bits;

        for (int j = 0; j < 8; j++)
            sum += hash >> 4 * j & 15;
        value = (float)sum / 16;
        memcpy(&bits, &value, sizeof bits);
        to[i] = bits >> 16;
    }
}

static void fill_matrix(const struct problem *p, void *to, size_t n, size_t first)
{
    if (p->option[ZEROS])
        memset(to, 0, n * element_bytes(p));
    else if (is_bf16(p))
        fill_bf16(to, n, input_seed(p), first);
    else
        fill_floats(to, n, input_seed(p), first);
}

// B continues the sequence where A ends, so that a stage that swaps the two is wrong.
static void fill(const struct problem *p, void *const host[])
{
    size_t a = (size_t)p->dim[0] * p->dim[2], b = (size_t)p->dim[2] * p->dim[1];

    fill_matrix(p, host[0], a, 0);
    fill_matrix(p, host[1], b, a);
}

// n elements as floats: the array itself, or a copy of bf16. The caller passes it to release().
static const float *floats_of(const struct problem *p, const void *elements, size_t n)
{
    float *to;

    if (!is_bf16(p))
        return elements;
    to = must_malloc(n * sizeof *to);
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = (uint32_t)((const bf16 *)elements)[i] << 16;

        memcpy(&to[i], &bits, sizeof bits);
    }
    return to;
}

static void release(const struct problem *p, const float *floats)
{
    if (is_bf16(p))
        free((void *)floats);
}

// A product of two bf16 is exact in float, and one of two floats in double.
static void reference(const struct problem *p, void *const host[], void *const want[])
{
    long long M = p->dim[0], N = p->dim[1], K = p->dim[2];
    const float *A = floats_of(p, host[0], (size_t)M * K),
                *B = floats_of(p, host[1], (size_t)K * N);

    dense_product(A, B, want[2], M, N, K);
    release(p, A);
    release(p, B);
}

// The largest error of a correct result. The error of one rounding is uniformly distributed, of
// either sign, and at most u times the rounded value r: its variance is at most u^2 r^2 / 3. The
// roundings of an element are those of its products, of mean square v = 1/9, and of its sums. The
// sums are largest if products are added one by one: sums of 1, 2, ... K products. If a sum of c
// products were always about sqrt(c v), the variance of all errors would be less than
// u^2 v (K + 2)^2 / 6. But an element with large sums also has large errors, and among many
// elements some have large sums: the sums are a random walk W, and the errors another one, B,
// scaled by W. The error is u sqrt(v / 3) (K + 2) times x, the integral of W dB from 0 to 1. For x,
// E exp(s x) = cos(s)^(-1/2) (P. Levy's stochastic area), and cos(s)^(-n/2) if n elements are added
// up. By Chernoff's bound, the probability that one of `count` such sums exceeds t is at most 2
// count cos(s)^(-n/2) exp(-s t). We allow one in a million, with an s near the best.
//
// The model of independent rounding errors is that of N. J. Higham, T. Mary, Sharper probabilistic
// backward error analysis for basic linear algebra kernels with random data, SIAM J. Sci. Comput.
// 42(5), 2020. The worst-case bound, K u sum|ab|, is 1 at K = 8192: it does not detect a missing
// product.
static double fp32_bound(double n, double count, double K)
{
    double u = FLT_EPSILON / 2, v = 1.0 / 9;
    double log_count = log(2e6 * count), s = fmin(1.5, sqrt(4 * log_count / n));

    return u * sqrt(v / 3) * (K + 2) * (log_count - n / 2 * log(cos(s))) / s;
}

// The same in TF32. Tensor cores truncate a factor to 11 significant bits, and truncate each sum
// toward zero. The error of a product is e b + f a, where e is uniformly distributed from 0 to
// 2^-10 of the power of two below |a|. With the inputs of fill(), E e^2 = 2^-22 4/21 and E |e a| =
// 2^-11 3/14, hence the mean square of a product's error is 2 E e^2 / 3 + 2 (E |e a|)^2 < 2^-24.
// The error of an addition is up to 2 u of the sum, and that of K additions is 2 u times the
// integral of |W|, of mean square 3/8. Both errors have about a normal distribution.
static double tf32_bound(double n, double count, double K)
{
    double u = FLT_EPSILON / 2, v = 1.0 / 9;

    return sqrt(2 * log(2e6 * count) * n * K) * (0x1p-12 + 2 * u * sqrt(3.0 / 8 * v) * K);
}

// The same for bf16. Its products are exact, and tensor cores truncate their sums as above. The
// last rounding is to 8 bits. That of one element is at most 2^-8 of the element
// (relative_tolerance()). Those of n elements are independent, of either sign, and their variance
// is at most a third of the square of that: an element has the mean square v K.
static double bf16_bound(double n, double count, double K)
{
    double u = FLT_EPSILON / 2, v = BF16_VARIANCE * BF16_VARIANCE;
    double sums = 2 * u * sqrt(3.0 / 8 * v) * K, last = n > 1 ? 0x1p-8 * sqrt(v / 3) : 0;

    return sqrt(2 * log(2e6 * count) * n * K) * (sums + last);
}

// For `count` sums of n elements of C each.
static double bound(const struct problem *p, double n, double count)
{
    int tf32 = strcmp(p->arithmetic, "tf32") == 0;

    return (is_bf16(p) ? bf16_bound : tf32 ? tf32_bound : fp32_bound)(n, count, (double)p->dim[2]);
}

static double relative_tolerance(const struct problem *p) { return is_bf16(p) ? 0x1p-8 : 0; }

static double tolerance(const struct problem *p)
{
    return bound(p, 1, (double)p->dim[0] * p->dim[1]);
}

// Above 4096 x 4096 x 4096, a product in double takes the host too long. Two comparisons replace
// it.
//
// 1. All of C is compared as C X = A (B X), where X has eight columns of random signs. That takes
// 8 (M N + M K + K N) multiplications instead of M N K (R. Freivalds, Probabilistic machines can
// use less running time, IFIP Congress 1977). An error e of an element changes eight numbers by e,
// so an error of more than twice the tolerance is always found. Two errors in a row cancel in all
// eight columns with probability 2^-8. The tolerance is about sqrt(N) times that of an element,
// because the errors of N elements are added up.
//
// 2. SAMPLE whole rows of C are compared, one from each SAMPLE-th of the rows, with the tolerance
// of an element.
enum { SAMPLE = 16 };

static size_t sample_row(const struct problem *p, int i)
{
    size_t M = p->dim[0], first = M * i / SAMPLE, end = M * (i + 1) / SAMPLE;

    return first + hash64(~input_seed(p), i) % (end - first);
}

// No digests if C has few rows or columns: the reference is fast, and X or B X would need more
// memory than the matrix.
static int digests(const struct problem *p, struct digest out[MAX_DIGESTS])
{
    static size_t rows[SAMPLE];
    size_t M = p->dim[0], N = p->dim[1];

    if (M < 64 || N < 64 || (double)M * N * p->dim[2] <= 0x1p36)
        return 0;
    for (int i = 0; i < SAMPLE; i++)
        rows[i] = sample_row(p, i);
    out[0] = (struct digest){
        .array = { "C X", OUT, TYPE_F64, .count = M * COLUMNS, .row = COLUMNS },
        .tolerance = bound(p, N, (double)M * COLUMNS),
        .says = "every row of C times eight columns of random signs",
    };
    out[1] = (struct digest){
        .array = { "C", OUT, TYPE_F64, .count = SAMPLE * N, .row = N, .row_number = rows },
        .tolerance = tolerance(p),
        .relative = relative_tolerance(p),
        .elements = 1,
        .says = "16 whole rows of C",
    };
    return 2;
}

static double *new_signs(const struct problem *p)
{
    double *X = must_malloc((size_t)p->dim[1] * COLUMNS * sizeof *X);

    for (long long n = 0; n < p->dim[1]; n++) {
        uint64_t bits = hash64(input_seed(p) ^ 1ull << 63, n);

        for (int c = 0; c < COLUMNS; c++)
            X[n * COLUMNS + c] = bits >> c & 1 ? 1 : -1;
    }
    return X;
}

static void digest_wanted(const struct problem *p, void *const host[], double *const want[])
{
    long long M = p->dim[0], N = p->dim[1], K = p->dim[2];
    double *X = new_signs(p), *BX = must_malloc((size_t)K * COLUMNS * sizeof *BX);
    const float *A = floats_of(p, host[0], (size_t)M * K),
                *B = floats_of(p, host[1], (size_t)K * N);
    float *rows = must_malloc((size_t)SAMPLE * K * sizeof *rows);

    dense_columns(B, X, BX, K, N);
    dense_columns(A, BX, want[0], M, K);
    for (int i = 0; i < SAMPLE; i++)
        memcpy(rows + i * K, A + sample_row(p, i) * K, K * sizeof *rows);
    dense_product(rows, B, want[1], SAMPLE, N, K);
    free(rows);
    release(p, A);
    release(p, B);
    free(BX);
    free(X);
}

static void digest_got(const struct problem *p, void *const host[], double *const got[])
{
    long long M = p->dim[0], N = p->dim[1];
    double *X = new_signs(p);
    const float *C = floats_of(p, host[2], (size_t)M * N);

    dense_columns(C, X, got[0], M, N);
    for (int i = 0; i < SAMPLE; i++)
        for (long long n = 0; n < N; n++)
            got[1][i * N + n] = C[sample_row(p, i) * N + n];
    release(p, C);
    free(X);
}

static void run(stage_fn *stage, const struct problem *p, void *const device[])
{
    __typeof__(matmul) *call = (__typeof__(matmul) *)stage;

    call(device[0], device[1], device[2], (int)p->dim[0], (int)p->dim[1], (int)p->dim[2]);
}

static double elements(const struct problem *p) { return (double)p->dim[0] * p->dim[1]; }
// A product and an addition for each k.
static double flops(const struct problem *p) { return 2 * elements(p) * p->dim[2]; }

// A and B are read once, C is written once.
static double bytes(const struct problem *p)
{
    double M = p->dim[0], N = p->dim[1], K = p->dim[2];

    return element_bytes(p) * (M * K + K * N + M * N);
}

// Zeros show what inputs do to the power, and thus to the clock.
static const char *take_inputs(const char *argument, struct problem *p)
{
    if (strcmp(argument, "zeros") != 0)
        return "not known inputs; expected zeros";
    p->option[ZEROS] = 1;
    return NULL;
}

static const struct week_option options[] = {
    [ZEROS] = { "inputs", "I", "zeros: A and B are 0 (the default: random numbers)", ONE_SIZE,
                take_inputs },
    { 0 },
};

static const char *variant(const struct problem *p)
{
    return p->option[ZEROS] ? "inputs=zeros" : "";
}

const struct week week = {
    .name = "03_matmul",
    .problem = "C[m][n] = A[m][0] B[0][n] + ... + A[m][K - 1] B[K - 1][n], float",
    .size_form = "MxNxK",
    .size_words = "C is M x N, summed over K",
    .dims = 3,
    .types = types,
    .n_types = 1,
    .n_stage_types = 1,
    .unit = "GFLOP/s",
    .compute_bound = 1,
    .baseline = "ref_cublas",
    .type_baseline = "ref_cublas_bf16",
    // A single product, one row, one column, one k; one less and one more than a tile; primes; tall
    // and wide; rows that are not a multiple of four floats, and some that are, or are multiples of
    // 128, for stages that accept only those; more than one tile of the largest stages, in each
    // direction.
    .check_sizes =
        "1x1x1 1x129x1 67x1x1 37x43x1 1x1x517 3x17x33 16x16x16 32x64x96 31x33x32 "
        "127x129x65 101x103x107 521x5x19 7x509x23 36x44x52 128x256x32 256x128x32 "
        "132x260x20 64x96x200 513x130x17 140x268x36 625x5x197 "
        // K of every remainder of a division by 4 with N a multiple of 4; and the reverse
        "37x44x51 132x260x22 68x36x33 66x65x36 40x130x20 33x67x64 "
        // N and K of a multiple of eight, for stages that accept only those
        "1x8x8 64x8x8 300x8x8 129x264x72 127x8x200 260x520x136 8x776x64",
    // One that is too large for a reference and that no tile divides, and a C of just less than
    // 2^31 elements whose last tiles are partial. With the first, a stream-K stage gives some
    // workers parts of two tiles; 625x5x197 does the same on the CPU device.
    .gpu_check_sizes = "2593x2459x131 4099x4093x4097 46340x46340x33 2593x2456x136",
    .gpu_sizes = "4096x4096x4096 2048x2048x2048 1024x1024x1024",
    .cpu_size = "256x256x64",   // whole tiles of every stage
    .traced_size = "256x256x1024",
    // Cubes of round sizes, and a few that no tile divides; `make sawtooth` has finer steps.
    .gpu_shmoo = "128x128x128 192x192x192 256x256x256 384x384x384 512x512x512 768x768x768 "
                 "1024x1024x1024 1025x1025x1025 1536x1536x1536 2048x2048x2048 2049x2049x2049 "
                 "3072x3072x3072 4096x4096x4096 4099x4093x4097 6144x6144x6144 8192x8192x8192 "
                 "12288x12288x12288 16384x16384x16384",
    .cpu_shmoo = "32x32x32 64x64x64 128x128x128 192x192x192 256x256x256",
    .limit = limit,
    .buffers = buffers,
    .fill = fill,
    .reference = reference,
    .tolerance = tolerance,
    .relative_tolerance = relative_tolerance,
    .run = run,
    .bytes = bytes,
    .flops = flops,
    .work = flops,
    .elements = elements,
    .stage = (stage_fn *)matmul,
    .entry = "matmul",
    .options = options,
    .variant = variant,
    .digests = digests,
    .digest_wanted = digest_wanted,
    .digest_got = digest_got,
};

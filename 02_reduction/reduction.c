// Week 2's problem: the sum of an array of ints, floats or doubles.
#include "reduction.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "../common/harness/die.h"
#include "../common/harness/week.h"
#include "../common/harness/parallel.h"

static const enum type types[] = { TYPE_I32, TYPE_F32, TYPE_F64 };

// One element, one less and one more than a warp, a block and a tile, powers of two and their
// neighbours, primes.
static const long long check_sizes[][MAX_DIMS] = {
    { 1 },     { 2 },      { 3 },      { 31 },    { 32 },    { 33 },    { 255 },
    { 256 },   { 257 },    { 511 },    { 513 },   { 1023 },  { 1024 },  { 1025 },
    { 4095 },  { 4096 },   { 4097 },   { 10007 }, { 16383 }, { 16384 }, { 16385 },
    { 65537 }, { 104729 }, { 262143 }, { 0 },
};
// Above 2^31, where an index no longer fits into an int.
static const long long gpu_check_sizes[][MAX_DIMS] = { { (1LL << 31) + 10007 }, { 0 } };
static const long long gpu_sizes[][MAX_DIMS] = {
    { 1 << 30 }, { 1 << 28 }, { 1 << 26 }, { 1 << 24 }, { 0 }
};
static const long long cpu_size[] = { 1 << 20, 1, 1 };
static const long long gpu_shmoo[][MAX_DIMS] = {
    { 1 << 0 },  { 1 << 1 },  { 1 << 2 },  { 1 << 3 },  { 1 << 4 },  { 1 << 5 },  { 1 << 6 },
    { 1 << 7 },  { 1 << 8 },  { 1 << 9 },  { 1 << 10 }, { 1 << 11 }, { 1 << 12 }, { 1 << 13 },
    { 1 << 14 }, { 1 << 15 }, { 1 << 16 }, { 1 << 17 }, { 1 << 18 }, { 1 << 19 }, { 1 << 20 },
    { 1 << 21 }, { 1 << 22 }, { 1 << 23 }, { 1 << 24 }, { 1 << 25 }, { 1 << 26 }, { 1 << 27 },
    { 1 << 28 }, { 1 << 29 }, { 1 << 30 }, { 0 },
};
static const long long cpu_shmoo[][MAX_DIMS] = {
    { 1 << 0 },  { 1 << 2 },  { 1 << 4 },  { 1 << 6 },  { 1 << 8 },  { 1 << 10 },
    { 1 << 12 }, { 1 << 14 }, { 1 << 16 }, { 1 << 18 }, { 1 << 20 }, { 0 },
};

// With one block for 512 elements or more, 2^40 elements keep a grid below the 2^31 blocks that it
// may have.
static const char *limit(const struct problem *p)
{
    return p->dim[0] > 1LL << 40 ? "n must be at most 2^40" : NULL;
}

static int buffers(const struct problem *p, struct buffer out[MAX_BUFFERS])
{
    out[0] =
        (struct buffer){ .name = "in", .role = IN, .type = p->type, .count = (size_t)p->dim[0] };
    out[1] = (struct buffer){
        .name = "out", .role = OUT, .type = p->type, .count = 1, .want_double = p->type == TYPE_F32
    };
    return 2;
}

// What one processor fills or sums at a time. Pieces are of one length, so that a sum does not
// depend on how many processors share them.
enum { PIECE = 1 << 16 };

static long long pieces(const struct problem *p) { return (p->dim[0] - 1) / PIECE + 1; }
static long long in_piece(const struct problem *p, long long piece)
{
    return piece < pieces(p) - 1 ? PIECE : p->dim[0] - piece * PIECE;
}

// ints use all 32 bits, so that sums wrap. The others are spread evenly over [-1, 1).
struct filling {
    const struct problem *p;
    void *in;
};

static void fill_piece(long long piece, void *context)
{
    const struct filling *f = context;
    enum type type = f->p->type;

    for (long long i = piece * PIECE, end = i + in_piece(f->p, piece); i < end; i++) {
        uint64_t bits = hash64(f->p->seed, i);

        if (type == TYPE_I32)
            ((uint32_t *)f->in)[i] = (uint32_t)(bits >> 32);
        else if (type == TYPE_F32)
            ((float *)f->in)[i] = (float)((int64_t)bits >> 40) * 0x1p-23f;
        else
            ((double *)f->in)[i] = (double)((int64_t)bits >> 11) * 0x1p-52;
    }
}

static void fill(const struct problem *p, void *const host[])
{
    struct filling f = { p, host[0] };

    parallel(pieces(p), fill_piece, &f);
}

static uint32_t sum_of_ints(const uint32_t *in, long long n)
{
    uint32_t sum = 0;

    for (long long i = 0; i < n; i++)
        sum += in[i];
    return sum;
}

static double sum_of_floats(const float *in, long long n)
{
    double sum = 0;

    for (long long i = 0; i < n; i++)
        sum += in[i];
    return sum;
}

// In long double, and by Kahan's method, for those machines where that is a double.
static long double sum_of_doubles(const double *in, long long n)
{
    long double sum = 0, lost = 0;

    for (long long i = 0; i < n; i++) {
        long double next = in[i] - lost, longer = sum + next;

        lost = (longer - sum) - next;
        sum = longer;
    }
    return sum;
}

struct summing {
    const struct problem *p;
    const void *in;
    long double *sum;
};   // sum[] of pieces

static void sum_piece(long long piece, void *context)
{
    const struct summing *s = context;
    long long at = piece * PIECE, n = in_piece(s->p, piece);

    s->sum[piece] = s->p->type == TYPE_I32 ? sum_of_ints((const uint32_t *)s->in + at, n)
                  : s->p->type == TYPE_F32 ? sum_of_floats((const float *)s->in + at, n)
                                           : sum_of_doubles((const double *)s->in + at, n);
}

static void reference(const struct problem *p, void *const host[], void *const want[])
{
    struct summing s = { p, host[0], must_malloc(pieces(p) * sizeof *s.sum) };
    long double sum = 0;
    uint32_t wrapped = 0;

    parallel(pieces(p), sum_piece, &s);
    for (long long i = 0; i < pieces(p); i++) {
        sum += s.sum[i];
        wrapped += p->type == TYPE_I32 ? (uint32_t)s.sum[i] : 0;
    }
    if (p->type == TYPE_I32)
        *(uint32_t *)want[1] = wrapped;
    else
        *(double *)want[1] = (double)sum;
    free(s.sum);
}

// An addition errs by at most u times its result, this way or that. With values of mean 0 and mean
// square v, a sum of c of them is about sqrt(c v), so all errors together have a variance of at
// most u^2 v times the sum of c over all additions; and that is n times the additions on an
// element's way into the result, or less (N. J. Higham, T. Mary, Sharper probabilistic backward
// error analysis for basic linear algebra kernels with random data, SIAM J. Sci. Comput. 42(5),
// 2020). On that way we allow what 4096 threads need whose sums are then added up one after the
// other. Six standard deviations; the 1 is for what is right, which is rounded too. The certain
// bound, n u sum|x|, would let a stage lose half of its elements.
static double tolerance(const struct problem *p)
{
    double n = (double)p->dim[0], v = 1.0 / 3;
    double u = p->type == TYPE_F32 ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
    double additions = fmin(n, 4096 + n / 4096);

    return p->type == TYPE_I32 ? 0 : 6 * u * sqrt(n * v) * (1 + sqrt(additions));
}

static void run(stage_fn *stage, const struct problem *p, void *const device[])
{
    void (*call)(const void *, void *, long long, enum type) =
        (void (*)(const void *, void *, long long, enum type))stage;

    call(device[0], device[1], p->dim[0], p->type);
}

static double elements(const struct problem *p) { return (double)p->dim[0]; }
// each is read once
static double bytes(const struct problem *p) { return (p->type == TYPE_F64 ? 8 : 4) * elements(p); }
static double flops(const struct problem *p) { return p->type == TYPE_I32 ? 0 : elements(p) - 1; }

const struct week week = {
    .name = "02_reduction",
    .problem = "out = in[0] + in[1] + ... + in[n - 1]",
    .size_form = "N",
    .size_words = "elements",
    .dims = 1,
    .types = types,
    .n_types = 3,
    .unit = "GB/s",
    .baseline = "ref_cub",
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
    .work = bytes,
    .elements = elements,
    .stage = (stage_fn *)reduction,
    .entry = "reduction",
};

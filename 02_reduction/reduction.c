// Week 2's problem: the sum of an array of ints, floats or doubles.
#include "reduction.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "../common/harness/week.h"
#include "../common/base/program.h"

static const enum type types[] = { TYPE_I32, TYPE_F32, TYPE_F64 };

// A grid has at most 2^31 - 1 blocks, and a block of a stage sums at least 512 elements.
static const char *limit(const struct problem *p)
{
    return p->dim[0] >= 1LL << 40 ? "n must be below 2^40" : NULL;
}

static int buffers(const struct problem *p, struct buffer out[MAX_BUFFERS])
{
    out[0] = (struct buffer){ "in", IN, p->type, .count = (size_t)p->dim[0] };
    out[1] = (struct buffer){ "out", OUT, p->type, .count = 1, .want_double = p->type == TYPE_F32 };
    return 2;
}

// ints use all 32 bits, so that sums wrap. The other types are uniformly distributed in [-1, 1).
static void fill(const struct problem *p, void *const host[])
{
    enum type type = p->type;
    void *in = host[0];

#pragma omp parallel for
    for (long long i = 0; i < p->dim[0]; i++) {
        uint64_t bits = hash64(input_seed(p), i);

        if (type == TYPE_I32)
            ((uint32_t *)in)[i] = (uint32_t)(bits >> 32);
        else if (type == TYPE_F32)
            ((float *)in)[i] = (float)((int64_t)bits >> 40) * 0x1p-23f;
        else
            ((double *)in)[i] = (double)((int64_t)bits >> 11) * 0x1p-52;
    }
}

// Unsigned sums wrap around, so the order of the additions does not matter.
static uint32_t sum_of_ints(const uint32_t *in, long long n)
{
    uint32_t sum = 0;

#pragma omp parallel for reduction(+ : sum)
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

// In long double and by Kahan's method, because on some machines a long double is only a double.
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

// Sums pieces of a fixed length, then adds their sums in order: the result does not depend on the
// number of threads.
static double sum_of_pieces(const struct problem *p, const void *in)
{
    enum { PIECE = 1 << 16 };
    long long pieces = (p->dim[0] - 1) / PIECE + 1;
    long double *of_piece = must_malloc(pieces * sizeof *of_piece), sum = 0;

#pragma omp parallel for schedule(dynamic)
    for (long long i = 0; i < pieces; i++) {
        long long at = i * PIECE, n = i < pieces - 1 ? PIECE : p->dim[0] - at;

        of_piece[i] = p->type == TYPE_F32 ? sum_of_floats((const float *)in + at, n)
                                          : sum_of_doubles((const double *)in + at, n);
    }
    for (long long i = 0; i < pieces; i++)
        sum += of_piece[i];
    free(of_piece);
    return (double)sum;
}

static void reference(const struct problem *p, void *const host[], void *const want[])
{
    if (p->type == TYPE_I32)
        *(uint32_t *)want[1] = sum_of_ints(host[0], p->dim[0]);
    else
        *(double *)want[1] = sum_of_pieces(p, host[0]);
}

// Six standard deviations of the rounding errors. The error of an addition is at most u times its
// result, of either sign. If values have mean 0 and mean square v, a sum of c of them is about
// sqrt(c v). So the variance of all errors together is at most u^2 v times the sum of c over all
// additions, which is at most n times the number of additions that an element takes part in (N. J.
// Higham, T. Mary, Sharper probabilistic backward error analysis for basic linear algebra kernels
// with random data, SIAM J. Sci. Comput. 42(5), 2020). We allow the additions of 4096 running sums
// that are then added one after the other, a worse order than that of any stage. The 1 is for the
// reference, which is rounded too. The worst-case bound, n u sum|x|, would accept a stage that
// loses half of the elements.
static double tolerance(const struct problem *p)
{
    double n = (double)p->dim[0], v = 1.0 / 3;
    double u = p->type == TYPE_F32 ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
    double additions = fmin(n, 4096 + n / 4096);

    return p->type == TYPE_I32 ? 0 : 6 * u * sqrt(n * v) * (1 + sqrt(additions));
}

static void run(stage_fn *stage, const struct problem *p, void *const device[])
{
    __typeof__(reduction) *call = (__typeof__(reduction) *)stage;

    call(device[0], device[1], p->dim[0], p->type);
}

static double elements(const struct problem *p) { return (double)p->dim[0]; }
// Each element is read once.
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
    // One element, one less and one more than a warp, a block and a tile, powers of two and their
    // neighbors, primes.
    .check_sizes = "1 2 3 31 32 33 255 256 257 511 513 1023 1024 1025 4095 4096 4097 10007 16383 "
                   "16384 16385 65537 104729",
    // one element less and one more than two launches reduce to one sum: with one element per
    // thread and blocks of 512, and one more with two
    .one_type_check_sizes = "262143 262145 1048577",
    // above 2^31, where an index no longer fits into an int
    .gpu_check_sizes = "2147493655",
    // powers of two
    .gpu_sizes = "1073741824 268435456 67108864 16777216",
    .counted_sms = 132,   // an H200's
    .cpu_size = "1048576",
    .gpu_shmoo = "1 2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 32768 65536 131072 262144 "
                 "524288 1048576 2097152 4194304 8388608 16777216 33554432 67108864 134217728 "
                 "268435456 536870912 1073741824",
    .cpu_shmoo = "1 4 16 64 256 1024 4096 16384 65536 262144 1048576",
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

// Week 5's problem: the scan (all prefix sums) of an array of ints, floats or doubles.
#include "scan.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../common/harness/week.h"
#include "../common/base/program.h"

enum { EXCLUSIVE };   // places in problem.option[]

static const enum type types[] = { TYPE_F32, TYPE_I32, TYPE_F64 };

static const char *take_exclusive(const char *text, struct problem *p)
{
    (void)text;
    p->option[EXCLUSIVE] = 1;
    return NULL;
}

static const struct week_option options[] = {
    { "exclusive", NULL, "out[i] is the sum of the elements before i; default: up to i", ANY_SIZE,
      take_exclusive },
    { 0 },
};

static const char *variant(const struct problem *p)
{
    return p->option[EXCLUSIVE] ? "exclusive" : "";
}

// Every second size is checked exclusive.
static void vary(struct problem *p, int nth)
{
    if (nth % 2)
        p->option[EXCLUSIVE] = 1;
}

static const char *limit(const struct problem *p)
{
    return p->dim[0] > 1LL << 31 ? "n must be at most 2^31" : NULL;
}

static int buffers(const struct problem *p, struct buffer out[MAX_BUFFERS])
{
    size_t n = (size_t)p->dim[0];

    out[0] = (struct buffer){ "in", IN, p->type, .count = n };
    out[1] = (struct buffer){ "out", OUT, p->type, .count = n, .want_double = p->type == TYPE_F32 };
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

// Exact: unsigned sums wrap around.
static void scan_ints(const uint32_t *in, uint32_t *want, long long n, int exclusive)
{
    uint32_t sum = 0;

    for (long long i = 0; i < n; i++) {
        uint32_t next = sum + in[i];

        want[i] = exclusive ? sum : next;
        sum = next;
    }
}

// Exact: an input is a multiple of 2^-23, and so is each sum, which is below 2^31.
static void scan_floats(const float *in, double *want, long long n, int exclusive)
{
    double sum = 0;

    for (long long i = 0; i < n; i++) {
        double next = sum + in[i];

        want[i] = exclusive ? sum : next;
        sum = next;
    }
}

// The upper part of an input, a multiple of 2^-20, and the rest are summed separately. The sum of
// the upper parts is exact, that of the rests is small: their errors are far below those of a
// stage.
static void scan_doubles(const double *in, double *want, long long n, int exclusive)
{
    double upper = 0, lower = 0;

    for (long long i = 0; i < n; i++) {
        double part = rint(in[i] * 0x1p20) * 0x1p-20;

        if (exclusive)
            want[i] = upper + lower;
        upper += part;
        lower += in[i] - part;
        if (!exclusive)
            want[i] = upper + lower;
    }
}

// ref_memcpy copies.
static void copy(const struct problem *p, const void *in, void *want)
{
    if (p->type == TYPE_F32)
        for (long long i = 0; i < p->dim[0]; i++)
            ((double *)want)[i] = ((const float *)in)[i];
    else
        memcpy(want, in, (size_t)p->dim[0] * (p->type == TYPE_F64 ? 8 : 4));
}

// Exercises with a line "// Computes:" have other problems of ints. segmented: sums start again at
// each multiple of 16.
static void scan_segments(const uint32_t *in, uint32_t *want, long long n, int exclusive)
{
    uint32_t sum = 0;

    for (long long i = 0; i < n; i++) {
        if (in[i] % 16 == 0)
            sum = 0;
        want[i] = exclusive ? sum : sum + in[i];
        sum += in[i];
    }
}

// compacted: the odd elements, then zeros.
static void compact(const uint32_t *in, uint32_t *want, long long n)
{
    long long to = 0;

    memset(want, 0, (size_t)n * sizeof *want);
    for (long long i = 0; i < n; i++)
        if (in[i] % 2)
            want[to++] = in[i];
}

// Calls scan_ints, scan_floats or scan_doubles for the type of the elements.
static void scan_typed(enum type type, const void *in, void *want, long long n, int exclusive)
{
    switch (type) {
    case TYPE_I32: scan_ints(in, want, n, exclusive); break;
    case TYPE_F32: scan_floats(in, want, n, exclusive); break;
    default: scan_doubles(in, want, n, exclusive); break;
    }
}

static void reverse(char *array, long long n, size_t size)
{
    char kept[8];

    for (long long i = 0, j = n - 1; i < j; i++, j--) {
        memcpy(kept, array + i * size, size);
        memcpy(array + i * size, array + j * size, size);
        memcpy(array + j * size, kept, size);
    }
}

// suffix: the sums of the elements from i on, which is the scan of the array in reverse.
static void scan_reversed(const struct problem *p, const void *in, void *want, int exclusive)
{
    size_t size = p->type == TYPE_F64 ? 8 : 4, n = (size_t)p->dim[0];
    char *reversed = must_malloc(n * size);

    memcpy(reversed, in, n * size);
    reverse(reversed, p->dim[0], size);
    scan_typed(p->type, reversed, want, p->dim[0], exclusive);
    reverse(want, p->dim[0], p->type == TYPE_I32 ? 4 : 8);
    free(reversed);
}

static void reference(const struct problem *p, void *const host[], void *const want[])
{
    int exclusive = p->option[EXCLUSIVE] != 0;

    if (strcmp(p->computes, "copy") == 0)
        copy(p, host[0], want[1]);
    else if (strcmp(p->computes, "segmented") == 0)
        scan_segments(host[0], want[1], p->dim[0], exclusive);
    else if (strcmp(p->computes, "compacted") == 0)
        compact(host[0], want[1], p->dim[0]);
    else if (strcmp(p->computes, "suffix") == 0)
        scan_reversed(p, host[0], want[1], exclusive);
    else
        scan_typed(p->type, host[0], want[1], p->dim[0], exclusive);
}

// Six standard deviations of the rounding errors, as in week 2 (N. J. Higham, T. Mary, SIAM J. Sci.
// Comput. 42(5), 2020). The error of an addition is at most u times its result, of either sign. If
// values have mean 0 and mean square v, a sum of c of them is about sqrt(c v). So the variance of
// all errors of a sum of n values is at most u^2 v n times the additions in which an element takes
// part. These are n in the worst order, that of stage 0. The 1 is for the reference, which is
// rounded too. Sums of int, by the same code, are exact.
static double tolerance(const struct problem *p)
{
    double n = (double)p->dim[0], v = 1.0 / 3;
    double u = p->type == TYPE_F32 ? FLT_EPSILON / 2 : DBL_EPSILON / 2;

    return p->type == TYPE_I32 ? 0 : 6 * u * sqrt(n * v) * (1 + sqrt(n));
}

static void run(stage_fn *stage, const struct problem *p, void *const device[])
{
    __typeof__(scan) *call = (__typeof__(scan) *)stage;

    call(device[0], device[1], p->dim[0], p->type, p->option[EXCLUSIVE] != 0);
}

static double elements(const struct problem *p) { return (double)p->dim[0]; }
// Each element is read once, and each sum is written once.
static double bytes(const struct problem *p)
{
    return 2 * (p->type == TYPE_F64 ? 8 : 4) * elements(p);
}
static double flops(const struct problem *p) { return p->type == TYPE_I32 ? 0 : elements(p) - 1; }

const struct week week = {
    .name = "05_scan",
    .problem = "out[i] = in[0] + in[1] + ... + in[i]",
    .size_form = "N",
    .size_words = "elements",
    .dims = 1,
    .types = types,
    .n_types = 3,
    .unit = "GB/s",
    .baseline = "ref_cub",
    // One element, one less and one more than a vector, a warp and a tile of 1024, 4096 or 8192
    // elements, and primes. Every second one is exclusive.
    .check_sizes = "1 1 2 3 5 4 31 33 33 32 257 255 1023 1025 1025 1024 4095 4097 4097 4096 8191 "
                   "8193 10007 16385 65537 104729",
    // more tiles than blocks are resident at once on the CPU device
    .one_type_check_sizes = "262143 262145 1048577",
    .gpu_check_sizes = "16777217 2147483648",
    // powers of two; from 2^28 on only stages that use the whole GPU take less than a second
    .gpu_sizes = "67108864 16777216 1048576",
    .counted_sms = 132,   // an H200's
    .cpu_size = "262144",
    .gpu_shmoo = "16 32 64 128 256 512 1024 2048 4096 8192 16384 32768 65536 131072 262144 524288 "
                 "1048576 2097152 4194304 8388608 16777216 33554432 67108864 134217728 268435456",
    .cpu_shmoo = "16 64 256 1024 4096 16384 65536 262144 1048576",
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
    .stage = (stage_fn *)scan,
    .entry = "scan",
    .options = options,
    .variant = variant,
    .vary = vary,
};

// Week 1's problem: the transpose of a matrix of floats, out of place.
#include "transpose.h"

#include <limits.h>
#include <string.h>

#include "../common/harness/week.h"

static const enum type types[] = { TYPE_F32 };

// Single elements, one row, one column, one less and one more than a tile, primes, and shapes that
// no tile divides; some of them multiples of 4, for stages that take only those.
static const long long check_sizes[][MAX_DIMS] = {
    { 1, 1 },     { 1, 31 },    { 31, 1 },      { 32, 32 }, { 33, 31 },   { 64, 96 },
    { 128, 256 }, { 127, 129 }, { 4, 4 },       { 68, 60 }, { 100, 204 }, { 1, 4096 },
    { 4096, 1 },  { 257, 509 }, { 1023, 1025 }, { 0 },
};
static const long long gpu_sizes[][MAX_DIMS] = {
    { 16384, 16384 }, { 8192, 8192 }, { 4096, 4096 }, { 0 }
};
static const long long cpu_size[] = { 1024, 1024, 1 };
static const long long gpu_shmoo[][MAX_DIMS] = {
    { 64, 64 },       { 96, 96 },       { 128, 128 },   { 192, 192 },   { 256, 256 },
    { 384, 384 },     { 512, 512 },     { 768, 768 },   { 1024, 1024 }, { 1536, 1536 },
    { 2048, 2048 },   { 3072, 3072 },   { 4096, 4096 }, { 6144, 6144 }, { 8192, 8192 },
    { 12288, 12288 }, { 16384, 16384 }, { 0 },
};
static const long long cpu_shmoo[][MAX_DIMS] = { { 64, 64 },   { 128, 128 },   { 256, 256 },
                                                 { 512, 512 }, { 1024, 1024 }, { 0 } };

// A stage counts elements in an int, and tiles of at least 32 in the grid's y, which goes to
// 65,535. The product is avoided, for it may not fit into any type.
static const char *limit(const struct problem *p)
{
    if (p->dim[0] > 65535 * 32 || p->dim[1] > 65535 * 32)
        return "rows and columns must be at most 2097120";
    return p->dim[0] > INT_MAX / p->dim[1] ? "rows x columns must be below 2^31" : NULL;
}

static int buffers(const struct problem *p, struct buffer out[MAX_BUFFERS])
{
    size_t rows = p->dim[0], cols = p->dim[1];
    int copies = strcmp(p->computes, "copy") == 0;

    out[0] = (struct buffer){
        .name = "in", .role = IN, .type = TYPE_F32, .count = rows * cols, .row = cols
    };
    out[1] = (struct buffer){ .name = "out",
                              .role = OUT,
                              .type = TYPE_F32,
                              .count = rows * cols,
                              .row = copies ? cols : rows };
    return 2;
}

// Every element another value of either sign, exact in a float: a wrong index shows.
static void fill(const struct problem *p, void *const host[])
{
    float *in = host[0];
    size_t n = (size_t)p->dim[0] * p->dim[1];

    for (size_t i = 0; i < n; i++)
        in[i] = (float)(int32_t)(hash64(p->seed, i) >> 40) - 8388608.0f;
}

static void reference(const struct problem *p, void *const host[], void *const want[])
{
    enum { BLOCK = 32 };   // both sides stay in the cache
    const float *in = host[0];
    float *out = want[1];
    size_t rows = p->dim[0], cols = p->dim[1];

    if (strcmp(p->computes, "copy") == 0) {
        memcpy(out, in, rows * cols * sizeof *out);
        return;
    }
    for (size_t r0 = 0; r0 < rows; r0 += BLOCK)
        for (size_t c0 = 0; c0 < cols; c0 += BLOCK)
            for (size_t c = c0; c < c0 + BLOCK && c < cols; c++)
                for (size_t r = r0; r < r0 + BLOCK && r < rows; r++)
                    out[c * rows + r] = in[r * cols + c];
}

// Elements are moved, not computed with.
static double tolerance(const struct problem *p)
{
    (void)p;
    return 0;
}

static void run(stage_fn *stage, const struct problem *p, void *const device[])
{
    void (*call)(const float *, float *, int, int) =
        (void (*)(const float *, float *, int, int))stage;

    call(device[0], device[1], (int)p->dim[0], (int)p->dim[1]);
}

static double elements(const struct problem *p) { return (double)p->dim[0] * p->dim[1]; }
// each is read once and written once
static double bytes(const struct problem *p) { return 2 * sizeof(float) * elements(p); }
static double flops(const struct problem *p)
{
    (void)p;
    return 0;
}

const struct week week = {
    .name = "01_transpose",
    .problem = "out[c][r] = in[r][c], float",
    .size_form = "RxC",
    .size_words = "rows x columns",
    .dims = 2,
    .types = types,
    .n_types = 1,
    .unit = "GB/s",
    .baseline = "ref_memcpy",
    .check_sizes = check_sizes,
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
    .stage = (stage_fn *)transpose,
    .entry = "transpose",
};

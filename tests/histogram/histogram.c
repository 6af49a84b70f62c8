// The problem: inputs, reference, sizes.
#include "histogram.h"

#include <string.h>

#include "../common/harness/week.h"

static const enum type types[] = { TYPE_U8 };

static const char *limit(const struct problem *p)
{
    return p->dim[0] >= 1LL << 31 ? "n must be below 2^31" : NULL;
}

static int buffers(const struct problem *p, struct buffer out[MAX_BUFFERS])
{
    out[0] = (struct buffer){ "in", IN, TYPE_U8, .count = (size_t)p->dim[0] };
    out[1] = (struct buffer){ "counts", OUT, TYPE_I32, .count = BINS };
    return 2;
}

static void fill(const struct problem *p, void *const host[])
{
    for (long long i = 0; i < p->dim[0]; i++)
        ((unsigned char *)host[0])[i] = (unsigned char)(hash64(input_seed(p), (uint64_t)i) >> 56);
}

static void reference(const struct problem *p, void *const host[], void *const want[])
{
    int *counts = want[1];

    memset(counts, 0, BINS * sizeof *counts);
    for (long long i = 0; i < p->dim[0]; i++)
        counts[((const unsigned char *)host[0])[i]]++;
}

static void run(stage_fn *stage, const struct problem *p, void *const device[])
{
    __typeof__(histogram) *call = (__typeof__(histogram) *)stage;

    call(device[0], device[1], p->dim[0]);
}

static double elements(const struct problem *p) { return (double)p->dim[0]; }

const struct week week = {
    .name = "90_histogram",
    .problem = "counts[v] = how many bytes are v",
    .size_form = "N",
    .size_words = "bytes",
    .dims = 1,
    .types = types,
    .n_types = 1,
    .unit = "GB/s",
    .baseline = "stage1",
    .check_sizes = "1 31 32 33 255 257 1023 1025 10007",
    .gpu_sizes = "268435456 16777216",
    .cpu_size = "65536",
    .gpu_shmoo = "1024 16384 262144 4194304 67108864",
    .cpu_shmoo = "1024 4096 16384 65536 262144",
    .limit = limit,
    .buffers = buffers,
    .fill = fill,
    .reference = reference,
    .run = run,
    .bytes = elements,
    .work = elements,
    .elements = elements,
    .stage = (stage_fn *)histogram,
    .entry = "histogram",
};

// Week 1's problem: the transpose of a matrix of floats, out of place.
#include "transpose.h"

#include <limits.h>
#include <string.h>

#include "../common/harness/week.h"

static const enum type types[] = { TYPE_F32 };

// A stage counts elements in an int, and tiles of 32 or more rows in the y dimension of the grid,
// which is at most 65,535. Divides, because the product may overflow.
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

    out[0] = (struct buffer){ "in", IN, TYPE_F32, .count = rows * cols, .row = cols };
    out[1] =
        (struct buffer){ "out", OUT, TYPE_F32, .count = rows * cols, .row = copies ? cols : rows };
    return 2;
}

// Each element has its own value, positive or negative and exact in a float, so that a wrong index
// shows.
static void fill(const struct problem *p, void *const host[])
{
    float *in = host[0];
    size_t n = (size_t)p->dim[0] * p->dim[1];

#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        in[i] = (float)(int32_t)(hash64(input_seed(p), i) >> 40) - 8388608.0f;
}

static void reference(const struct problem *p, void *const host[], void *const want[])
{
    enum { BLOCK = 32 };   // a tile of each matrix fits into the cache
    const float *in = host[0];
    float *out = want[1];
    size_t rows = p->dim[0], cols = p->dim[1];

    if (strcmp(p->computes, "copy") == 0) {
        memcpy(out, in, rows * cols * sizeof *out);
        return;
    }
#pragma omp parallel for schedule(dynamic)
    for (size_t c0 = 0; c0 < cols; c0 += BLOCK)   // bands of rows of out
        for (size_t r0 = 0; r0 < rows; r0 += BLOCK)
            for (size_t c = c0; c < c0 + BLOCK && c < cols; c++)
                for (size_t r = r0; r < r0 + BLOCK && r < rows; r++)
                    out[c * rows + r] = in[r * cols + c];
}

static void run(stage_fn *stage, const struct problem *p, void *const device[])
{
    __typeof__(transpose) *call = (__typeof__(transpose) *)stage;

    call(device[0], device[1], (int)p->dim[0], (int)p->dim[1]);
}

static double elements(const struct problem *p) { return (double)p->dim[0] * p->dim[1]; }
// Each element is read once and written once.
static double bytes(const struct problem *p) { return 2 * sizeof(float) * elements(p); }

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
    // Single elements, one row, one column, one less and one more than a tile, primes, and shapes
    // that no tile divides. Some are multiples of 4, for stages that accept only those.
    // Rows and columns with every remainder of a division by 4, in pairs with multiples of 4; more
    // tiles along one side than the y dimension of a grid may have blocks.
    .check_sizes = "1x1 1x31 31x1 32x32 33x31 64x96 128x256 127x129 4x4 68x60 100x204 1x4096 "
                   "4096x1 257x509 511x513 66x100 100x70 130x98 68x33 35x68 65537x2 3x65541",
    // cudaMalloc takes memory of 2 MiB at a time: a leak of smaller arrays is not seen in each call
    .gpu_check_sizes = "1023x1025",
    .gpu_sizes = "16384x16384 8192x8192 4096x4096",
    .cpu_size = "1024x1024",
    .brief = "stage0 stage1 stage2 stage3",
    .gpu_shmoo = "64x64 96x96 128x128 192x192 256x256 384x384 512x512 768x768 1024x1024 1536x1536 "
                 "2048x2048 3072x3072 4096x4096 6144x6144 8192x8192 12288x12288 16384x16384",
    .cpu_shmoo = "64x64 128x128 256x256 512x512 1024x1024",
    .limit = limit,
    .buffers = buffers,
    .fill = fill,
    .reference = reference,
    .run = run,
    .bytes = bytes,
    .work = bytes,
    .elements = elements,
    .stage = (stage_fn *)transpose,
    .entry = "transpose",
};

// Week 0's problems: each exercise has one of its own, which its line "// Computes:" names.
#include "launch.h"

#include <limits.h>
#include <string.h>

#include "../common/harness/week.h"

static const enum type types[] = { TYPE_F32 };

enum { BLOCK = 8 };   // threads per block where a result depends on it

// What the host allocates, and the correct element i of `out`.
struct task {
    const char *computes;
    int is_matrix;
    // elements of each array for a problem of rows x cols; b: 0 if there is none
    size_t (*of_a)(size_t rows, size_t cols), (*of_b)(size_t rows, size_t cols),
        (*of_out)(size_t rows, size_t cols);
    float (*element)(const float *a, const float *b, size_t n, size_t cols, size_t i);
};

static size_t all(size_t rows, size_t cols) { return rows * cols; }
static size_t none(size_t rows, size_t cols) { return (void)rows, (void)cols, 0; }
static size_t of_rows(size_t rows, size_t cols) { return (void)cols, rows; }
static size_t of_cols(size_t rows, size_t cols) { return (void)rows, cols; }
static size_t per_block(size_t rows, size_t cols) { return (rows * cols - 1) / BLOCK + 1; }

static float plus_ten(const float *a, const float *b, size_t n, size_t cols, size_t i)
{
    return (void)b, (void)n, (void)cols, a[i] + 10;
}

static float plus_rows(const float *a, const float *b, size_t n, size_t cols, size_t i)
{
    return (void)b, (void)n, a[i] + 10 * (float)(i / cols);
}

static float scaled(const float *a, const float *b, size_t n, size_t cols, size_t i)
{
    return (void)n, (void)cols, a[i] * b[i / BLOCK];
}

static float outer_sum(const float *a, const float *b, size_t n, size_t cols, size_t i)
{
    return (void)n, a[i / cols] + b[i % cols];
}

static float reversed(const float *a, const float *b, size_t n, size_t cols, size_t i)
{
    return (void)b, (void)cols, a[n - 1 - i];
}

static float of_three(const float *a, const float *b, size_t n, size_t cols, size_t i)
{
    (void)b, (void)cols;
    return (i > 0 ? a[i - 1] : 0) + a[i] + (i + 1 < n ? a[i + 1] : 0);
}

static float block_sum(const float *a, const float *b, size_t n, size_t cols, size_t i)
{
    float sum = 0;

    (void)b, (void)cols;
    for (size_t k = i * BLOCK; k < n && k < (i + 1) * BLOCK; k++)
        sum += a[k];
    return sum;
}

static const struct task tasks[] = {
    { "plus_ten", 0, all, none, all, plus_ten },
    { "matrix_plus_rows", 1, all, none, all, plus_rows },
    { "scaled", 0, all, per_block, all, scaled },
    { "outer_sum", 1, of_rows, of_cols, all, outer_sum },
    { "reversed", 0, all, none, all, reversed },
    { "sum_of_three", 0, all, none, all, of_three },
    { "block_sums", 0, all, none, per_block, block_sum },
};

static const struct task *task_of(const struct problem *p)
{
    for (const struct task *t = tasks; t < tasks + sizeof tasks / sizeof *tasks; t++)
        if (strcmp(t->computes, p->computes) == 0)
            return t;
    return tasks;
}

static const char *limit(const struct problem *p)
{
    return p->dim[0] > INT_MAX / p->dim[1] ? "rows x columns must be below 2^31" : NULL;
}

// A problem that is no matrix has one row.
static void adapt(struct problem *p)
{
    if (task_of(p)->is_matrix)
        return;
    p->dim[1] *= p->dim[0];
    p->dim[0] = 1;
}

// Several blocks of 4 x 4 threads in both directions, or three blocks of 4 threads.
static const char *drawn_size(const struct problem *p)
{
    return task_of(p)->is_matrix ? "6x5" : "1x12";
}

static int buffers(const struct problem *p, struct buffer out[MAX_BUFFERS])
{
    const struct task *t = task_of(p);
    size_t rows = p->dim[0], cols = p->dim[1], b = t->of_b(rows, cols), n = 0;
    size_t row = t->is_matrix ? cols : 0, a = t->of_a(rows, cols);

    out[n++] = (struct buffer){ "a", IN, TYPE_F32, .count = a, .row = a == rows * cols ? row : 0 };
    if (b)
        out[n++] = (struct buffer){ "b", IN, TYPE_F32, .count = b };
    out[n++] = (struct buffer){ "out", OUT, TYPE_F32, .count = t->of_out(rows, cols), .row = row };
    return (int)n;
}

// Numbers from 1 to 99: a drawing shows them, and sums of them are exact.
static void fill(const struct problem *p, void *const host[])
{
    const struct task *t = task_of(p);
    size_t rows = p->dim[0], cols = p->dim[1], a = t->of_a(rows, cols), b = t->of_b(rows, cols);

    for (size_t i = 0; i < a + b; i++)
        ((float *)host[i < a ? 0 : 1])[i < a ? i : i - a] =
            (float)(1 + (hash64(input_seed(p), i) >> 40) % 99);
}

static void reference(const struct problem *p, void *const host[], void *const want[])
{
    const struct task *t = task_of(p);
    size_t rows = p->dim[0], cols = p->dim[1], n = t->of_out(rows, cols);
    int has_b = t->of_b(rows, cols) > 0;
    float *out = want[1 + has_b];

    for (size_t i = 0; i < n; i++)
        out[i] = t->element(host[0], has_b ? host[1] : NULL, rows * cols, cols, i);
}

static void run(stage_fn *stage, const struct problem *p, void *const device[])
{
    __typeof__(launch) *call = (__typeof__(launch) *)stage;
    const struct task *t = task_of(p);
    int has_b = t->of_b(p->dim[0], p->dim[1]) > 0, rows = (int)p->dim[0], cols = (int)p->dim[1];

    call(device[0], has_b ? device[1] : NULL, device[1 + has_b], t->is_matrix ? rows : 1,
         t->is_matrix ? cols : rows * cols);
}

static double elements(const struct problem *p) { return (double)p->dim[0] * p->dim[1]; }

static double bytes(const struct problem *p)
{
    const struct task *t = task_of(p);
    size_t rows = p->dim[0], cols = p->dim[1];

    return (double)sizeof(float) *
           (t->of_a(rows, cols) + t->of_b(rows, cols) + t->of_out(rows, cols));
}

const struct week week = {
    .name = "00_launch",
    .problem = "out, from a and b, as the head of the exercise says; float",
    .size_form = "RxC",
    .size_words = "rows x columns",
    .dims = 2,
    .types = types,
    .n_types = 1,
    .unit = "GB/s",
    .baseline = "",
    // At most 1024 elements, because some exercises have one block. One less and one more than a
    // warp, and than blocks of 4 and of 8 threads.
    .check_sizes = "1x12 1x1 1x2 1x4 1x7 1x8 1x9 1x16 3x4 2x5 4x4 5x8 1x31 1x32 1x33 7x9 8x8 "
                   "3x40 1x255 16x16 257x1 17x30 30x34 1x1024 32x32",
    .gpu_sizes = "32x32",
    .cpu_size = "3x4",
    .drawn_size = drawn_size,
    .brief = "exercise1 exercise2 exercise3 exercise4 exercise5 exercise6 exercise7 exercise8",
    .gpu_shmoo = "1x12 32x32",
    .cpu_shmoo = "1x12 32x32",
    .limit = limit,
    .adapt = adapt,
    .buffers = buffers,
    .fill = fill,
    .reference = reference,
    .run = run,
    .bytes = bytes,
    .work = bytes,
    .elements = elements,
    .stage = (stage_fn *)launch,
    .entry = "launch",
};

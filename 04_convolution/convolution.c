// Week 4's problem: a 5 x 5 convolution of an image of 8-bit pixels.
#include "convolution.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/harness/week.h"
#include "../common/harness/parallel.h"
#include "filters.h"
#include "picture.h"
#include "textures.h"

static const enum type types[] = { TYPE_U8 };

// By fours, whose pitch is a multiple of 256, the width itself, an odd multiple of 4, and one of 16
// or 32: see vary(). The smallest images with an inside and such without one, one pixel less or
// more than a warp or a tile, primes, and both long shapes.
static const long long check_sizes[][MAX_DIMS] = {
    { 5, 5 },   { 1, 1 },     { 6, 33 },   { 33, 5 },    { 7, 6 },    { 5, 6 },     { 4, 9 },
    { 6, 7 },   { 33, 1023 }, { 33, 33 },  { 1023, 7 },  { 9, 2048 }, { 2048, 33 }, { 64, 256 },
    { 31, 64 }, { 61, 127 },  { 67, 257 }, { 101, 103 }, { 65, 131 }, { 80, 208 },  { 0 },
};
static const long long gpu_sizes[][MAX_DIMS] = {
    { 32768, 32768 }, { 16384, 16384 }, { 8192, 8192 }, { 4096, 4096 }, { 0 }
};
static const long long cpu_size[] = { 512, 512, 1 };
static const long long gpu_shmoo[][MAX_DIMS] = {
    { 128, 128 },     { 256, 256 },   { 384, 384 },     { 512, 512 },     { 768, 768 },
    { 1024, 1024 },   { 1536, 1536 }, { 2048, 2048 },   { 3072, 3072 },   { 4096, 4096 },
    { 6144, 6144 },   { 8192, 8192 }, { 12288, 12288 }, { 16384, 16384 }, { 24576, 24576 },
    { 32768, 32768 }, { 0 },
};
static const long long cpu_shmoo[][MAX_DIMS] = {
    { 64, 64 }, { 128, 128 }, { 256, 256 }, { 512, 512 }, { 0 }
};

// --- options: places in problem.option[], and what is kept there

enum { KERNEL, PITCH, MEMORY_ONLY, IMAGE, RESULT };   // the filter's number; bytes; 1; 1; 1

static struct picture picture;   // of --image
static char picture_name[64];
static char result_file[PATH_MAX];   // of --out

static const char *take_kernel(const char *text, struct problem *p)
{
    return filter_find(text, &p->option[KERNEL]);
}

static const char *take_pitch(const char *text, struct problem *p)
{
    char *end;

    errno = 0;
    p->option[PITCH] = strtoll(text, &end, 10);
    if (end == text || *end || p->option[PITCH] < 1 || errno == ERANGE)
        return "not a number of bytes; accepted is a whole number, at least the width";
    return NULL;
}

static const char *take_memory_only(const char *text, struct problem *p)
{
    (void)text;
    p->option[MEMORY_ONLY] = 1;
    return NULL;
}

static const char *take_image(const char *text, struct problem *p)
{
    const char *wrong = picture_read(text, &picture);

    if (wrong)
        return wrong;
    snprintf(picture_name, sizeof picture_name, "%s", text);
    p->option[IMAGE] = 1;
    p->dim[0] = picture.height, p->dim[1] = picture.width, p->dim[2] = 1;
    return NULL;
}

static const char *take_out(const char *text, struct problem *p)
{
    p->option[RESULT] = 1;
    snprintf(result_file, sizeof result_file, "%s", text);
    return picture_refused(text);
}

static const struct week_option options[] = {
    { "kernel", "NAME|FILE",
      "coefficients: test (default), box, gaussian, sharpen, emboss, or a file of 25 whole numbers "
      "and a scale",
      ANY_SIZE, take_kernel },
    { "pitch", "N",
      "bytes from one row to the next; default is the width rounded up to a multiple of 256",
      ONE_SIZE, take_pitch },
    { "memory-only", NULL,
      "the same loads and stores with the arithmetic out of the way, which copies", ANY_SIZE,
      take_memory_only },
    { "image", "FILE",
      "convolve this picture: a binary PGM (P5) of 8-bit pixels; it gives the size", ONE_SIZE,
      take_image },
    { "out", "FILE",
      "write the result as such a file; its outermost two pixels are those of the input",
      ONE_RESULT, take_out },
    { 0 },
};

// Rows begin where a load of any width may.
static int default_pitch(const struct problem *p) { return (int)((p->dim[1] + 255) / 256 * 256); }
static int pitch(const struct problem *p)
{
    return p->option[PITCH] ? (int)p->option[PITCH] : default_pitch(p);
}
static long long kernel(const struct problem *p)
{
    return p->option[KERNEL] ? p->option[KERNEL] : TEST;
}

static void add_word(char text[VARIANT_TEXT], const char *option, const char *value)
{
    size_t length = strlen(text);

    length += snprintf(text + length, VARIANT_TEXT - length, "%s%s", length ? " " : "", option);
    if (length < VARIANT_TEXT)
        snprintf(text + length, VARIANT_TEXT - length, "%.40s", value);
    for (; text[length]; length++)
        if ((unsigned char)text[length] <= ' ')   // these part words and columns
            text[length] = '_';
}

static void variant(const struct problem *p, char text[VARIANT_TEXT])
{
    char bytes[24];

    snprintf(bytes, sizeof bytes, "%d", pitch(p));
    if (kernel(p) != TEST)
        add_word(text, "kernel=", filter_name(kernel(p)));
    if (pitch(p) != default_pitch(p))
        add_word(text, "pitch=", bytes);
    if (p->option[MEMORY_ONLY])
        add_word(text, "memory-only", "");
    if (p->option[IMAGE])
        add_word(text, "image=", picture_name);
}

// Pitches that are awkward to one stage or another, each at four sizes or more with the test
// kernel, and the other kernels.
static void vary(struct problem *p, int nth)
{
    int width = (int)p->dim[1], group = nth / 4;
    int to4 = (width + 3) / 4 * 4, unit = group % 2 ? 32 : 16,
        up = (width + unit - 1) / unit * unit;

    p->option[PITCH] = nth % 4 == 0 ? 0
                     : nth % 4 == 1 ? width
                     : nth % 4 == 2 ? to4 + (to4 % 8 ? 0 : 4)
                                    : up + (up % (2 * unit) ? 0 : unit);
    if (!p->option[KERNEL])
        p->option[KERNEL] = group % 2 ? TEST + 1 + nth % 4 : TEST;
}

// --- the problem

static int is_bordered(const struct problem *p) { return strcmp(p->computes, "bordered") == 0; }

// A stage counts bytes in an int, and rows of tiles of at least 8 in the grid's y, which goes to
// 65,535.
static const char *limit(const struct problem *p)
{
    if (p->dim[0] > 65535 * 8 || p->dim[1] > INT_MAX - 255)
        return "the height must be at most 524280, the width below 2^31";
    if (p->option[PITCH] && p->option[PITCH] < p->dim[1])
        return "the width must be at most the pitch";
    if (p->option[PITCH] > INT_MAX / p->dim[0] || p->dim[0] > INT_MAX / default_pitch(p))
        return "height x pitch must be below 2^31";
    return p->option[IMAGE] && p->seed != 1 ? "a picture is as it is, and takes no --seed" : NULL;
}

static int buffers(const struct problem *p, struct buffer out[MAX_BUFFERS])
{
    size_t row = pitch(p);

    out[0] = (struct buffer){
        .name = "in", .role = IN, .type = TYPE_U8, .count = p->dim[0] * row, .row = row
    };
    out[1] = (struct buffer){
        .name = "out", .role = OUT, .type = TYPE_U8, .count = p->dim[0] * row, .row = row
    };
    return 2;
}

enum { PIECE = 1 << 20 };   // bytes of the input that are filled at once; a multiple of 8

struct filling {
    uint64_t seed;
    unsigned char *in;
    size_t n;
};

static void fill_piece(long long piece, void *context)
{
    const struct filling *f = context;

    for (size_t i = piece * PIECE; i < (size_t)(piece + 1) * PIECE && i < f->n; i += 8) {
        uint64_t bits = hash64(f->seed, i / 8);

        memcpy(f->in + i, &bits, f->n - i < 8 ? f->n - i : 8);
    }
}

// What lies between rows is random too. The check's other inputs, of another seed, are the picture
// with its rows moved down.
static void fill(const struct problem *p, void *const host[])
{
    struct filling f = { p->seed, host[0], (size_t)p->dim[0] * pitch(p) };

    parallel((f.n + PIECE - 1) / PIECE, fill_piece, &f);
    for (int y = 0; p->option[IMAGE] && y < picture.height; y++)
        memcpy(f.in + (size_t)((y + p->seed - 1) % picture.height) * pitch(p),
               picture.pixels + (size_t)y * picture.width, picture.width);
}

// of the output that are made at once: their sums stay in the cache
enum { ROWS = 16, COLS = 4096 };

struct convolution {
    const struct problem *problem;
    const unsigned char *in;
    unsigned char *out;
    struct filter filter;
};

static unsigned char pixel_of(int sum, float scale)
{
    int value = (int)((float)sum * scale);

    return value < 0 ? 0 : value > 255 ? 255 : value;
}

static long long within(long long i, long long n) { return i < 0 ? 0 : i < n ? i : n - 1; }

static void convolve_piece(const struct convolution *c, size_t y, size_t x, size_t n)
{
    size_t row = pitch(c->problem);
    int sum[COLS] = { 0 };

    for (int k = 0; k < 25; k++) {
        const unsigned char *in = c->in + (y + k / 5 - 2) * row + x + k % 5 - 2;

        for (size_t i = 0; i < n; i++)
            sum[i] += c->filter.c[k] * in[i];
    }
    for (size_t i = 0; i < n; i++)
        c->out[y * row + x + i] = pixel_of(sum[i], c->filter.scale);
}

static void convolve_rows(long long piece, void *context)
{
    const struct convolution *c = context;
    size_t height = c->problem->dim[0], width = c->problem->dim[1], row = pitch(c->problem);

    for (size_t y = 2 + piece * ROWS; y < 2 + (size_t)(piece + 1) * ROWS && y + 2 < height; y++)
        for (size_t x = 2; x + 2 < width; x += COLS) {
            size_t n = width - 2 - x < COLS ? width - 2 - x : COLS;

            if (c->problem->option[MEMORY_ONLY])
                memcpy(c->out + y * row + x, c->in + y * row + x, n);
            else
                convolve_piece(c, y, x, n);
        }
}

// The pixels of the frame, and of images that have no more than that, where the edge's pixels stand
// for those outside.
static void convolve_frame(const struct convolution *c)
{
    long long height = c->problem->dim[0], width = c->problem->dim[1], row = pitch(c->problem);

    for (long long y = 0; y < height; y++)
        for (long long x = 0; x < width; x++) {
            int sum = 0;

            if (y >= 2 && y < height - 2 && x == 2 && width > 4)
                x = width - 2;   // past the inside
            for (int k = 0; k < 25; k++)
                sum += c->filter.c[k] *
                       c->in[within(y + k / 5 - 2, height) * row + within(x + k % 5 - 2, width)];
            c->out[y * row + x] = pixel_of(sum, c->filter.scale);
        }
}

// Whatever a stage must not write is as it was before the call. What it computes may also be a
// "copy" of all bytes, or "bordered": the frame's pixels as well.
static void reference(const struct problem *p, void *const host[], void *const want[])
{
    struct convolution c = { p, host[0], want[1], filter_of(kernel(p), p->seed) };

    if (strcmp(p->computes, "copy") == 0) {
        memcpy(c.out, c.in, (size_t)p->dim[0] * pitch(p));
        return;
    }
    memset(c.out, POISON, (size_t)p->dim[0] * pitch(p));
    parallel((p->dim[0] + ROWS - 1) / ROWS, convolve_rows, &c);
    if (is_bordered(p))
        convolve_frame(&c);
}

// Who makes the frame too is another's work (ref_npp.cu), and rounds in another way.
static double tolerance(const struct problem *p) { return is_bordered(p); }

static void run(stage_fn *stage, const struct problem *p, void *const device[])
{
    void (*call)(const struct image *, const struct filter *) =
        (void (*)(const struct image *, const struct filter *))stage;
    struct image image = { .in = device[0],
                           .out = device[1],
                           .width = (int)p->dim[1],
                           .height = (int)p->dim[0],
                           .pitch = pitch(p),
                           .memory_only = p->option[MEMORY_ONLY] != 0 };
    struct filter filter = filter_of(kernel(p), p->seed);

    for (int k = 0; image.memory_only && k < 25; k++)
        filter.c[k] = k == 12 ? -1 : 0;
    textures_of(&image);
    call(&image, &filter);
}

static const char *result(const struct problem *p, void *const host[], void *const got[])
{
    size_t width = p->dim[1], height = p->dim[0], row = pitch(p);
    struct picture made = { (int)width, (int)height, malloc(width * height) };
    static char text[PATH_MAX + 200];
    const char *wrong = made.pixels ? NULL : "out of memory";

    for (size_t y = 0; y < height && !wrong; y++) {
        memcpy(made.pixels + y * width, (unsigned char *)host[0] + y * row, width);
        if (y >= 2 && y + 2 < height && width > 4)
            memcpy(made.pixels + y * width + 2, (unsigned char *)got[1] + y * row + 2, width - 4);
    }
    if (!wrong)
        wrong = picture_write(result_file, &made);
    free(made.pixels);
    snprintf(text, sizeof text, "--out '%s': %s", result_file, wrong ? wrong : "");
    return wrong ? text : NULL;
}

static double pixels(const struct problem *p) { return (double)p->dim[0] * p->dim[1]; }

// Each pixel is read once, and written once if it is inside the frame.
static double bytes(const struct problem *p)
{
    double height = p->dim[0] - 4, width = p->dim[1] - 4;

    return pixels(p) + (height > 0 && width > 0 ? height * width : 0);
}

static double flops(const struct problem *p)
{
    (void)p;
    return 0;
}

const struct week week = {
    .name = "04_convolution",
    .problem = "out = in correlated with 5x5 coefficients, 8-bit pixels",
    .size_form = "HxW",
    .size_words = "height x width",
    .dims = 2,
    .types = types,
    .n_types = 1,
    .unit = "Gpx/s",
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
    .work = pixels,
    .elements = pixels,
    .stage = (stage_fn *)convolution,
    .entry = "convolution",
    .options = options,
    .variant = variant,
    .vary = vary,
    .result = result,
};

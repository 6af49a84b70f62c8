// Week 4's problem: a 5 x 5 convolution of an image of 8-bit pixels.
#include "convolution.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/harness/week.h"
#include "../common/base/program.h"
#include "filters.h"
#include "picture.h"
#include "textures.h"

static const enum type types[] = { TYPE_U8 };

// --- options

// Indices of problem.option[]: the number of the filter; the pitch in bytes; flags.
enum { KERNEL, PITCH, IMAGE, RESULT };

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
        return "not a number of bytes; expected a whole number, at least the width";
    return NULL;
}

static const char *take_image(const char *text, struct problem *p)
{
    const char *wrong = picture_read(text, &picture);

    if (wrong)
        return wrong;
    snprintf(picture_name, sizeof picture_name, "%s", text);
    p->option[IMAGE] = 1;
    p->dim[0] = picture.height;
    p->dim[1] = picture.width;
    p->dim[2] = 1;
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
      "coefficients: test (default), box, gaussian, sharpen, emboss, large, or a file of 25 whole "
      "numbers and a scale",
      ANY_SIZE, take_kernel },
    { "pitch", "N",
      "bytes from one row to the next; default is the width rounded up to a multiple of 256",
      ONE_SIZE, take_pitch },
    { "image", "FILE",
      "convolve this picture: a binary PGM (P5) of 8-bit pixels; it gives the size", ONE_SIZE,
      take_image },
    { "out", "FILE",
      "write the result as a binary PGM; its border, two pixels wide, is that of the input",
      ONE_RESULT, take_out },
    { 0 },
};

// With this pitch each row is aligned for loads of any width.
static int default_pitch(const struct problem *p) { return (int)((p->dim[1] + 255) / 256 * 256); }
static int pitch(const struct problem *p)
{
    return p->option[PITCH] ? (int)p->option[PITCH] : default_pitch(p);
}
static long long kernel(const struct problem *p)
{
    return p->option[KERNEL] ? p->option[KERNEL] : TEST;
}

static const char *with_option(const char *list, const char *option, const char *value)
{
    char *word = text_of("%s%s", option, value);

    for (char *c = word; *c; c++)
        if ((unsigned char)*c <= ' ')   // separates words and columns
            *c = '_';
    return with_word(list, word);
}

static const char *variant(const struct problem *p)
{
    const char *list = "";

    if (kernel(p) != TEST)
        list = with_option(list, "kernel=", filter_name(kernel(p)));
    if (pitch(p) != default_pitch(p))
        list = with_option(list, "pitch=", text_of("%d", pitch(p)));
    if (p->option[IMAGE])
        list = with_option(list, "image=", picture_name);
    return list;
}

// Varies the pitch and the kernel between checks. Each kind of pitch that is awkward for some
// stages occurs at four sizes or more with the test kernel.
static void vary(struct problem *p, int nth)
{
    enum { EIGHTS = 6 };   // the group with odd multiples of 8
    int width = (int)p->dim[1], group = nth / 4;
    int to4 = (width + 3) / 4 * 4, to8 = (width + 7) / 8 * 8, unit = group % 2 ? 32 : 16,
        up = (width + unit - 1) / unit * unit;

    p->option[PITCH] = group == EIGHTS ? to8 + (to8 % 16 ? 0 : 8)
                     : nth % 4 == 0    ? 0
                     : nth % 4 == 1    ? width
                     : nth % 4 == 2    ? to4 + (to4 % 8 ? 0 : 4)
                                       : up + (up % (2 * unit) ? 0 : unit);
    if (!p->option[KERNEL])
        p->option[KERNEL] = group % 2 ? TEST + 1 + nth % 4 : TEST;
}

// --- the problem

static int is_bordered(const struct problem *p) { return strcmp(p->computes, "bordered") == 0; }

// A stage counts bytes in an int. The y dimension of its grid, at most 65,535, counts tiles of 8 or
// more rows.
static const char *limit(const struct problem *p)
{
    if (p->dim[0] > 65535 * 8 || p->dim[1] > INT_MAX - 255)
        return "the height must be at most 524280, the width below 2^31";
    if (p->option[PITCH] && p->option[PITCH] < p->dim[1])
        return "the width must be at most the pitch";
    if (p->option[PITCH] > INT_MAX / p->dim[0] || p->dim[0] > INT_MAX / default_pitch(p))
        return "height x pitch must be below 2^31";
    return p->option[IMAGE] && p->seed != 1 ? "--image cannot be combined with --seed" : NULL;
}

static int buffers(const struct problem *p, struct buffer out[MAX_BUFFERS])
{
    size_t row = pitch(p);

    out[0] = (struct buffer){ "in", IN, TYPE_U8, .count = p->dim[0] * row, .row = row };
    out[1] = (struct buffer){ "out", OUT, TYPE_U8, .count = p->dim[0] * row, .row = row };
    return 2;
}

// Fills the padding bytes with random values, too. With --image, a seed other than 1 rotates the
// rows of the picture down.
static void fill(const struct problem *p, void *const host[])
{
    unsigned char *in = host[0];
    size_t row = pitch(p), n = p->dim[0] * row;

#pragma omp parallel for
    for (size_t i = 0; i < n; i += 8) {
        uint64_t bits = hash64(input_seed(p), i / 8);

        memcpy(in + i, &bits, n - i < 8 ? n - i : 8);
    }
    for (int y = 0; p->option[IMAGE] && y < picture.height; y++)
        memcpy(in + (y + p->seed - 1) % picture.height * row,
               picture.pixels + (size_t)y * picture.width, picture.width);
}

struct convolution {
    const unsigned char *in;
    unsigned char *out;
    long long width, height, row;   // row: the pitch
    struct filter filter;
};

static unsigned char pixel_of(int sum, float scale)
{
    int value = (int)((float)sum * scale);

    return value < 0 ? 0 : value > 255 ? 255 : value;
}

static long long within(long long i, long long n) { return i < 0 ? 0 : i < n ? i : n - 1; }

enum { COLS = 4096 };   // pixels computed together: their sums stay in the cache

// Computes n <= COLS pixels of the interior, starting at out[y][x]. There may be 10^9 of them:
// compilers vectorize the loop of the sums.
__attribute__((optimize("O3"))) static void convolve_piece(const struct convolution *c, long long y,
                                                           long long x, size_t n)
{
    int sum[COLS] = { 0 };

    for (int k = 0; k < 25; k++) {
        const unsigned char *in = c->in + (y + k / 5 - 2) * c->row + x + k % 5 - 2;
        short weight = (short)c->filter.c[k];

        if (weight == c->filter.c[k])   // products of shorts are twice as fast
            for (size_t i = 0; i < n; i++)
                sum[i] += weight * (short)in[i];
        else
            for (size_t i = 0; i < n; i++)
                sum[i] += c->filter.c[k] * in[i];
    }
    for (size_t i = 0; i < n; i++)
        c->out[y * c->row + x + i] = pixel_of(sum[i], c->filter.scale);
}

static void convolve_interior(const struct convolution *c)
{
#pragma omp parallel for schedule(dynamic)
    for (long long y = 2; y < c->height - 2; y++)
        for (long long x = 2; x < c->width - 2; x += COLS) {
            size_t n = c->width - 2 - x < COLS ? c->width - 2 - x : COLS;

            convolve_piece(c, y, x, n);
        }
}

// Computes the border, two pixels wide. Pixels outside the image replicate its edge.
static void convolve_border(const struct convolution *c)
{
    for (long long y = 0; y < c->height; y++)
        for (long long x = 0; x < c->width; x++) {
            int sum = 0;

            if (y >= 2 && y < c->height - 2 && x == 2 && c->width > 4)
                x = c->width - 2;   // past the interior
            for (int k = 0; k < 25; k++)
                sum += c->filter.c[k] * c->in[within(y + k / 5 - 2, c->height) * c->row +
                                              within(x + k % 5 - 2, c->width)];
            c->out[y * c->row + x] = pixel_of(sum, c->filter.scale);
        }
}

// Bytes that a stage must not write keep their value. A reference may compute another problem:
// "copy", a copy of all bytes, or "bordered", which includes the border.
static void reference(const struct problem *p, void *const host[], void *const want[])
{
    struct convolution c = { .in = host[0],
                             .out = want[1],
                             .width = p->dim[1],
                             .height = p->dim[0],
                             .row = pitch(p),
                             .filter = filter_of(kernel(p), p->seed) };

    if (strcmp(p->computes, "copy") == 0) {
        memcpy(c.out, c.in, c.height * c.row);
        return;
    }
#pragma omp parallel for
    for (long long y = 0; y < c.height; y++)
        memset(c.out + y * c.row, POISON, c.row);
    convolve_interior(&c);
    if (is_bordered(p))
        convolve_border(&c);
}

// The reference that computes the border is NVIDIA's (ref_npp.cu), which rounds differently.
static double tolerance(const struct problem *p) { return is_bordered(p); }

static void run(stage_fn *stage, const struct problem *p, void *const device[])
{
    __typeof__(convolution) *call = (__typeof__(convolution) *)stage;
    struct image image = { .in = device[0],
                           .out = device[1],
                           .width = (int)p->dim[1],
                           .height = (int)p->dim[0],
                           .pitch = pitch(p) };
    struct filter filter = filter_of(kernel(p), p->seed);

    textures_of(&image);
    call(&image, &filter);
}

static const char *result(const struct problem *p, void *const host[], void *const got[])
{
    size_t width = p->dim[1], height = p->dim[0], row = pitch(p);
    struct picture made = { (int)width, (int)height, must_malloc(width * height) };
    const char *wrong;

    for (size_t y = 0; y < height; y++) {
        memcpy(made.pixels + y * width, (unsigned char *)host[0] + y * row, width);
        if (y >= 2 && y + 2 < height && width > 4)
            memcpy(made.pixels + y * width + 2, (unsigned char *)got[1] + y * row + 2, width - 4);
    }
    wrong = picture_write(result_file, &made);
    free(made.pixels);
    return wrong ? text_of("--out '%s': %s", result_file, wrong) : NULL;
}

static double pixels(const struct problem *p) { return (double)p->dim[0] * p->dim[1]; }

// Each pixel is read once, and written once unless it belongs to the border.
static double bytes(const struct problem *p)
{
    double height = p->dim[0] - 4, width = p->dim[1] - 4;

    return pixels(p) + (height > 0 && width > 0 ? height * width : 0);
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
    // In groups of four with different pitches, see vary(): a multiple of 256, the width, an odd
    // multiple of 4, and one of 16 or 32; in the last group odd multiples of 8. The smallest images
    // with and without an interior, one pixel less or more than a warp or a tile, primes, and both
    // long shapes.
    .check_sizes = "5x5 1x1 6x33 33x5 7x6 5x6 4x9 6x7 33x1023 33x33 1023x7 9x2048 2048x33 64x256 "
                   "31x64 61x127 67x257 101x103 65x131 80x208 "
                   "5x9 9x200 34x101 66x259 6x8 33x120 61x133 12x517",
    .quick_bytes = 48 << 10,   // each pixel is 25 products
    .gpu_sizes = "32768x32768 16384x16384 8192x8192 4096x4096",
    .cpu_size = "512x512",
    .traced_size = "256x2048",
    .gpu_shmoo = "128x128 256x256 384x384 512x512 768x768 1024x1024 1536x1536 2048x2048 3072x3072 "
                 "4096x4096 6144x6144 8192x8192 12288x12288 16384x16384 24576x24576 32768x32768",
    .cpu_shmoo = "64x64 128x128 256x256 512x512",
    .limit = limit,
    .buffers = buffers,
    .fill = fill,
    .reference = reference,
    .tolerance = tolerance,
    .run = run,
    .bytes = bytes,
    .work = pixels,
    .elements = pixels,
    .stage = (stage_fn *)convolution,
    .entry = "convolution",
    .options = options,
    .variant = variant,
    .vary = vary,
    .result = result,
};

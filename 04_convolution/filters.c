#include "filters.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/base/program.h"

struct named {
    const char *name;
    struct filter filter;
};

static struct named
    filters[1 + FROM_FILE] = {
        // Signed; full rank, so that it is not separable; includes -128 and 127. Random input
        // pixels give outputs around the middle of the range; a third of them is clamped.
        [TEST] = { "test",
                   { { 127, -6, -128, 27,  26, 45, -25, 6,  -24, 35,  36, -41, 9,
                       -29, -9, -3,   -44, 44, 28, 3,   43, 22,  -19, -4, 2 },
                     .scale = 1 / 121.0f } },
        { "box",
          { { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 },
            .scale = 1 / 25.0f } },
        { "gaussian",
          { { 1, 4, 6, 4, 1, 4, 16, 24, 16, 4, 6, 24, 36, 24, 6, 4, 16, 24, 16, 4, 1, 4, 6, 4, 1 },
            .scale = 1 / 256.0f } },
        { "sharpen",
          { { -1, -1, -1, -1, -1, -1, 2,  2,  2,  -1, -1, 2, 8,
              2,  -1, -1, 2,  2,  2,  -1, -1, -1, -1, -1, -1 },
            .scale = 1 / 8.0f } },
        [EMBOSS] = { "emboss",
                     { { -1, -1, -1, -1, 0, -1, -1, -1, 0, 1, -1, -1, 4,
                         1,  1,  -1, 0,  1, 1,  1,  0,  1, 1, 1,  1 },
                       .scale = 1 / 4.0f } },
        // The sums on the way to a result need 28 bits, a float has 24.
        [NAMED] = { "large",
                    { { 1 << 20, 1, -1, 2,  1, -2, 3, -1, 1,  2, -3, 1,         5,
                        1,       2, -1, -2, 1, 3,  1, -1, -2, 1, 1,  -(1 << 20) },
                      .scale = 1 / 4.0f } },
    };

#define ACCEPTED "expected 25 whole numbers and a scale, for example 0.04 or 1/25"

const char *filter_name(long long number) { return filters[number].name; }

struct filter filter_of(long long number, uint64_t seed)
{
    const struct filter *from = &filters[number].filter;
    int down = number == TEST ? seed % 5 : 0, right = number == TEST ? seed / 5 % 5 : 0;
    struct filter f = *from;

    for (int k = 0; k < 25; k++) {
        f.c[k] = from->c[5 * ((k / 5 + down) % 5) + (k % 5 + right) % 5];
        f.w[k] = (float)f.c[k];
    }
    return f;
}

static const char *read_coefficient(const char *word, int *c)
{
    char *end;
    long value;

    errno = 0;
    value = strtol(word, &end, 10);
    if (end == word || *end)
        return text_of("'%s' is no whole number; " ACCEPTED, text_head(word, 40));
    if (errno == ERANGE || value > INT_MAX || value < -INT_MAX)
        return text_of("'%s' is too large; " ACCEPTED, text_head(word, 40));
    *c = (int)value;
    return NULL;
}

static const char *read_scale(const char *word, float *scale)
{
    char *end;
    double value = strtod(word, &end);

    if (end != word && *end == '/') {
        const char *below = end + 1;

        value /= strtod(below, &end);
        if (end == below)
            end--;
    }
    if (end == word || *end || !isfinite((float)value))
        return text_of("the scale '%s' is no finite number; " ACCEPTED, text_head(word, 40));
    *scale = (float)value;
    return NULL;
}

// Sums of pixels, and their product with the scale, must fit into an int.
static const char *range(const struct filter *f)
{
    double most = 0;

    for (int k = 0; k < 25; k++)
        most += 255.0 * abs(f->c[k]);
    if (most > INT_MAX)
        return text_of("sums may reach %.0f; expected coefficients with 255 times the sum of "
                       "their magnitudes below 2^31",
                       most);
    if ((float)most * fabsf(f->scale) >= 0x1p31f)   // rounded in the same way as the pixels
        return text_of("sums times the scale may reach %.3g; expected less than 2^31",
                       most * fabs(f->scale));
    return NULL;
}

// Reads words separated by blanks. A # starts a comment that ends with the line.
static const char *parse(FILE *file, struct filter *f)
{
    enum { MOST = 64 << 10 };   // bytes; /dev/zero has no end
    char *text = must_malloc(MOST + 1), *rest, *line, *word, *rest_of_line;
    size_t n_bytes = fread(text, 1, MOST, file);
    const char *fault = NULL;
    int n = 0;

    text[n_bytes] = '\0';
    if (ferror(file))
        return text_of("%s; " ACCEPTED, strerror(errno));
    if (n_bytes == MOST || strlen(text) < n_bytes)
        return "no text of at most 64 KiB; " ACCEPTED;
    for (line = strtok_r(text, "\n", &rest); line && !fault; line = strtok_r(NULL, "\n", &rest)) {
        line[strcspn(line, "#")] = '\0';
        for (word = strtok_r(line, " \t\r\f\v", &rest_of_line); word && !fault;
             word = strtok_r(NULL, " \t\r\f\v", &rest_of_line), n++)
            fault = n < 25  ? read_coefficient(word, &f->c[n])
                  : n == 25 ? read_scale(word, &f->scale)
                            : "more than 26 numbers; " ACCEPTED;
    }
    free(text);
    if (!fault && n < 26)
        return text_of("%d numbers; " ACCEPTED, n);
    return fault ? fault : range(f);
}

const char *filter_find(const char *name_or_file, long long *number)
{
    struct filter f;
    const char *fault;
    FILE *file;

    for (*number = TEST; *number <= NAMED; (*number)++)
        if (strcmp(name_or_file, filters[*number].name) == 0)
            return NULL;
    file = fopen(name_or_file, "r");
    if (!file)
        return text_of("%s; expected test, box, gaussian, sharpen, emboss, large, or a file with "
                       "25 whole numbers and a scale",
                       strerror(errno));
    fault = parse(file, &f);
    fclose(file);
    if (fault)
        return fault;
    filters[FROM_FILE] = (struct named){ text_of("%s", name_or_file), f };
    return NULL;
}

#include "compare.h"

#include <math.h>
#include <string.h>

#include "buffers.h"
#include "problem.h"
#include "program.h"

enum { SHARE = 1 << 20 };   // bytes that a thread compares at a time

int bytes_differ(const char *a, const char *b, size_t bytes)
{
    int result = 0;

#pragma omp parallel for reduction(| : result)
    for (size_t at = 0; at < bytes; at += SHARE)
        result |= memcmp(a + at, b + at, bytes - at < SHARE ? bytes - at : SHARE) != 0;
    return result;
}

static int by_bits(const struct mismatch *m)
{
    enum type type = m->buffer.type;

    return type == TYPE_I32 || (m->tolerance == 0 && want_type(&m->buffer) == type);
}

void compare_begin(struct mismatch *m, const struct buffer *b, double tolerance)
{
    *m = (struct mismatch){ .buffer = *b, .tolerance = tolerance };
    m->max_error = by_bits(m) ? -1 : 0;
}

static size_t rows_of(const struct buffer *b)
{
    return b->row ? (b->count + b->row - 1) / b->row : 1;
}
static size_t cols_of(const struct buffer *b) { return b->row ? b->row : b->count; }

// bf16 is the upper half of a float.
static float bf16_value(uint16_t upper)
{
    uint32_t bits = (uint32_t)upper << 16;
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

double element_value(enum type type, const void *array, size_t i)
{
    switch (type) {
    case TYPE_U8: return ((const unsigned char *)array)[i];
    case TYPE_I32: return ((const int32_t *)array)[i];
    case TYPE_F32: return ((const float *)array)[i];
    case TYPE_BF16: return bf16_value(((const uint16_t *)array)[i]);
    default: return ((const double *)array)[i];
    }
}

// Because of the first comparison, equal infinities are correct. A NaN never is.
static int is_within(double got, double want, double tolerance)
{
    return got == want || fabs(got - want) <= tolerance;
}

// The largest error for this value; infinite values have no relative one.
static double tolerance_of(const struct mismatch *m, double want)
{
    return m->relative > 0 && isfinite(want) ? m->tolerance + m->relative * fabs(want)
                                             : m->tolerance;
}

// Not used by is_within(): a NaN must be wrong there, even with an infinite tolerance.
static double error_of(double got, double want)
{
    double error = got == want ? 0 : fabs(got - want);

    return isnan(error) ? INFINITY : error;
}

// The number of parts of a length that the map shows, and the part in which element i lies.
static size_t map_parts(size_t length, size_t most) { return length < most ? length : most; }
static size_t map_part(size_t i, size_t length, size_t most)
{
    return length < most ? i : (size_t)((double)i / length * most);
}

// What g++ fills local variables with (-ftrivial-auto-var-init=pattern).
enum { UNINITIALIZED = 0xFE };

// Has the element this value in each byte? Correct bytes of TYPE_U8 often have.
static int is_filled_with(int byte, const void *element, enum type type)
{
    unsigned char filled[8];

    memset(filled, byte, sizeof filled);
    return type != TYPE_U8 && memcmp(element, filled, type_size(type)) == 0;
}

static void note(struct mismatch *m, size_t index, const void *got_bytes, double got, double want)
{
    const struct buffer *b = &m->buffer;
    int untouched = is_filled_with(POISON, got_bytes, b->type);

    if (m->wrong < SHOWN) {
        m->first[m->wrong].index = index;
        m->first[m->wrong].got = got;
        m->first[m->wrong].want = want;
        m->first[m->wrong].untouched = untouched;
        m->first[m->wrong].is_pattern = is_filled_with(UNINITIALIZED, got_bytes, b->type);
    }
    m->wrong++;
    m->untouched += untouched;
    m->nan += !untouched && isnan(got);
    m->map[map_part(index / cols_of(b), rows_of(b), MAP_ROWS)]
          [map_part(index % cols_of(b), cols_of(b), MAP_COLS)] = 1;
}

// There may be 10^9 bytes: compilers vectorize this loop.
__attribute__((optimize("O3"))) static unsigned char largest_difference(const unsigned char *got,
                                                                        const unsigned char *want,
                                                                        size_t n)
{
    unsigned char largest = 0;

    for (size_t i = 0; i < n; i++) {
        unsigned char difference = got[i] > want[i] ? got[i] - want[i] : want[i] - got[i];

        largest = difference > largest ? difference : largest;
    }
    return largest;
}

void compare_elements(struct mismatch *m, size_t first, size_t n, const void *got, const void *want)
{
    enum type type = m->buffer.type, type_of_want = want_type(&m->buffer);
    size_t size = type_size(type);
    int exact = by_bits(m), largest;

    if (exact && !bytes_differ(got, want, n * size))
        return;
    if (!exact && type == TYPE_U8 && type_of_want == TYPE_U8 &&
        (largest = largest_difference(got, want, n)) <= m->tolerance) {
        m->max_error = fmax(m->max_error, largest);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const char *bits = (const char *)got + i * size;
        double g = element_value(type, got, i), w = element_value(type_of_want, want, i);

        if (!(exact ? memcmp(bits, (const char *)want + i * size, size) == 0
                    : is_within(g, w, tolerance_of(m, w))))
            note(m, first + i, bits, g, w);
        if (!exact)
            m->max_error = fmax(m->max_error, error_of(g, w));
    }
}

const char *compare_words(const struct mismatch *m)
{
    return text_of("%zu of %zu elements of '%s' are wrong%s%s", m->wrong, m->buffer.count,
                   m->buffer.name,
                   m->untouched ? text_of(", %zu of them never written", m->untouched) : "",
                   m->nan ? text_of(", %zu of them NaN", m->nan) : "");
}

static void print_place(const struct mismatch *m, size_t index, FILE *out)
{
    size_t row = m->buffer.row ? index / m->buffer.row : 0;

    if (m->buffer.row)
        fprintf(out, "    %s[%zu][%zu]", m->buffer.name,
                m->buffer.row_number ? m->buffer.row_number[row] : row, index % m->buffer.row);
    else
        fprintf(out, "    %s[%zu]", m->buffer.name, index);
}

static void print_map(const struct mismatch *m, FILE *out)
{
    size_t rows = rows_of(&m->buffer), cols = cols_of(&m->buffer);
    size_t lines = map_parts(rows, MAP_ROWS), columns = map_parts(cols, MAP_COLS);

    fprintf(out, "    where ('#' wrong, '.' right; the whole of '%s', %zu x %zu%s):\n",
            m->buffer.name, rows, cols,
            lines < rows || columns < cols ? text_of(", in %zu x %zu characters", lines, columns)
                                           : "");
    for (size_t r = 0; r < lines; r++) {
        fputs("    ", out);
        for (size_t c = 0; c < columns; c++)
            fputc(m->map[r][c] ? '#' : '.', out);
        fputc('\n', out);
    }
}

void compare_print(const struct mismatch *m, FILE *out)
{
    int digits = m->buffer.type == TYPE_F64  ? 17
               : m->buffer.type == TYPE_F32  ? 9
               : m->buffer.type == TYPE_BF16 ? 4
                                             : 10;

    for (size_t i = 0; i < m->wrong && i < SHOWN; i++) {
        print_place(m, m->first[i].index, out);
        if (m->first[i].untouched)
            fputs(" was never written", out);
        else if (isnan(m->first[i].got))
            fputs(" is NaN", out);
        else
            fprintf(out, " is %.*g%s", digits, m->first[i].got,
                    m->first[i].is_pattern
                        ? " (a local variable without a value; is a __shared__ missing?)"
                        : "");
        fprintf(out, ", expected %.*g\n", digits, m->first[i].want);
    }
    if (m->buffer.type == TYPE_U8)
        fprintf(out, "    (every byte was %d before the call)\n", POISON);
    if (m->relative > 0)
        fprintf(out, "    (tolerance %.3g and %.3g of the expected value)\n", m->tolerance,
                m->relative);
    else if (m->tolerance > 0)
        fprintf(out, "    (tolerance %.3g)\n", m->tolerance);
    if (m->buffer.count < 2)
        return;
    print_map(m, out);
}

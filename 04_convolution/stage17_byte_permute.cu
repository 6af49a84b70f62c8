// stage17: byte permutes, dp4a down columns: 7 instead of 10 per pixel
//
// 15 of the 40 products of stage 16's ten dp4a are with zeros. Change: the upper four of the five
// rows go through dp4a down the columns: 4 pixels of a column fill a word, 5 columns are 5 dp4a.
// The last row takes two dp4a, as before. The thread keeps one word per column. A byte permute
// (PRMT) pushes the column's next pixel into the word, and the oldest one out.
//   column, from top to bottom      a b c d e f
//   word for output row 2          [a b c d]        its last row: e
//   word for output row 3            [b c d e]      its last row: f; one permute later
// Look at: IDP.4A and PRMT in make sass STAGES=stage17. 12 permutes serve a row of 8 pixels, and
// run in another pipe (set of execution units) than dp4a.
// make stage17 && ./stage17        make diff B=17
// This page is long because it packs both the coefficients and the columns.
// Expect (cpu, 512x512): ld_requests == stage12.ld_requests
// Expect (H200, 32768x32768): rate >= 1.22 * stage16.rate
// Expect (sm_90, 32768x32768): rate >= 0.77 * ref_memcpy.rate
#include "convolution.h"

const int BLOCK = 128, ROWS = 20;   // threads per block, output rows per thread

using stage9::store_vector, stage12::row, stage12::load_row, stage14::shifted,
    stage14::shifted_coefficients, stage15::magic, stage16::pack_u8;

// The coefficients for dp4a: the upper four of each column as one word, and the rows shifted.
struct coefficients {
    unsigned column[5];
    struct shifted rows;   // only the last row is used
};

inline struct coefficients column_coefficients(const struct filter &f)
{
    struct coefficients c = { {}, shifted_coefficients(f) };

    for (int k = 0; k < 20; k++)
        c.column[k % 5] |= (f.c[k] & 255) << 8 * (k / 5);
    return c;
}

// Pushes the pixels of the row that sums need, from byte 2 on, into the words of their columns:
// bytes 1 to 3 of a column's word become bytes 0 to 2, and the pixel becomes byte 3. Each hex digit
// of __byte_perm's selector picks a byte: 0 to 3 of its first argument, 4 to 7 of its second.
template <int columns, class Row>   // here 12 columns; later stages have more, and longer rows
__device__ inline void push_row(unsigned (&column)[columns], const Row &row)
{
#pragma unroll
    for (int k = 0; k < columns; k++) {
        int upper_three = 0x321, pixel = 4 + (k + 2) % 4;
        column[k] = __byte_perm(column[k], row.word[(k + 2) / 4], upper_three + 0x1000 * pixel);
    }
}

// Four output pixels: dp4a down their 8 columns (pixel p: p to p + 4), and along the 3 words of the
// last row.
__device__ inline unsigned four_pixels(const unsigned *column, const unsigned *word,
                                       const struct coefficients &c, float scale)
{
    float value[4], bias = -0x1p23f * scale;

    for (int p = 0; p < 4; p++) {
        int sum = magic;
        for (int j = 0; j < 5; j++)
            sum = dp4a(column[p + j], c.column[j], sum);
        for (int j = 0; j < 2; j++)
            sum = dp4a(word[(p + 2) / 4 + j], c.rows.at[4][(p + 2) % 4][j], sum);
        value[p] = fmaf(__int_as_float(sum), scale, bias);
    }
    return pack_u8(value);
}

__global__ void convolve(struct image image, struct filter f, struct coefficients c)
{
    struct row rows[9];         // rows[4..8]: the next 5 rows; rows[0..3] are for the twin
    unsigned column[12] = {};   // column[k]: the 4 pixels of column k above the next row

    // thread tile: output rows y to end - 1, 8 pixels from column x on; `in` starts 2 rows above it
    int x = 8 * (BLOCK * blockIdx.x + threadIdx.x);
    int y = 2 + ROWS * blockIdx.y, end = min(y + ROWS, image.height - 2);
    const unsigned char *in = image.in + (y - 2) * image.pitch + x;

    if (x >= image.width || y >= end)
        return;
    for (int i = 0; i < 4; i++, in += image.pitch) {
        rows[i] = load_row(in, x, image.pitch);
        push_row(column, rows[i]);
    }
    for (; y < end; y += 5) {
        for (int k = 0; k < 5; k++, in += image.pitch)   // 5 rows in flight
            if (y + k < end)
                rows[4 + k] = load_row(in, x, image.pitch);
#pragma unroll
        for (int k = 0; k < 5; k++) {
            unsigned pixels[2];
            for (int h = 0; h < 2; h++)   // half of the 8 pixels
                pixels[h] = four_pixels(column + 4 * h, rows[4 + k].word + h, c, f.scale);
            push_row(column, rows[4 + k]);
            TWIN(copy_row(pixels, &rows[k], f));
            if (y + k < end)
                store_vector(image.out + (y + k) * image.pitch, x, image.width,
                             make_uint2(pixels[0], pixels[1]));
        }
        TWIN(for (int i = 0; i < 4; i++) rows[i] = rows[5 + i];)
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 grid(ceil_div(image->width, 8 * BLOCK), ceil_div(max(image->height - 4, 1), ROWS));

    if (image->pitch % 8)
        return refuse("pitches that are multiples of 8 only");
    struct filter f = *filter;   // a copy: signed_bytes() may negate it
    if (!signed_bytes(&f))
        return;
    convolve<<<grid, BLOCK>>>(*image, f, column_coefficients(f));
}

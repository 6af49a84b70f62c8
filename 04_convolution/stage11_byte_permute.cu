// stage11: byte permutes, dp4a down columns: 7 instead of 10 per pixel
//
// 15 of the 40 products of stage 10's ten dp4a are with zeros. Change: the upper four of the five
// rows go through dp4a down the columns: 4 pixels of a column fill a word, 5 columns are 5 dp4a.
// The last row takes two dp4a, as before. The thread keeps one word per column. A byte permute
// (PRMT) pushes the column's next pixel into the word, and the oldest one out.
//   column, from top to bottom      a b c d e f
//   word for output row 2          [a b c d]        its last row: e
//   word for output row 3            [b c d e]      its last row: f; one permute later
// Look at: IDP.4A and PRMT in make sass STAGES=stage11. 12 permutes serve a row of 8 pixels, and
// run in another pipe (set of execution units) than dp4a.
// make stage11 && ./stage11        make diff B=11
// Expect (cpu, 512x512): dot_products == 0.7 * stage10.dot_products
// Expect (H200, 32768x32768): rate >= 1.12 * stage10.rate
// Expect (sm_90, 32768x32768): rate >= 0.72 * ref_memcpy.rate
#include "convolution.h"

const int BLOCK = 128, ROWS = 20;   // threads per block, output rows per thread

using stage4::store_vector, stage6::row, stage9::bits_2p23, stage10::pack_u8;

// Pushes the pixels of the row that sums need, from byte 2 on, into the words of their columns:
// bytes 1 to 3 of a column's word become bytes 0 to 2, and the pixel becomes byte 3. Each hex digit
// of __byte_perm's selector picks a byte: 0 to 3 of its first argument, 4 to 7 of its second. For
// column 0, whose pixel is byte 2 of the row's word, the selector is 0x6321: bytes 1, 2, 3, pixel.
template <int n, class Row>   // here 12 columns; later stages have more, and longer rows
__device__ inline void push_row(unsigned (&column)[n], const Row &row)
{
#pragma unroll
    for (int k = 0; k < n; k++)
        column[k] = __byte_perm(column[k], row.word[(k + 2) / 4], (4 + (k + 2) % 4) << 12 | 0x321);
}

// Four output pixels: dp4a down their 8 columns (pixel p: p to p + 4), and along the 3 words of the
// last row.
__device__ inline unsigned four_pixels(const unsigned *column, const unsigned *word,
                                       const Columns &c, float scale)
{
    float value[4], bias = -0x1p23f * scale;

    for (int p = 0; p < 4; p++) {
        int sum = bits_2p23;
        for (int j = 0; j < 5; j++)
            sum = dp4a(column[p + j], c.word[j], sum);
        for (int j = 0; j < 2; j++)
            sum = dp4a(word[(p + 2) / 4 + j], c.last[(p + 2) % 4][j], sum);
        value[p] = fmaf(__int_as_float(sum), scale, bias);
    }
    return pack_u8(value);
}

__global__ void convolve(struct image image, struct filter f, Columns c)
{
    struct row rows[5] = {};    // the next 5 rows
    unsigned column[12] = {};   // column[k]: the 4 pixels of column k above the next row

    // thread tile: output rows y to end - 1, 8 pixels from column x on; `in` starts 2 rows above it
    int x = 8 * (BLOCK * blockIdx.x + threadIdx.x);
    int y = 2 + ROWS * blockIdx.y, end = min(y + ROWS, image.height - 2);
    const unsigned char *in = image.in + (y - 2) * image.pitch + x;

    if (x >= image.width || y >= end)
        return;
    for (int i = 0; i < 4; i++, in += image.pitch)
        push_row(column, row::load(in, x, image.pitch));
    for (; y < end; y += 5) {
        for (int k = 0; k < 5; k++, in += image.pitch)   // 5 rows in flight
            if (y + k < end)
                rows[k] = row::load(in, x, image.pitch);
#pragma unroll
        for (int k = 0; k < 5; k++) {
            uint2 pixels = make_uint2(four_pixels(column, rows[k].word, c, f.scale),
                                      four_pixels(column + 4, rows[k].word + 1, c, f.scale));
            push_row(column, rows[k]);
            if (y + k < end)
                store_vector(image.out + (y + k) * image.pitch, x, image.width, pixels);
        }
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
    convolve<<<grid, BLOCK>>>(*image, f, Columns(f));
}

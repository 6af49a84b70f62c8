// stage8: dp4a, four multiply-adds per instruction
//
// Stage 6 needs 25 integer multiply-adds per pixel. Change: dp4a multiplies the 4 bytes of a word
// with 4 signed 8-bit coefficients, and adds the 4 products to an int. The 5 pixels of a row that a
// sum needs lie in two words, and start at any of 4 bytes. Shifting the pixels would cost
// instructions. Instead, the host makes four shifted copies of each row of coefficients:
//
//   two words of pixels          | a b c d | e f g h |
//   sum that starts at pixel a   | 0 1 2 3 | 4 . . . |     digit k: coefficient k of the row
//   sum that starts at pixel d   | . . . 0 | 1 2 3 4 |     dot: 0
// Two dp4a per row, 10 per pixel, with the exact result. The stage refuses coefficients beyond -128
// to 127. Look at: instructions (make instructions).
// make stage8 && ./stage8        make diff B=8
// From: stage6
// Expect (cpu, 504x512): dot_products == 10 * 500 * 512
// Expect (sm_90, 32768x32768): rate >= 2 * stage6.rate
#include "convolution.h"

const int BLOCK = 128, ROWS = 20;   // threads per block, output rows per thread

using stage1::pixel, stage4::store_vector, stage6::row;

// at[i][s]: row i of the coefficients as 8 bytes, shifted by s bytes; the other bytes are 0.
struct Shifted {
    unsigned at[5][4][2] = {};

    explicit Shifted(const struct filter &f)
    {
        for (int k = 0; k < 25; k++)
            for (int shift = 0; shift < 4; shift++) {
                int place = shift + k % 5;   // the coefficient's byte, of the 8
                at[k / 5][shift][place / 4] |= (f.c[k] & 255) << (8 * (place % 4));
            }
    }
};

__global__ void convolve(struct image image, struct filter f, Shifted c)
{
    struct row rows[9] = {};   // the window: 4 rows and the next 5

    // thread tile: output rows y to end - 1, 8 pixels from column x on; `in` starts 2 rows above it
    int x = 8 * (BLOCK * blockIdx.x + threadIdx.x);
    int y = 2 + ROWS * blockIdx.y, end = min(y + ROWS, image.height - 2);
    const unsigned char *in = image.in + (y - 2) * image.pitch + x;

    if (x >= image.width || y >= end)
        return;
    for (int i = 0; i < 4; i++, in += image.pitch)
        rows[i] = row::load(in, x, image.pitch);
    for (; y < end; y += 5) {
        for (int k = 0; k < 5; k++, in += image.pitch)   // 5 rows in flight
            if (y + k < end)
                rows[4 + k] = row::load(in, x, image.pitch);
#pragma unroll
        for (int k = 0; k < 5; k++) {
            unsigned pixels[2] = {};   // pixel p is byte p + 4: it needs bytes p + 2 to p + 6
#pragma unroll
            for (int p = 0; p < 8; p++) {
                int sum = 0;
                for (int i = 0; i < 5; i++)
                    for (int j = 0; j < 2; j++)
                        sum = dp4a(rows[k + i].word[(p + 2) / 4 + j], c.at[i][(p + 2) % 4][j], sum);
                pixels[p / 4] |= pixel(sum, f.scale) << 8 * (p % 4);
            }
            if (y + k < end)
                store_vector(image.out + (y + k) * image.pitch, x, image.width,
                             make_uint2(pixels[0], pixels[1]));
        }
        for (int i = 0; i < 4; i++)   // slide the window down by 5 rows
            rows[i] = rows[5 + i];
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 grid(ceil_div(image->width, 8 * BLOCK), ceil_div(max(image->height - 4, 1), ROWS));

    if (image->pitch % 8)
        return refuse("pitches that are multiples of 8 only");
    // a copy: signed_bytes() negates it if the scale is negative, which changes no result, and
    // refuses coefficients that do not fit
    struct filter f = *filter;
    if (!signed_bytes(&f))
        return;
    convolve<<<grid, BLOCK>>>(*image, f, Shifted(f));
}

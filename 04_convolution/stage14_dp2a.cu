// stage14: dp2a, two multiply-adds per instruction
//
// Stage 13 issues 25 FMA per pixel and converts every byte. Change: dp2a multiplies two bytes of a
// word with two 16-bit coefficients and adds both products to an int. Pixels stay packed. A row's 5
// coefficients are three pairs, in two variants for pixels at even and odd positions:
//
//   even position:  (c0 c1) (c2 c3) (c4 0)        odd position:  (0 c0) (c1 c2) (c3 c4)
//
// 15 dp2a per pixel instead of 25 FMA. Exact for 16-bit coefficients; the stage refuses others.
// Look at: instructions per pixel (make instructions); IDP.2A in make sass STAGES=stage14.
// make stage14 && ./stage14        make diff A=13 B=14
// Expect (cpu, 512x512): ld_requests == stage12.ld_requests
// Expect (sm_90, 32768x32768): rate >= 1.19 * stage13.rate
#include "convolution.h"

const int BLOCK = 128, ROWS = 20;   // threads per block, output rows per thread

using stage12::row, stage12::load_row;

// Each row of coefficients as three pairs, for pixels at even [0] and odd [1] positions.
struct pairs {
    unsigned row[5][2][3];
};

template <bool memory_only>
__global__ void convolve(struct image image, struct filter f, struct pairs pairs)
{
    struct row rows[9];   // the window: 4 rows and the next 5

    // thread tile: output rows y to end - 1, 8 pixels from column x on; `in` starts 2 rows above it
    int x = 8 * (BLOCK * blockIdx.x + threadIdx.x);
    int y = 2 + ROWS * blockIdx.y, end = min(y + ROWS, image.height - 2);
    const unsigned char *in = image.in + (y - 2) * image.pitch + x;

    if (x >= image.width || y >= end)
        return;
    for (int i = 0; i < 4; i++, in += image.pitch)
        rows[i] = load_row(in, x, image.pitch);
    for (; y < end; y += 5) {
        for (int k = 0; k < 5; k++, in += image.pitch)   // 5 rows in flight
            if (y + k < end)
                rows[4 + k] = load_row(in, x, image.pitch);
#pragma unroll
        for (int k = 0; k < 5; k++) {
            unsigned pixels[2] = {};
#pragma unroll
            for (int p = 0; p < 8; p++) {
                int sum = 0;
                for (int i = 0; i < 5; i++)
                    for (int j = 0; j < 3; j++) {
                        int pair = (p + 2) / 2 + j;   // of the row's 8 pairs of pixels
                        unsigned word = rows[k + i].word[pair / 2], c = pairs.row[i][p % 2][j];
                        sum = pair % 2 ? dp2a_hi(word, c, sum) : dp2a_lo(word, c, sum);
                    }
                pixels[p / 4] |= pixel(sum, f.scale) << 8 * (p % 4);
            }
            if (memory_only)
                copy_row(pixels, &rows[k], f);
            if (y + k < end)
                store(image.out + (y + k) * image.pitch, x, image.width, pixels);
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
    struct pairs pairs = {};
    for (int k = 0; k < 25; k++)
        for (int odd = 0; odd < 2; odd++) {
            int c = filter->c[k], place = k % 5 + odd;
            if (c != (short)c)
                return refuse("coefficients from -32768 to 32767 only");
            pairs.row[k / 5][odd][place / 2] |= (c & 0xffff) << 16 * (place % 2);
        }
    if (image->memory_only)
        convolve<true><<<grid, BLOCK>>>(*image, *filter, pairs);
    else
        convolve<false><<<grid, BLOCK>>>(*image, *filter, pairs);
}

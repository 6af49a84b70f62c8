// stage15: dp4a. Four multiplications in one instruction, where the bytes lie.
//
// Change: dp4a multiplies the four bytes of a word with four coefficients. Five pixels of a row lie
// in two words, at one of four places in them: so the coefficients are shifted instead, and there
// are four copies of each row of them, with zeros before and behind. Ten dp4a a pixel, of which an
// SM can do 64 in a cycle; 21 instructions in all. Exact for coefficients from -128 to 127; others
// are refused.
//
// make stage15 && ./stage15; make diff A=14 B=15
//
// Long: as stage 14.
// Expect (cpu, 512x512): ld_requests == stage12.ld_requests
// Expect (cpu, 512x512): ld_requests == stage15[memory-only].ld_requests
// Expect (sm_90, 32768x32768): rate >= 1.41 * stage14.rate
#include "convolution.h"

#ifndef BLOCK
#define BLOCK 128
#endif
#ifndef STRIP
#define STRIP 20
#endif
static_assert(BLOCK % 32 == 0 && BLOCK <= 1024 && STRIP % 5 == 0,
              "BLOCK must be a multiple of 32 up to 1024, STRIP one of 5");

// Sixteen bytes of a row: the thread's own eight pixels, and four on each side of them, or zeros
// where the row ends.
struct row {
    unsigned word[4];
};

__device__ inline struct row load(const unsigned char *at, bool left, bool right)
{
    uint2 own = *(const uint2 *)at;

    return { { left ? *(const unsigned *)(at - 4) : 0, own.x, own.y,
               right ? *(const unsigned *)(at + 8) : 0 } };
}

// Each row's coefficients as eight bytes, after 0, 1, 2 and 3 zeros.
struct fours {
    unsigned row[5][4][2];
};

template <bool memory_only>
__global__ void convolve(struct image image, struct filter f, struct fours fours)
{
    struct row rows[9];   // four from above, and five more

    int x = 8 * (BLOCK * blockIdx.x + threadIdx.x);
    int y = 2 + STRIP * blockIdx.y, end = min(y + STRIP, image.height - 2);
    bool left = x > 0, right = x + 8 < image.pitch;
    const unsigned char *in = image.in + (y - 2) * image.pitch + x;

    if (x >= image.width || y >= end)
        return;
    for (int i = 0; i < 4; i++, in += image.pitch)
        rows[i] = load(in, left, right);
    for (; y < end; y += 5) {
        for (int k = 0; k < 5; k++, in += image.pitch)
            if (y + k < end)
                rows[4 + k] = load(in, left, right);
#pragma unroll
        for (int k = 0; k < 5; k++) {
            unsigned pixels[2] = {}, others = 0;
#pragma unroll
            for (int p = 0; p < 8; p++) {
                int sum = 0;
                for (int i = 0; i < 5; i++)
                    for (int j = 0; j < 2; j++)
                        sum = dp4a(rows[k + i].word[(p + 2) / 4 + j], fours.row[i][(p + 2) % 4][j],
                                   sum);
                pixels[p / 4] |= pixel(sum, f.scale) << 8 * (p % 4);
            }
            for (int i = 0; i < 20 && memory_only; i++)
                others |= rows[k + i / 4].word[i % 4];
            for (int i = 0; i < 2 && memory_only; i++)
                pixels[i] = rows[k + 2].word[1 + i] | (others & f.c[0]);
            if (y + k < end)
                store(image.out + (y + k) * image.pitch, x, image.width,
                      make_uint2(pixels[0], pixels[1]));
        }
        for (int i = 0; i < 4; i++)
            rows[i] = rows[5 + i];
    }
}

void convolution(const struct image *image, const struct filter *filter)
{
    dim3 grid(ceil_div(image->width, 8 * BLOCK), ceil_div(max(image->height - 4, 1), STRIP));

    if (image->pitch % 8)
        return refuse("pitches that are multiples of 8 only");
    struct filter f = *filter;
    struct fours fours = {};
    if (!signed_bytes(&f))
        return;
    for (int k = 0; k < 25; k++)
        for (int zeros = 0; zeros < 4; zeros++) {
            int place = k % 5 + zeros;
            fours.row[k / 5][zeros][place / 4] |= (f.c[k] & 255) << 8 * (place % 4);
        }
    if (image->memory_only)
        convolve<true><<<grid, BLOCK>>>(*image, f, fours);
    else
        convolve<false><<<grid, BLOCK>>>(*image, f, fours);
}

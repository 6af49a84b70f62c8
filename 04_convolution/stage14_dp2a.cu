// stage14: dp2a. Two multiplications in one instruction, and no byte is unpacked: pixels stay four
// in a word.
//
// Change: dp2a multiplies two bytes of a word with two coefficients of 16 bits and adds both
// products to an int. A row's five are three pairs, one of them with a zero; where a pixel lies at
// an odd place, the zero comes first. 15 instead of 25 a pixel; with unpacking gone, 26
// instructions in all. Exact for coefficients of 16 bits; others are refused.
//
// make stage14 && ./stage14; make diff A=13 B=14
//
// Long: the coefficients are packed beside the kernel that takes them apart.
// Expect (cpu, 512x512): ld_requests == stage12.ld_requests
// Expect (cpu, 512x512): ld_requests == stage14[memory-only].ld_requests
// Expect (sm_90, 32768x32768): rate >= 1.19 * stage13.rate
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

// Each row's coefficients in pairs: (c0, c1) (c2, c3) (c4, 0) for pixels at even places, (0, c0)
// (c1, c2) (c3, c4) for those at odd ones.
struct pairs {
    unsigned row[5][2][3];
};

template <bool memory_only>
__global__ void convolve(struct image image, struct filter f, struct pairs pairs)
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
                    for (int j = 0; j < 3; j++) {
                        int pair = (p + 2) / 2 + j;   // of the eight in a row
                        unsigned word = rows[k + i].word[pair / 2], c = pairs.row[i][p % 2][j];
                        sum = pair % 2 ? dp2a_hi(word, c, sum) : dp2a_lo(word, c, sum);
                    }
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

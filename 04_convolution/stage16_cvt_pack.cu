// stage16: packed. From a sum to a pixel in one and a half instructions.
//
// Half of what stage 15 does is no product: the sum becomes a float, is scaled, becomes an int, is
// clamped twice, shifted and ORed to the others. Change: sums begin at the int that as a float is
// 2^23. A whole number added to that int is added to the float as well, so that no conversion is
// needed, and fma(2^23 + sum, scale, -2^23 * scale) is the scaled sum, rounded once. Below 2^23 a
// step is half as much: a negative sum comes out negative all the same, and is clamped to 0. A
// negative scale changes its sign with all coefficients. Last, one instruction of the GPU turns two
// floats into bytes, clamped and in their places (pack_u8). 16 instructions a pixel. Exact, as
// stage 15: sums of bytes are well below 2^23.
//
// make stage16 && ./stage16; make diff A=15 B=16
//
// Long: as stage 14.
// Expect (cpu, 512x512): ld_requests == stage12.ld_requests
// Expect (cpu, 512x512): ld_requests == stage16[memory-only].ld_requests
// Expect (sm_90, 32768x32768): rate >= 1.04 * stage15.rate
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

#define ZERO 0x4B000000   // the bits of 2^23 as a float

template <bool memory_only>
__global__ void convolve(struct image image, struct filter f, struct fours fours)
{
    struct row rows[9];   // four from above, and five more
    float value[4], back = -0x1p23f * f.scale;

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
            unsigned pixels[2], others = 0;
#pragma unroll
            for (int p = 0; p < 8; p++) {
                int sum = ZERO;
                for (int i = 0; i < 5; i++)
                    for (int j = 0; j < 2; j++)
                        sum = dp4a(rows[k + i].word[(p + 2) / 4 + j], fours.row[i][(p + 2) % 4][j],
                                   sum);
                value[p % 4] = fmaf(__int_as_float(sum), f.scale, back);
                if (p % 4 == 3)
                    pixels[p / 4] =
                        pack_u8((int)value[0], (int)value[1], (int)value[2], (int)value[3]);
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

// stage17: permutes. Seven dp4a for 25 products, the fewest that there can be.
//
// Ten of four products each are 40, of which 15 are with zeros. Change: of the five rows the upper
// four are taken down the columns, where four pixels are a word without a zero. A column's word is
// kept from row to row: a byte permute, which another unit does, pushes the newest pixel in at the
// top, and the oldest leaves at the bottom. Five columns are five dp4a, and the last row is two,
// with shifted coefficients, as in stage 16. For eight pixels there are twelve columns: 1.5
// permutes a pixel. Exact, as stage 15.
//
// make stage17 && ./stage17; make diff A=16 B=17
//
// Long: it collects bytes down columns.
// Expect (cpu, 512x512): ld_requests == stage12.ld_requests
// Expect (cpu, 512x512): ld_requests == stage17[memory-only].ld_requests
// Expect (sm_90, 32768x32768): rate >= 1.1 * stage16.rate
// Expect (sm_90, 32768x32768): rate >= 0.72 * ref_memcpy.rate
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

// The coefficients in fours: the upper four of each column, and the last row as eight bytes, after
// 0, 1, 2 and 3 zeros.
struct fours {
    unsigned column[5], last[4][2];
};

// Of the columns from two pixels left of the thread's own to two right of them, the four pixels
// above the next row, the newest in the highest byte.
__device__ inline void push(unsigned column[12], struct row row)
{
    for (int k = 0; k < 12; k++)
        column[k] = __byte_perm(column[k], row.word[(k + 2) / 4], 0x4321 + 0x1000 * ((k + 2) % 4));
}

#define ZERO 0x4B000000   // the bits of 2^23 as a float

template <bool memory_only>
__global__ void convolve(struct image image, struct filter f, struct fours fours)
{
    struct row rows[9];   // four from above, and five more
    unsigned column[12] = {};
    float value[4], back = -0x1p23f * f.scale;

    int x = 8 * (BLOCK * blockIdx.x + threadIdx.x);
    int y = 2 + STRIP * blockIdx.y, end = min(y + STRIP, image.height - 2);
    bool left = x > 0, right = x + 8 < image.pitch;
    const unsigned char *in = image.in + (y - 2) * image.pitch + x;

    if (x >= image.width || y >= end)
        return;
    for (int i = 0; i < 4; i++, in += image.pitch) {
        rows[i] = load(in, left, right);
        push(column, rows[i]);
    }
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
                for (int j = 0; j < 5; j++)
                    sum = dp4a(column[p + j], fours.column[j], sum);
                for (int j = 0; j < 2; j++)
                    sum = dp4a(rows[4 + k].word[(p + 2) / 4 + j], fours.last[(p + 2) % 4][j], sum);
                value[p % 4] = fmaf(__int_as_float(sum), f.scale, back);
                if (p % 4 == 3)
                    pixels[p / 4] =
                        pack_u8((int)value[0], (int)value[1], (int)value[2], (int)value[3]);
            }
            push(column, rows[4 + k]);
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
    for (int k = 0; k < 20; k++)
        fours.column[k % 5] |= (f.c[k] & 255) << 8 * (k / 5);
    for (int k = 0; k < 5; k++)
        for (int zeros = 0; zeros < 4; zeros++)
            fours.last[zeros][(zeros + k) / 4] |= (f.c[20 + k] & 255) << 8 * ((zeros + k) % 4);
    if (image->memory_only)
        convolve<true><<<grid, BLOCK>>>(*image, f, fours);
    else
        convolve<false><<<grid, BLOCK>>>(*image, f, fours);
}

// stage17: permutes. Seven dp4a for 25 products, the fewest that there can be.
//
// Ten of four products each are 40, of which 15 are with zeros. Change: a byte permute brings together the first four of each five pixels, once a
// row, and dp4a takes them without zeros. The fifth ones are collected down the column, a byte with every row: four of them are a word, and the last
// one is multiplied where it lies. 5 + 1 + 1 dp4a a pixel and 1.75 permutes, which another unit does; 15 instructions in all. Exact, as stage 15.
//
// make stage17 && ./stage17; make diff A=16 B=17
//
// Long: it collects bytes along rows and down columns.
// Expect (cpu, 512x512): ld_requests == stage12.ld_requests
// Expect (cpu, 512x512): ld_requests == stage17[memory-only].ld_requests
// Expect (sm_90, 32768x32768): rate >= 1.05 * stage16.rate
// Expect (sm_90, 32768x32768): rate >= 0.67 * ref_memcpy.rate
#include "convolution.h"

#ifndef BLOCK
#define BLOCK 128
#endif
#ifndef STRIP
#define STRIP 20
#endif
static_assert(BLOCK % 32 == 0 && BLOCK <= 1024 && STRIP % 5 == 0, "BLOCK must be a multiple of 32 up to 1024, STRIP one of 5");

// Sixteen bytes of a row: the thread's own eight pixels, and four on each side of them, or zeros where the row ends.
struct row { unsigned word[4]; };

__device__ inline struct row load(const unsigned char *at, bool left, bool right)
{
    uint2 own = *(const uint2 *)at;

    return { { left ? *(const unsigned *)(at - 4) : 0, own.x, own.y, right ? *(const unsigned *)(at + 8) : 0 } };
}

// The coefficients in fours: the first of each row; of the last column the first; and the last of all alone, as byte 0, 1, 2 and 3.
struct fours { unsigned row[5], column, last[4]; };

// For each of the eight pixels the four bytes that begin two before it.
__device__ inline void permute(unsigned four[8], struct row row)
{
    for (int p = 0; p < 8; p++) {
        int word = (p + 2) / 4, byte = (p + 2) % 4;
        four[p] = byte ? __byte_perm(row.word[word], row.word[word + 1], 0x3210 + 0x1111 * byte) : row.word[word];
    }
}

// Byte k of a row comes in at the top of the word; the lowest byte leaves.
__device__ inline unsigned push(unsigned word, struct row row, int k) { return __byte_perm(word, row.word[k / 4], 0x4321 + 0x1000 * (k % 4)); }

#define ZERO 0x4B000000   // the bits of 2^23 as a float

template <bool memory_only> __global__ void convolve(struct image image, struct filter f, struct fours fours)
{
    struct row rows[9];        // four from above, and five more
    unsigned ring[5][8];       // of them those that are worked on, permuted, row k at place k % 5
    unsigned column[8] = {};   // for each pixel the four bytes down the column two behind it
    float value[4], back = -0x1p23f * f.scale;

    int x = 8 * (BLOCK * blockIdx.x + threadIdx.x);
    int y = 2 + STRIP * blockIdx.y, end = min(y + STRIP, image.height - 2);
    bool left = x > 0, right = x + 8 < image.pitch;
    const unsigned char *in = image.in + (y - 2) * image.pitch + x;

    if (x >= image.width || y >= end)
        return;
    for (int i = 0; i < 4; i++, in += image.pitch) {
        rows[i] = load(in, left, right);
        permute(ring[i], rows[i]);
        for (int p = 0; p < 8; p++)
            column[p] = push(column[p], rows[i], p + 6);
    }
    for (; y < end; y += 5) {
        for (int k = 0; k < 5; k++, in += image.pitch)
            if (y + k < end)
                rows[4 + k] = load(in, left, right);
        #pragma unroll
        for (int k = 0; k < 5; k++) {
            unsigned pixels[2], others = 0;
            permute(ring[(k + 4) % 5], rows[k + 4]);
            #pragma unroll
            for (int p = 0; p < 8; p++) {
                int sum = ZERO;
                for (int i = 0; i < 5; i++)
                    sum = dp4a(ring[(k + i) % 5][p], fours.row[i], sum);
                sum = dp4a(column[p], fours.column, sum);
                sum = dp4a(rows[k + 4].word[(p + 6) / 4], fours.last[(p + 6) % 4], sum);
                column[p] = push(column[p], rows[k + 4], p + 6);
                value[p % 4] = fmaf(__int_as_float(sum), f.scale, back);
                if (p % 4 == 3)
                    pixels[p / 4] = pack_u8((int)value[0], (int)value[1], (int)value[2], (int)value[3]);
            }
            for (int i = 0; i < 20 && memory_only; i++)
                others |= rows[k + i / 4].word[i % 4];
            for (int i = 0; i < 2 && memory_only; i++)
                pixels[i] = rows[k + 2].word[1 + i] | (others & f.c[0]);
            if (y + k < end)
                store(image.out + (y + k) * image.pitch, x, image.width, make_uint2(pixels[0], pixels[1]));
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
        fours.row[k / 4] |= (f.c[k / 4 * 5 + k % 4] & 255) << 8 * (k % 4);
    for (int k = 0; k < 4; k++) {
        fours.column |= (f.c[5 * k + 4] & 255) << 8 * k;
        fours.last[k] = (f.c[24] & 255) << 8 * k;
    }
    if (image->memory_only)
        convolve<true><<<grid, BLOCK>>>(*image, f, fours);
    else
        convolve<false><<<grid, BLOCK>>>(*image, f, fours);
}

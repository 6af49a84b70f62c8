// stage13: float. Multiplications in the unit that has the most lanes for them: twice as many as
// for integers.
//
// Change: the rows in registers are floats, turned from bytes once, as they come. An SM adds and
// multiplies 128 floats in a cycle, and 64 ints. All sums are whole numbers up to 2^24, which
// floats hold exactly, whatever the order: coefficients that may go beyond are refused. Hardly an
// instruction is saved, the profiler counts 38.5 a pixel: now their number is the limit, of which
// an SM can issue 128 in a cycle for single threads.
//
// make stage13 && ./stage13; make diff A=12 B=13
//
// Long: it keeps rows both as bytes, for the twin, and as floats.
// Expect (cpu, 512x512): ld_requests == stage12.ld_requests
// Expect (cpu, 512x512): ld_requests == stage13[memory-only].ld_requests
// Expect (sm_90, 32768x32768): rate >= 1.19 * stage12.rate
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

// The twelve pixels that the sums take, as floats.
__device__ inline void unpack(float pixels[12], struct row row)
{
    for (int k = 0; k < 12; k++)
        pixels[k] = row.word[(k + 2) / 4] >> 8 * ((k + 2) % 4) & 255;
}

template <bool memory_only> __global__ void convolve(struct image image, struct filter f)
{
    struct row rows[9];   // four from above, and five more
    float ring[5][12];    // of them those that are worked on, row k at place k % 5

    int x = 8 * (BLOCK * blockIdx.x + threadIdx.x);
    int y = 2 + STRIP * blockIdx.y, end = min(y + STRIP, image.height - 2);
    bool left = x > 0, right = x + 8 < image.pitch;
    const unsigned char *in = image.in + (y - 2) * image.pitch + x;

    if (x >= image.width || y >= end)
        return;
    for (int i = 0; i < 4; i++, in += image.pitch) {
        rows[i] = load(in, left, right);
        unpack(ring[i], rows[i]);
    }
    for (; y < end; y += 5) {
        for (int k = 0; k < 5; k++, in += image.pitch)
            if (y + k < end)
                rows[4 + k] = load(in, left, right);
#pragma unroll
        for (int k = 0; k < 5; k++) {
            unsigned pixels[2] = {}, others = 0;
            unpack(ring[(k + 4) % 5], rows[k + 4]);
#pragma unroll
            for (int p = 0; p < 8; p++) {
                float sum = 0;
                for (int i = 0; i < 5; i++)
                    for (int j = 0; j < 5; j++)
                        sum += f.w[5 * i + j] * ring[(k + i) % 5][p + j];
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
    if (reach(filter) > 1 << 24)
        return refuse("sums of pixels up to 2^24 only: floats hold no larger ones exactly");
    if (image->memory_only)
        convolve<true><<<grid, BLOCK>>>(*image, *filter);
    else
        convolve<false><<<grid, BLOCK>>>(*image, *filter);
}
